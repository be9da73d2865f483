// Cuts a tensor along an axis into a sequence.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  Type item = Type::tensor(n.element(0));
  if (n.shape(0)) {
    ASSIGN(const std::size_t axis, n.axis("axis", n.shape(0)->size()));
    item.shape = *n.shape(0);
    const bool drops = !n.has_input(1) && !n.flag("keepdims");
    if (drops)
      item.shape->erase(item.shape->begin() + static_cast<std::ptrdiff_t>(axis));
    else
      (*item.shape)[axis] = n.has_input(1) ? Dim::unknown() : Dim(1);
  }
  n.set(0, sequence_of(std::move(item)));
  return {};
}

// Lengths of the parts: all of one size but the last, as given, or 1 each.
Result<Ints> lengths_of(const Call& call, std::int64_t size) {
  Ints given = {1};
  if (call.has_input(1)) {
    ASSIGN(given, call.integers(1));
  }
  if (call.has_input(1) && call.input(1).rank() == 1) {
    std::int64_t left = size;
    for (const std::int64_t length : given) {
      if (length < 0 || length > left) return refuse_shapes(call, {size}, given);
      left -= length;
    }
    return left == 0 ? Result<Ints>(given) : refuse_shapes(call, {size}, given);
  }
  if (given.size() != 1 || given[0] < 1) return refuse_shapes(call, {size}, given);
  Ints out;
  for (std::int64_t left = size; left > 0; left -= out.back())
    out.push_back(std::min(given[0], left));
  return out;
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const std::size_t axis, call.axis("axis", x.rank()));
  ASSIGN(const Ints lengths, lengths_of(call, x.dims()[axis]));
  const bool drops_axis = !call.has_input(1) && !call.flag("keepdims");
  std::vector<Datum> items;
  std::int64_t first = 0;
  for (const std::int64_t length : lengths) {
    ASSIGN(Tensor part, part_of(x, axis, first, length));
    first += length;
    Sizes dims = part.dims();
    if (drops_axis) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    items.emplace_back(part.reshaped(std::move(dims)));
  }
  call.set(0, sequence_of(std::move(items), x.type()));
  return {};
}

}  // namespace

extern const Operator split_to_sequence = {
    .name = "SplitToSequence",
    .doc = "Parts of a tensor along one axis as a sequence.",
    .since = 11,
    .inputs = {{"input", 'T', classic(24)}, {"split", 'I', kIndices, kOptional}},
    .outputs = {{.name = "output_sequence", .types = classic(24), .form = Form::kSequence}},
    .attributes = {{"axis", 0}, {"keepdims", 1}},
    .revisions = {24},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
