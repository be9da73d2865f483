// Json: the one value type for documents, whether they come from JSON or TOML, and its writer.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace godwit {

/// A JSON value. Objects keep the order of their members, so what we write is deterministic.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;  // null
  Json(bool value) : value_(value) {}
  Json(int value) : value_(std::int64_t{value}) {}
  Json(std::int64_t value) : value_(value) {}
  Json(std::uint32_t value) : value_(std::int64_t{value}) {}
  Json(std::size_t value) : value_(static_cast<std::int64_t>(value)) {}
  Json(double value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  static Json array() { return Json(Array{}); }
  static Json object() { return Json(Object{}); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_number() const;

  /// The value as this type, or the fallback when it is of another type.
  bool boolean(bool fallback = false) const;
  std::int64_t integer(std::int64_t fallback = 0) const;
  double number(double fallback = 0) const;
  std::string_view string(std::string_view fallback = {}) const;
  /// Items or members; empty when the value is of another type.
  const Array& items() const;
  const Object& members() const;

  /// Member of an object, or a null value.
  const Json& operator[](std::string_view key) const;
  /// Sets a member (added when missing; null becomes an object) and gives the object itself.
  Json& set(std::string_view key, Json value);
  /// Appends to an array; makes a null value an array.
  Json& add(Json value);

  /// Text. `indent` 0: one line. Bytes that are not UTF-8 are written as U+FFFD; NaN and
  /// infinities, which JSON lacks, as strings.
  std::string dump(int indent = 0) const;

  bool operator==(const Json&) const = default;

  /// For readers and writers only: appends without looking for the key; writes a value that is
  /// neither text nor a container.
  Json& append_member(std::string key, Json value);
  void write_scalar(std::string& out) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

/// Errors: E012 with byte offset and reason; nesting deeper than 256 is refused.
Result<Json> parse_json(std::string_view text, std::string_view name);

/// Errors: E013 with line, column and reason.
Result<Json> parse_toml(std::string_view text, std::string_view name);

}  // namespace godwit
