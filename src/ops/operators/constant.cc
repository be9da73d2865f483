// A value that the node itself holds.
#include "base/text.h"
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Result<Tensor> held(const Site& site) {
  for (const std::string_view name : {"value", "sparse_value"}) {
    if (const Tensor* const tensor = site.tensor(name)) return *tensor;
  }
  if (site.has("value_float")) return Tensor::scalar(site.number("value_float"));
  if (site.has("value_int")) return Tensor::scalar(site.integer("value_int"));
  if (site.has("value_ints")) return Tensor::integers(site.integers("value_ints"));
  if (site.has("value_string"))
    return Tensor::of<std::string>({}, {std::string(site.text("value_string"))});
  if (site.has("value_floats")) {
    Floats values = site.numbers("value_floats");
    const auto size = static_cast<std::int64_t>(values.size());
    return Tensor::of<float>({size}, std::move(values));
  }
  if (site.has("value_strings")) {
    std::vector<std::string> values = site.texts("value_strings");
    const auto size = static_cast<std::int64_t>(values.size());
    return Tensor::of<std::string>({size}, std::move(values));
  }
  return site.refuse("missing_attribute", {{"name", "value"}});
}

Status infer(Inference& n) {
  ASSIGN(const Tensor value, held(n));
  n.set(0, value.type(), Shape(value.dims().begin(), value.dims().end()));
  // A `value` is a constant of the graph, whose contents every rule sees by itself.
  if (!n.has("value") && value.rank() <= 1) {
    if (const std::optional<Ints> numbers = to_integers(value))
      n.set_content(0, Content(numbers->begin(), numbers->end()));
  }
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const Tensor value, held(call));
  ASSIGN(Tensor aligned, value.aligned());
  call.set(0, std::move(aligned));
  return {};
}

}  // namespace

extern const Operator constant = {
    .name = "Constant",
    .doc = "A value that the node itself holds.",
    .outputs = {{.name = "output",
                 .types = floats(13) | since(9, kClassic) | since(19, kFloat8) | kPackedTypes}},
    .attributes = {{.name = "value", .fallback = kMustBeThere, .until = 10},
                   {.name = "value", .since = 11},
                   {.name = "sparse_value", .since = 11},
                   {.name = "value_float", .since = 12},
                   {.name = "value_floats", .since = 12},
                   {.name = "value_int", .since = 12},
                   {.name = "value_ints", .since = 12},
                   {.name = "value_string", .since = 12},
                   {.name = "value_strings", .since = 12}},
    .revisions = {9, 13, 19, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
