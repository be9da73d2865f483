// Turns numbers of classes into vectors that are on at one place.
#include <cmath>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

std::optional<Dim> depth_of(const Inference& n) {
  if (const auto content = n.content(1); content && content->size() == 1) return content->front();
  const auto values = n.constant(1) ? to_doubles(*n.constant(1)) : std::nullopt;
  if (!values || values->size() != 1) return std::nullopt;
  return Dim(static_cast<std::int64_t>(values->front()));
}

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) {
    ASSIGN(const std::size_t axis, n.axis("axis", n.shape(0)->size() + 1));
    shape = *n.shape(0);
    shape->insert(shape->begin() + static_cast<std::ptrdiff_t>(axis),
                  depth_of(n).value_or(Dim::unknown()));
  }
  n.set(0, n.element(2), std::move(shape));
  return {};
}

// Which class each element names; classes count from the end when negative. One that does not
// exist is none.
std::vector<std::int64_t> classes(const Tensor& indices, std::int64_t depth) {
  std::vector<std::int64_t> out;
  for (const double index : to_doubles(indices).value_or(std::vector<double>())) {
    const auto size = static_cast<double>(depth);
    const bool exists = index >= -size && index < size;
    const double at = std::trunc(index);
    out.push_back(exists ? static_cast<std::int64_t>(at < 0 ? at + size : at) : -1);
  }
  return out;
}

Status evaluate(Call& call) {
  const Tensor& values = call.input(2);
  ASSIGN(const std::size_t axis, call.axis("axis", call.input(0).rank() + 1));
  ASSIGN(const double depth, call.scalar(1));
  if (!(depth >= 0 && depth < 9e15)) return refuse_index(call, -1, 0);
  TRY(expect_sizes(call, 2, {2}));
  const auto length = static_cast<std::int64_t>(depth);
  Sizes dims = call.input(0).dims();
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), length);
  ASSIGN(Tensor out, filled(values, 0, dims));
  const auto inner = static_cast<std::size_t>(product(dims, axis + 1, dims.size()));
  const std::vector<std::int64_t> on = classes(call.input(0), length);
  for (std::size_t i = 0; i < on.size(); ++i) {
    if (on[i] < 0) continue;
    const std::size_t first = i / inner * static_cast<std::size_t>(length) * inner + i % inner;
    copy_elements(values, 1, out, first + static_cast<std::size_t>(on[i]) * inner);
  }
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator one_hot = {
    .name = "OneHot",
    .doc = "For each index a vector of `depth` values: values[1] at the index, else values[0].",
    .since = 9,
    .inputs = {{"indices", 'I', kClassicNumbers},
               {"depth", 'D', kClassicNumbers},
               {"values", 'T', classic(28)}},
    .outputs = {{"output", 'T', classic(28)}},
    .attributes = {{"axis", -1}},
    .revisions = {11, 28},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
