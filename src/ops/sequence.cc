// Places and types of the items of sequences.
#include "ops/sequence.h"

#include <cmath>

#include "ops/indices.h"

namespace godwit::ops {

Result<std::size_t> item_place(const Call& call, std::size_t i, std::size_t size) {
  ASSIGN(const Ints position, call.integers(i));
  if (position.size() != 1)
    return call.refuse("not_scalar", {{"input", std::to_string(i)},
                                      {"dims", ir::to_string(call.input(i).dims())}});
  return place(call, position[0], static_cast<std::int64_t>(size));
}

Type inner_type(const Type& type) { return type.inner ? *type.inner : Type(); }

Datum sequence_of(std::vector<Datum> items, ElementType element) {
  Datum out = Datum::sequence(std::move(items));
  out.element = element;
  return out;
}

}  // namespace godwit::ops
