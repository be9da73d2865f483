// A matrix with ones on one of its diagonals.
#include "ir/number.h"
#include "ops/call.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

constexpr TypeSet kTypes = kNumbers | kBool;

ElementType type_of(const Site& site, ElementType input) {
  return site.has("dtype") ? static_cast<ElementType>(site.integer("dtype")) : input;
}

Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 2));
  const ElementType type = type_of(call, call.input(0).type());
  if (!kTypes.has(type)) return refuse_attribute(call, "dtype");
  const Sizes& dims = call.input(0).dims();
  ASSIGN(Tensor* const out, call.make(0, type, dims));
  const std::int64_t k = call.integer("k");
  // Above the main diagonal k counts columns, below it rows.
  for (std::int64_t row = 0; row < dims[0]; ++row) {
    std::int64_t column = 0;
    if (__builtin_add_overflow(row, k, &column) || column < 0 || column >= dims[1]) continue;
    ir::store(type, out->mutable_data(), static_cast<std::size_t>(row * dims[1] + column), 1,
              ir::Overflow::kToInfinity);
  }
  return {};
}

}  // namespace

extern const Operator eye_like = {
    .name = "EyeLike",
    .doc = "A matrix of the input's shape with ones on the k-th diagonal and zeros elsewhere.",
    .since = 9,
    .inputs = {{"input", 'T', kClassicNumbers | kBool | since(22, kBfloat16)}},
    .outputs = {{"output", 'U', kClassicNumbers | kBool | since(22, kBfloat16)}},
    .attributes = {{"dtype"}, {"k", 0}},
    .revisions = {22},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      Type type = n.type(0);
      type.element = type_of(n, type.element);
      n.set(0, std::move(type));
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
