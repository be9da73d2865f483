// Maps each element to another value by two lists.
#include "ops/lookup.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

constexpr TypeHistory kKeys =
    kInt64 | kString | since(2, kFloat) |
    since(4, {ElementType::kDouble, ElementType::kInt16, ElementType::kInt32});

// The list `keys_…` or `values_…` that the node gives, whatever its type.
Result<Tensor> given_list(const Site& site, const std::string& what) {
  if (const Tensor* const tensor = site.tensor(what + "_tensor")) return tensor->aligned();
  if (site.has(what + "_strings")) return ml::list_of(site.texts(what + "_strings"));
  if (site.has(what + "_int64s")) return ml::list_of(site.integers(what + "_int64s"));
  if (site.has(what + "_floats")) return ml::list_of(site.numbers(what + "_floats"));
  return site.refuse("missing_attribute", {{"name", what}});
}

Result<Tensor> fallback_of(const Site& site, ElementType type) {
  if (const Tensor* const tensor = site.tensor("default_tensor")) return tensor->aligned();
  if (type == ElementType::kString)
    return ml::list_of(std::vector<std::string>{std::string(site.text("default_string"))});
  if (ir::is_integer(type)) return convert(ml::list_of(Ints{site.integer("default_int64")}), type);
  return convert(ml::list_of(Floats{site.number("default_float")}), type);
}

// Opset 1 has one list of strings: their places are the numbers.
Result<ml::Lookup> table_of(const Site& site, ElementType input) {
  if (site.opset() >= 2) {
    ml::Lookup out;
    ASSIGN(out.keys, given_list(site, "keys"));
    ASSIGN(out.values, given_list(site, "values"));
    ASSIGN(out.fallback, fallback_of(site, out.values.type()));
    return out;
  }
  const Tensor texts = ml::list_of(site.texts("classes_strings"));
  Ints numbers;
  for (std::int64_t i = 0; i < texts.count(); ++i) numbers.push_back(i);
  const Tensor places = ml::list_of(std::move(numbers));
  const bool reads = input == ElementType::kString;
  const ElementType made = reads ? ElementType::kInt64 : ElementType::kString;
  ASSIGN(Tensor fallback, fallback_of(site, made));
  return reads ? ml::Lookup{texts, places, std::move(fallback)}
               : ml::Lookup{places, texts, std::move(fallback)};
}

Status infer(Inference& n) {
  Type type = n.type(0);
  if (type.element == ElementType::kUndefined && n.opset() < 2) return {};
  ASSIGN(const ml::Lookup table, table_of(n, type.element));
  type.kind = Type::Kind::kTensor;
  type.element = table.values.type();
  n.set(0, std::move(type));
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const ml::Lookup table, table_of(call, call.input(0).type()));
  return ml::look_up(call, table);
}

}  // namespace

extern const Operator label_encoder = {
    .name = "LabelEncoder",
    .domain = ml::kDomain,
    .doc = "Each element by the value that stands where the element stands among the keys.",
    .inputs = {{"X", 'T', kKeys}},
    .outputs = {{"Y", 'U', kKeys}},
    .attributes = {{.name = "classes_strings", .until = 1},
                   {"default_string", "_Unused"},
                   {"default_int64", -1},
                   {.name = "default_float", .fallback = -0.0f, .since = 2},
                   {.name = "keys_floats", .since = 2},
                   {.name = "keys_int64s", .since = 2},
                   {.name = "keys_strings", .since = 2},
                   {.name = "values_floats", .since = 2},
                   {.name = "values_int64s", .since = 2},
                   {.name = "values_strings", .since = 2},
                   {.name = "default_tensor", .since = 4},
                   {.name = "keys_tensor", .since = 4},
                   {.name = "values_tensor", .since = 4}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
