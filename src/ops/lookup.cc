// Lookups by ordered maps of the key's type.
#include "ops/lookup.h"

#include <map>
#include <optional>

#include "ops/elements.h"
#include "ops/expect.h"

namespace godwit::ops::ml {
namespace {

template <class Key>
Status look_up_as(Call& call, const Lookup& table) {
  std::map<Key, std::size_t> places;
  std::optional<std::size_t> nan;
  const std::span<const Key> keys = table.keys.values<Key>();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] != keys[i])
      nan = i;
    else
      places[keys[i]] = i;
  }
  const std::span<const Key> x = call.values<Key>(0);
  ASSIGN(Tensor* const out, call.make(0, table.values.type(), call.input(0).dims()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto found = x[i] != x[i] ? places.end() : places.find(x[i]);
    if (found != places.end())
      copy_elements(table.values, found->second, *out, i);
    else if (x[i] != x[i] && nan)
      copy_elements(table.values, *nan, *out, i);
    else
      copy_elements(table.fallback, 0, *out, i);
  }
  return {};
}

template <class T>
Tensor as_list(std::vector<T> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return Tensor::of<T>({size}, std::move(values));
}

template <class... Ts>
Status look_up_any(Call& call, const Lookup& table, Types<Ts...>) {
  Status out = call.refuse("type", {{"type", std::string(ir::name(table.keys.type()))}});
  const auto attempt = [&]<class T>() {
    if (table.keys.type() != ir::kElement<T>) return false;
    out = look_up_as<T>(call, table);
    return true;
  };
  (void)(attempt.template operator()<Ts>() || ...);
  return out;
}

}  // namespace

Status look_up(Call& call, const Lookup& table) {
  if (table.keys.count() != table.values.count())
    return refuse_shapes(call, table.keys.dims(), table.values.dims());
  if (table.keys.type() != call.input(0).type())
    return call.refuse("type", {{"type", std::string(ir::name(call.input(0).type()))}});
  if (table.fallback.count() != 1 || table.fallback.type() != table.values.type())
    return call.refuse("type", {{"type", std::string(ir::name(table.fallback.type()))}});
  return look_up_any(call, table,
                     Types<float, double, std::int16_t, std::int32_t, std::int64_t, std::string>());
}

Tensor list_of(Ints values) { return as_list(std::move(values)); }
Tensor list_of(Floats values) { return as_list(std::move(values)); }
Tensor list_of(std::vector<std::string> values) { return as_list(std::move(values)); }

}  // namespace godwit::ops::ml
