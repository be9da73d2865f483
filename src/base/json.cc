// Json values, and the JSON reader and writer; nlohmann's SAX parser stays inside this file.
#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace godwit {
namespace {

constexpr std::size_t kMostDepth = 256;

// Builds our value from the parser's events, with a stack of open containers.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return put({}); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(value); }
  bool number_unsigned(std::uint64_t value) override {
    return value <= INT64_MAX ? put(static_cast<std::int64_t>(value))
                              : put(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) override { return put(value); }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    keys_.back() = std::move(value);
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception& e) override {
    byte_ = byte;
    const std::string_view what = e.what();
    const std::size_t colon = what.rfind(": ");
    reason_ = colon == std::string_view::npos ? what : what.substr(colon + 2);
    return false;
  }

  Json root;
  std::size_t byte() const { return byte_; }
  const std::string& reason() const { return reason_; }

 private:
  bool open(Json container) {
    if (open_.size() == kMostDepth) {
      reason_ = format("nested deeper than {} levels", kMostDepth);
      return false;
    }
    open_.push_back(std::move(container));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    Json done = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return put(std::move(done));
  }
  bool put(Json value) {
    if (open_.empty()) {
      root = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().add(std::move(value));
    } else {
      // Appended unchecked: looking for a double key would make large objects quadratic.
      open_.back().append_member(std::move(keys_.back()), std::move(value));
    }
    return true;
  }

  std::vector<Json> open_;
  std::vector<std::string> keys_;
  std::size_t byte_ = 0;
  std::string reason_;
};

void write_string(std::string_view text, std::string& out) {
  const std::string valid = to_valid_utf8(text);
  out += '"';
  for (const char c : valid) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          out += format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void new_line(int indent, int depth, std::string& out) {
  if (indent == 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent * depth), ' ');
}

void write_number(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    return;
  }
  std::string digits = format("{}", value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  out += digits;
}

void write(const Json& value, int indent, int depth, std::string& out);

void write_items(const Json::Array& items, int indent, int depth, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i) out += indent ? "," : ", ";
    new_line(indent, depth + 1, out);
    write(items[i], indent, depth + 1, out);
  }
  if (!items.empty()) new_line(indent, depth, out);
  out += ']';
}

void write_members(const Json::Object& members, int indent, int depth, std::string& out) {
  out += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i) out += indent ? "," : ", ";
    new_line(indent, depth + 1, out);
    write_string(members[i].first, out);
    out += ": ";
    write(members[i].second, indent, depth + 1, out);
  }
  if (!members.empty()) new_line(indent, depth, out);
  out += '}';
}

void write(const Json& value, int indent, int depth, std::string& out) {
  if (value.is_object()) return write_members(value.members(), indent, depth, out);
  if (value.is_array()) return write_items(value.items(), indent, depth, out);
  if (value.is_string()) return write_string(value.string(), out);
  value.write_scalar(out);
}

}  // namespace

void Json::write_scalar(std::string& out) const {
  if (const auto* flag = std::get_if<bool>(&value_)) {
    out += *flag ? "true" : "false";
  } else if (const auto* whole = std::get_if<std::int64_t>(&value_)) {
    out += std::to_string(*whole);
  } else if (const auto* real = std::get_if<double>(&value_)) {
    write_number(*real, out);
  } else {
    out += "null";
  }
}

bool Json::is_number() const {
  return std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<double>(value_);
}

bool Json::boolean(bool fallback) const {
  const auto* value = std::get_if<bool>(&value_);
  return value ? *value : fallback;
}

std::int64_t Json::integer(std::int64_t fallback) const {
  const auto* value = std::get_if<std::int64_t>(&value_);
  return value ? *value : fallback;
}

double Json::number(double fallback) const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value_);
  return real ? *real : fallback;
}

std::string_view Json::string(std::string_view fallback) const {
  const auto* value = std::get_if<std::string>(&value_);
  return value ? std::string_view(*value) : fallback;
}

const Json::Array& Json::items() const {
  static const Array kNone;
  const auto* value = std::get_if<Array>(&value_);
  return value ? *value : kNone;
}

const Json::Object& Json::members() const {
  static const Object kNone;
  const auto* value = std::get_if<Object>(&value_);
  return value ? *value : kNone;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNull;
  const Object& all = members();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Member& m) { return m.first == key; });
  return found == all.end() ? kNull : found->second;
}

Json& Json::set(std::string_view key, Json value) {
  if (!is_object()) value_ = Object{};
  Object& all = std::get<Object>(value_);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Member& m) { return m.first == key; });
  if (found != all.end()) {
    found->second = std::move(value);
  } else {
    append_member(std::string(key), std::move(value));
  }
  return *this;
}

Json& Json::append_member(std::string key, Json value) {
  return std::get<Object>(value_).emplace_back(std::move(key), std::move(value)).second;
}

Json& Json::add(Json value) {
  if (!is_array()) value_ = Array{};
  return std::get<Array>(value_).emplace_back(std::move(value));
}

std::string Json::dump(int indent) const {
  std::string out;
  write(*this, indent, 0, out);
  return out;
}

Result<Json> parse_json(std::string_view text, std::string_view name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Builder builder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.root);
  return fail("E012",
              {.file = std::string(name), .byte = static_cast<std::int64_t>(builder.byte())},
              {{"reason", builder.reason()}});
}

}  // namespace godwit
