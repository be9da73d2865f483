// The TOML reader; toml++ stays inside this file.
// toml++ 3.3 asserts, and with NDEBUG lets the compiler assume, that a key starts right behind "[";
// "[=" is not so. Without the assertion its own error of that case is reached.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

#include <sstream>

#include "base/json.h"
#include "base/text.h"

namespace godwit {
namespace {

Json to_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json object = Json::object();
    for (const auto& [key, value] : *table)
      object.append_member(std::string(key.str()), to_json(value));
    return object;
  }
  if (const auto* array = node.as_array()) {
    Json items = Json::array();
    for (const auto& value : *array) items.add(to_json(value));
    return items;
  }
  if (const auto* text = node.as_string()) return Json(text->get());
  if (const auto* whole = node.as_integer()) return Json(whole->get());
  if (const auto* real = node.as_floating_point()) return Json(real->get());
  if (const auto* flag = node.as_boolean()) return Json(flag->get());
  std::ostringstream text;  // dates and times, which we only ever show
  if (const auto* date = node.as_date()) text << date->get();
  if (const auto* time = node.as_time()) text << time->get();
  if (const auto* both = node.as_date_time()) text << both->get();
  return Json(text.str());
}

}  // namespace

Result<Json> parse_toml(std::string_view text, std::string_view name) {
  const toml::parse_result parsed = toml::parse(text);
  if (parsed) return to_json(parsed.table());
  const toml::source_position at = parsed.error().source().begin;
  return fail("E013", {.file = std::string(name), .line = at.line, .column = at.column},
              {{"reason", std::string(parsed.error().description())}});
}

}  // namespace godwit
