// Attributes with the defaults of the signature, and the errors of operators.
#include "ops/site.h"

#include <algorithm>

#include "base/text.h"
#include "diag/messages.h"

namespace godwit::ops {

template <class T>
const T* Site::given(std::string_view name) const {
  const ir::Attribute* const row = node_.attribute(name);
  return row ? std::get_if<T>(&row->value) : nullptr;
}

const AttributeSpec* Site::spec(std::string_view name) const {
  for (const AttributeSpec& row : op_.attributes) {
    if (row.name == name && opset() >= row.since && opset() <= row.until) return &row;
  }
  return nullptr;
}

namespace {

template <class T>
T fallback_of(const AttributeSpec* spec) {
  const T* const value = spec ? std::get_if<T>(&spec->fallback) : nullptr;
  return value ? *value : T{};
}

}  // namespace

bool Site::has(std::string_view name) const { return node_.attribute(name) != nullptr; }

std::int64_t Site::integer(std::string_view name) const {
  const auto* const value = given<std::int64_t>(name);
  return value ? *value : fallback_of<std::int64_t>(spec(name));
}

float Site::number(std::string_view name) const {
  const auto* const value = given<float>(name);
  return value ? *value : fallback_of<float>(spec(name));
}

std::string_view Site::text(std::string_view name) const {
  const auto* const value = given<std::string>(name);
  return value ? std::string_view(*value) : fallback_of<std::string_view>(spec(name));
}

Ints Site::integers(std::string_view name) const {
  const auto* const value = given<Ints>(name);
  if (value) return *value;
  const auto fallback = fallback_of<AttributeSpec::List>(spec(name));
  return {fallback.begin(), fallback.end()};
}

Floats Site::numbers(std::string_view name) const {
  const auto* const value = given<Floats>(name);
  return value ? *value : Floats();
}

std::vector<std::string> Site::texts(std::string_view name) const {
  const auto* const value = given<std::vector<std::string>>(name);
  return value ? *value : std::vector<std::string>();
}

const ir::Tensor* Site::tensor(std::string_view name) const {
  const auto* const value = given<std::shared_ptr<const ir::Tensor>>(name);
  return value ? value->get() : nullptr;
}

std::optional<ir::GraphId> Site::subgraph(std::string_view name) const {
  const auto* const value = given<ir::Subgraph>(name);
  return value ? std::optional(value->graph) : std::nullopt;
}

Result<std::size_t> Site::axis(std::int64_t value, std::size_t rank) const {
  const auto size = static_cast<std::int64_t>(rank);
  if (value < -size || value >= size) {
    return refuse("axis", {{"axis", format("{}", value)}, {"rank", format("{}", rank)}});
  }
  return static_cast<std::size_t>(value < 0 ? value + size : value);
}

Result<std::vector<std::size_t>> Site::axes(const Ints& list, std::size_t rank) const {
  std::vector<std::size_t> out;
  for (const std::int64_t one : list) {
    ASSIGN(const std::size_t counted, axis(one, rank));
    out.push_back(counted);
  }
  std::sort(out.begin(), out.end());
  if (std::adjacent_find(out.begin(), out.end()) != out.end())
    return refuse("axis_twice", {{"axes", ir::to_string(list)}});
  return out;
}

Result<std::size_t> Site::ones_behind(std::size_t first_rank, std::size_t second_rank) const {
  if (opset() >= 7 || !flag("broadcast") || !has("axis")) return 0;
  ASSIGN(const std::size_t from, axis("axis", first_rank));
  if (from + second_rank > first_rank) {
    return refuse("axis", {{"axis", format("{}", from)}, {"rank", format("{}", first_rank)}});
  }
  return first_rank - from - second_rank;
}

tl::unexpected<Error> Site::refuse(std::string_view what, Args args) const {
  const std::string reason = diag::text(format("ops.{}", what), args);
  return fail("E151", {},
              {{"op", std::string(op_.name)},
               {"node", to_valid_utf8(node_.name.empty() ? node_.op : node_.name)},
               {"reason", reason}});
}

}  // namespace godwit::ops
