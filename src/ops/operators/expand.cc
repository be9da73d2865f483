// Repeats a tensor along axes of size 1 and in front, as broadcasting does.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const std::optional<Content> wanted = n.content(1);
  std::optional<Shape> shape;
  if (n.shape(0) && wanted) {
    ASSIGN(shape, broadcast(n, *n.shape(0), *wanted));
  }
  n.set(0, n.element(0), shape);
  const std::optional<Content> content = n.content(0);
  if (!content || content->size() != 1 || !shape || shape->size() > 1) return {};
  const Dim count = ir::count(*shape);
  if (count.is_known() && count.value() >= 0 && count.value() <= kMostContent)
    n.set_content(0, Content(static_cast<std::size_t>(count.value()), content->front()));
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const Ints wanted, call.integers(1));
  const std::optional<Sizes> dims = broadcast(x.dims(), wanted);
  if (!dims) return refuse_shapes(call, x.dims(), wanted);
  ASSIGN(Tensor out, strided(x, *dims, broadcast_strides(x.dims(), *dims)));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator expand = {
    .name = "Expand",
    .doc = "The tensor broadcast to a shape.",
    .since = 8,
    .inputs = {{"input", 'T', classic(13)}, {"shape", 'S', kInt64}},
    .outputs = {{"output", 'T', classic(13)}},
    .revisions = {13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
