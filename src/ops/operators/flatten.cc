// A matrix of the axes before one and those from it on.
#include "base/text.h"
#include "ops/call.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

// Unlike other axes, the one behind the last is allowed.
Result<std::size_t> split_axis(const Site& site, std::size_t rank) {
  const std::int64_t axis = site.integer("axis");
  if (axis == static_cast<std::int64_t>(rank)) return rank;
  return site.axis(axis, rank);
}

Status infer(Inference& n) {
  Shape shape = {Dim::unknown(), Dim::unknown()};
  if (n.shape(0)) {
    ASSIGN(const std::size_t axis, split_axis(n, n.shape(0)->size()));
    const auto middle = n.shape(0)->begin() + static_cast<std::ptrdiff_t>(axis);
    shape = {ir::count(Shape(n.shape(0)->begin(), middle)),
             ir::count(Shape(middle, n.shape(0)->end()))};
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const std::size_t axis, split_axis(call, x.rank()));
  call.set(0, x.reshaped({product(x.dims(), 0, axis), product(x.dims(), axis, x.rank())}));
  return {};
}

}  // namespace

extern const Operator flatten = {
    .name = "Flatten",
    .doc = "A matrix: the axes before `axis` in its rows, the others in its columns.",
    .inputs = {{.name = "input",
                .types = floats(13) | since(9, kClassic) | since(21, kFloat8) | kPackedTypes}},
    .outputs = {{.name = "output",
                 .types = floats(13) | since(9, kClassic) | since(21, kFloat8) | kPackedTypes}},
    .attributes = {{"axis", 1}},
    .revisions = {9, 11, 13, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
