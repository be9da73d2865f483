// Reads the rows of the profile, and fills the places of its texts.
#include "support_table.h"

#include <array>
#include <unordered_map>

#include <c10/util/Exception.h>

namespace godwit {
namespace {

using c10::ScalarType;

struct Code {
  const char* code;
  ScalarType type;
};
const std::array<Code, 13> kCodes = {{{"fp16", ScalarType::Half},
                                      {"fp32", ScalarType::Float},
                                      {"fp64", ScalarType::Double},
                                      {"bf16", ScalarType::BFloat16},
                                      {"i64", ScalarType::Long},
                                      {"i32", ScalarType::Int},
                                      {"i16", ScalarType::Short},
                                      {"i8", ScalarType::Char},
                                      {"u8", ScalarType::Byte},
                                      {"b", ScalarType::Bool},
                                      {"c64", ScalarType::ComplexFloat},
                                      {"c128", ScalarType::ComplexDouble},
                                      {"c32", ScalarType::ComplexHalf}}};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Support support_of(const std::string& word) {
  static const std::unordered_map<std::string, Support> words = {
      {"supported", Support::kSupported},       {"framework", Support::kFramework},
      {"undocumented", Support::kUndocumented}, {"aclop_or_undocumented", Support::kSupported},
      {"aclop_only", Support::kSupported},      {"aicpu", Support::kAicpu},
      {"cpu_fallback", Support::kCpuFallback},  {"partial", Support::kPartial},
      {"blocked", Support::kBlocked},           {"blocked_backward", Support::kBlocked}};
  const auto found = words.find(word);
  return found == words.end() ? Support::kUnknown : found->second;
}

uint64_t types_of(const std::string& text) {
  uint64_t types = 0;
  for (const std::string& name : split(text, '|'))
    for (const Code& each : kCodes)
      if (name == each.code) types |= uint64_t{1} << static_cast<unsigned>(each.type);
  return types;
}

std::unordered_map<std::string, std::string>& texts() {
  static auto* const all = new std::unordered_map<std::string, std::string>;
  return *all;
}

}  // namespace

std::pair<std::string, Row> read_row(const std::string& line) {
  const std::vector<std::string> cells = split(line, '\t');
  TORCH_CHECK(cells.size() == 7, "a row of the profile has ", cells.size(), " cells: ", line);
  Row row;
  row.on = {support_of(cells[1]), types_of(cells[3]), cells[3], cells[5]};
  row.off = {support_of(cells[2]), types_of(cells[4]), cells[4], cells[6]};
  return {cells[0], row};
}

std::string code_of(ScalarType type) {
  for (const Code& each : kCodes)
    if (each.type == type) return each.code;
  return {};
}

void set_texts(const std::vector<std::string>& keys, const std::vector<std::string>& given) {
  for (size_t i = 0; i < keys.size() && i < given.size(); ++i) texts()[keys[i]] = given[i];
}

std::string say(const std::string& key, const Places& places) {
  const auto found = texts().find(key);
  std::string text = found == texts().end() ? key : found->second;
  for (const auto& [name, value] : places) {
    const std::string place = "{" + name + "}";
    for (size_t at = text.find(place); at != std::string::npos;
         at = text.find(place, at + value.size()))
      text.replace(at, place.size(), value);
  }
  return text;
}

}  // namespace godwit
