// The values of a map as a tensor, in the order of their keys.
#include <algorithm>
#include <numeric>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

ElementType made_type(const Site& site) {
  const std::string_view to = site.text("cast_to");
  return to == "TO_STRING"  ? ElementType::kString
         : to == "TO_INT64" ? ElementType::kInt64
                            : ElementType::kFloat;
}

// Where each value goes: to its key, or to the rank of its key.
Result<std::vector<std::size_t>> places_of(const Call& call, const Ints& keys, std::size_t length) {
  std::vector<std::size_t> order(keys.size()), out(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
  if (call.text("map_form") == "DENSE") return out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] < 0 || static_cast<std::size_t>(keys[i]) >= length)
      return refuse_index(call, keys[i], static_cast<std::int64_t>(length));
    out[i] = static_cast<std::size_t>(keys[i]);
  }
  return out;
}

Status evaluate(Call& call) {
  const std::string_view form = call.text("map_form"), to = call.text("cast_to");
  if (form != "DENSE" && form != "SPARSE") return refuse_attribute(call, "map_form");
  const std::vector<Datum>& map = call.datum(0).items;
  if (map.size() != 2) return refuse_empty(call, {0});
  const std::optional<Ints> keys = to_integers(map[0].tensor);
  if (!keys) return call.refuse("not_integers", {{"input", "0"}});
  const ElementType made = made_type(call);
  // How a number is written as text, and text read as a number, the standard does not say.
  const bool reads = map[1].tensor.type() == ElementType::kString;
  if (reads != (made == ElementType::kString) ||
      (to == "TO_FLOAT") != (made == ElementType::kFloat))
    return refuse_attribute(call, "cast_to");
  ASSIGN(const Tensor values, reads ? Result<Tensor>(map[1].tensor) : convert(map[1].tensor, made));
  const std::int64_t length = form == "DENSE" ? map[1].tensor.count() : call.integer("max_map");
  ASSIGN(Tensor* const out, call.make(0, made, {1, length}));
  ASSIGN(const std::vector<std::size_t> places,
         places_of(call, *keys, static_cast<std::size_t>(length)));
  for (std::size_t i = 0; i < places.size(); ++i) copy_elements(values, i, *out, places[i]);
  return {};
}

}  // namespace

extern const Operator cast_map = {
    .name = "CastMap",
    .domain = ml::kDomain,
    .doc = "The values of a map as a row, in the order of the keys or at the places they name.",
    .inputs = {{.name = "X", .types = kFloat | kString, .form = Form::kMap}},
    .outputs = {{"Y", 'U', kFloat | kInt64 | kString}},
    .attributes = {{"cast_to", "TO_FLOAT"}, {"map_form", "DENSE"}, {"max_map", 1}},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      const bool is_dense = n.text("map_form") == "DENSE";
      n.set(0, made_type(n), Shape{1, is_dense ? Dim::unknown() : Dim(n.integer("max_map"))});
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
