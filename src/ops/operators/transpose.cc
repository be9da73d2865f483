// Another order of the axes.
#include <numeric>

#include "ops/elements.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// perm[i] is the axis that becomes axis i; reversed when the node says nothing.
Result<std::vector<std::size_t>> order_of(const Site& site, std::size_t rank) {
  Ints perm = site.integers("perm");
  if (!site.has("perm")) {
    perm.resize(rank);
    std::iota(perm.rbegin(), perm.rend(), 0);
  }
  ASSIGN(const std::vector<std::size_t> sorted, site.axes(perm, rank));
  if (sorted.size() != rank)
    return site.refuse("attribute", {{"name", "perm"}, {"value", ir::to_string(perm)}});
  std::vector<std::size_t> out;
  for (const std::int64_t axis : perm) {
    ASSIGN(out.emplace_back(), site.axis(axis, rank));
  }
  return out;
}

template <class Row>
Row permuted(const Row& row, const std::vector<std::size_t>& order) {
  Row out;
  for (const std::size_t axis : order) out.push_back(row[axis]);
  return out;
}

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) {
    ASSIGN(const std::vector<std::size_t> order, order_of(n, n.shape(0)->size()));
    shape = permuted(*n.shape(0), order);
  } else if (n.has("perm")) {
    shape = shape_of_rank(static_cast<std::int64_t>(n.integers("perm").size()));
  }
  n.set(0, n.element(0), std::move(shape));
  if (std::optional<Content> content = n.content(0)) n.set_content(0, *std::move(content));
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const std::vector<std::size_t> order, order_of(call, x.rank()));
  ASSIGN(Tensor out, strided(x, permuted(x.dims(), order), permuted(strides(x.dims()), order)));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator transpose = {
    .name = "Transpose",
    .doc = "The same values with the axes in another order.",
    .inputs = {{.name = "data", .types = any_tensor(13, 21)}},
    .outputs = {{.name = "transposed", .types = any_tensor(13, 21)}},
    .attributes = {{"perm"}},
    .revisions = {13, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
