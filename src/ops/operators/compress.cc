// Keeps the slices for which a condition holds.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape = Shape{Dim::unknown()};
  if (n.has("axis")) shape.reset();
  if (n.has("axis") && n.shape(0)) {
    ASSIGN(const std::size_t axis, n.axis("axis", n.shape(0)->size()));
    shape = *n.shape(0);
    (*shape)[axis] = Dim::unknown();
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  // Without an axis the tensor is taken as one long row.
  const Tensor x =
      call.has("axis") ? call.input(0) : call.input(0).reshaped({call.input(0).count()});
  const std::span<const bool> condition = call.values<bool>(1);
  TRY(expect_rank(call, 1, 1));
  ASSIGN(const std::size_t axis,
         call.has("axis") ? call.axis("axis", x.rank()) : call.axis(0, x.rank()));
  Sizes dims = x.dims();
  const auto length = static_cast<std::size_t>(dims[axis]);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] && i >= length)
      return refuse_index(call, static_cast<std::int64_t>(i), dims[axis]);
    if (condition[i]) kept.push_back(i);
  }
  dims[axis] = static_cast<std::int64_t>(kept.size());
  ASSIGN(Tensor out, taken(x, axis, kept, std::move(dims)));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator compress = {
    .name = "Compress",
    .doc = "The slices along an axis for which the condition holds.",
    .since = 9,
    .inputs = {{"input", 'T', classic(28)}, {"condition", 'B', kBool}},
    .outputs = {{"output", 'T', classic(28)}},
    .attributes = {{"axis"}},
    .revisions = {11, 28},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
