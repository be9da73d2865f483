// Casts between numbers of every type and texts.
#include "ops/cast.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/text.h"

namespace godwit::ops {
namespace {

using Scale = CastRules::Scale;

// float8e8m0 holds powers of two only, from 2^-127 to 2^127.
constexpr int kLeastExponent = -127, kGreatestExponent = 127;
constexpr std::uint8_t kScaleNan = 0xff;

std::uint8_t encode_scale(double value, const CastRules& rules) {
  const bool saturates = rules.overflow == ir::Overflow::kSaturate;
  if (std::isnan(value) || value < 0) return kScaleNan;
  if (value == 0) return saturates ? 0 : kScaleNan;
  if (std::isinf(value)) return saturates ? kScaleNan - 1 : kScaleNan;
  int exponent = std::ilogb(value);
  const double fraction = std::ldexp(value, -exponent);  // in [1, 2)
  const bool goes_up = rules.scale == Scale::kUp ? fraction > 1 : fraction >= 1.5;
  if (rules.scale != Scale::kDown && goes_up) ++exponent;
  const int held = std::clamp(exponent, kLeastExponent, kGreatestExponent);
  if (held != exponent && !saturates) return kScaleNan;
  return static_cast<std::uint8_t>(held - kLeastExponent);
}

bool is_whole(ElementType type) { return is_integer(type) || type == ElementType::kBool; }

// Whole numbers keep their low bits, and are not taken through a float.
void store_whole(ElementType type, std::byte* data, std::size_t index, std::int64_t value) {
  const std::uint32_t width = ir::bits(type);
  auto low = static_cast<std::uint64_t>(value);
  if (type == ElementType::kBool) low = low != 0;
  if (width < 8) low &= (1u << width) - 1;
  for (std::uint32_t byte = 0; byte < ir::bytes_in_memory(type); ++byte)
    data[index * ir::bytes_in_memory(type) + byte] = static_cast<std::byte>(low >> (8 * byte));
}

// As numpy writes numbers: the shortest digits that give the value back, and a point in a float.
std::string to_text(ElementType type, const std::byte* data, std::size_t index) {
  if (type == ElementType::kBool) return ir::integer_at(type, data, index) ? "True" : "False";
  if (type == ElementType::kUint64)
    return format("{}", static_cast<std::uint64_t>(ir::integer_at(type, data, index)));
  if (is_integer(type)) return format("{}", ir::integer_at(type, data, index));
  const double value = ir::number_at(type, data, index);
  std::string out =
      type == ElementType::kDouble ? format("{}", value) : format("{}", static_cast<float>(value));
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  return out;
}

// strtod knows "inf" and "nan" in any case; the program never leaves the "C" locale.
Result<double> from_text(const Site& site, const std::string& text) {
  const std::string word(trim(text));
  char* end = nullptr;
  const double out = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || static_cast<std::size_t>(end - word.c_str()) != word.size())
    return site.refuse("no_number", {{"text", to_valid_utf8(text)}});
  return out;
}

Result<Tensor> cast_to_text(const Tensor& from) {
  ASSIGN(Tensor out, Tensor::make(ElementType::kString, from.dims()));
  const std::span<std::string> texts = out.mutable_values<std::string>();
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = to_text(from.type(), from.data(), i);
  return out;
}

Status cast_text(const Site& site, const Tensor& from, Tensor& to, const CastRules& rules) {
  const std::span<const std::string> texts = from.values<std::string>();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto whole = parse_integer(texts[i]);
    if (whole && is_whole(to.type())) {
      store_whole(to.type(), to.mutable_data(), i, *whole);
      continue;
    }
    ASSIGN(const double value, from_text(site, texts[i]));
    store_cast(to.type(), to.mutable_data(), i, value, rules);
  }
  return {};
}

}  // namespace

Result<CastRules> read_cast_rules(const Site& site) {
  CastRules out;
  if (site.opset() >= 19 && !site.flag("saturate")) out.overflow = ir::Overflow::kToInfinity;
  const std::string_view mode = site.text("round_mode");
  if (mode == "down")
    out.scale = Scale::kDown;
  else if (mode == "nearest")
    out.scale = Scale::kNearest;
  else if (mode != "up" && !mode.empty())
    return site.refuse("attribute", {{"name", "round_mode"}, {"value", to_valid_utf8(mode)}});
  return out;
}

void store_cast(ElementType type, std::byte* data, std::size_t index, double value,
                const CastRules& rules) {
  if (type == ElementType::kFloat8E8M0) {
    data[index] = static_cast<std::byte>(encode_scale(value, rules));
    return;
  }
  const bool is_small = ir::bits(type) <= 8;
  ir::store(type, data, index, value, is_small ? rules.overflow : ir::Overflow::kToInfinity);
}

Result<Tensor> cast(const Site& site, const Tensor& from, ElementType to, const CastRules& rules) {
  const bool is_text = from.type() == ElementType::kString;
  const auto is_number = [](ElementType type) { return is_floating(type) || is_whole(type); };
  if (from.type() == to) return from;
  if (!is_number(from.type()) && !is_text)
    return site.refuse("type", {{"type", std::string(ir::name(from.type()))}});
  if (to == ElementType::kString) return cast_to_text(from);
  if (!is_number(to)) return site.refuse("type", {{"type", std::string(ir::name(to))}});
  ASSIGN(Tensor out, Tensor::make(to, from.dims()));
  if (is_text) {
    TRY(cast_text(site, from, out, rules));
    return out;
  }
  const auto count = static_cast<std::size_t>(from.count());
  const bool stays_whole = is_whole(from.type()) && is_whole(to);
  for (std::size_t i = 0; i < count; ++i) {
    if (stays_whole)
      store_whole(to, out.mutable_data(), i, ir::integer_at(from.type(), from.data(), i));
    else
      store_cast(to, out.mutable_data(), i, ir::number_at(from.type(), from.data(), i), rules);
  }
  return out;
}

}  // namespace godwit::ops
