// Names categories by numbers, or numbers by names.
#include "ops/lookup.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  Type type = n.type(0);
  if (type.element == ElementType::kString)
    type.element = ElementType::kInt64;
  else if (type.element == ElementType::kInt64)
    type.element = ElementType::kString;
  n.set(0, std::move(type));
  return {};
}

Status evaluate(Call& call) {
  const Tensor numbers = ml::list_of(call.integers("cats_int64s"));
  const Tensor texts = ml::list_of(call.texts("cats_strings"));
  if (call.input(0).type() == ElementType::kString)
    return ml::look_up(call, {texts, numbers, ml::list_of(Ints{call.integer("default_int64")})});
  const std::vector<std::string> fallback = {std::string(call.text("default_string"))};
  return ml::look_up(call, {numbers, texts, ml::list_of(fallback)});
}

}  // namespace

extern const Operator category_mapper = {
    .name = "CategoryMapper",
    .domain = ml::kDomain,
    .doc = "Strings as numbers or numbers as strings, by two lists.",
    .inputs = {{"X", 'T', kInt64 | kString}},
    .outputs = {{"Y", 'U', kInt64 | kString}},
    .attributes = {{"cats_int64s"},
                   {"cats_strings"},
                   {"default_int64", -1},
                   {"default_string", "_Unused"}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
