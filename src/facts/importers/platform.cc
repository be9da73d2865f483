// platform_config/<SoC>.ini: sizes and rates of one chip, turned into the form of data/socs.
#include <map>

#include "base/text.h"
#include "facts/importer.h"

namespace godwit::facts::importers {
namespace {

bool claims(std::string_view path) {
  return contains(path, "platform_config/") && path.ends_with(".ini");
}

using Values = std::map<std::string, std::string, std::less<>>;  // "SoCInfo.ai_core_cnt"

Values read_ini(std::string_view text) {
  Values values;
  std::string section;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.empty() || line.starts_with(";") || line.starts_with("#")) continue;
    if (line.starts_with("[") && line.ends_with("]")) {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    values[format("{}.{}", section, trim(line.substr(0, equals)))] = trim(line.substr(equals + 1));
  }
  return values;
}

struct Field {
  std::string_view ours, theirs;
};

// Names on the right are those of the platform file.
constexpr Field kCores[] = {
    {"ai", "SoCInfo.ai_core_cnt"},         {"cube", "SoCInfo.cube_core_cnt"},
    {"vector", "SoCInfo.vector_core_cnt"}, {"ai_cpu", "SoCInfo.ai_cpu_cnt"},
    {"cube_mhz", "AICoreSpec.cube_freq"},  {"vector_mhz", "AICoreSpec.vec_freq"},
};
constexpr Field kBytes[] = {
    {"memory", "SoCInfo.memory_size"}, {"l2", "SoCInfo.l2_size"},
    {"l1", "AICoreSpec.l1_size"},      {"l0a", "AICoreSpec.l0_a_size"},
    {"l0b", "AICoreSpec.l0_b_size"},   {"l0c", "AICoreSpec.l0_c_size"},
    {"ub", "AICoreSpec.ub_size"},      {"ub_block", "AICoreSpec.ubblock_size"},
};
constexpr Field kRates[] = {
    {"ddr", "AICoreMemoryRates.ddr_rate"},
    {"l2", "AICoreMemoryRates.l2_rate"},
    {"l1_to_l0a", "AICoreMemoryRates.l1_to_l0_a_rate"},
    {"l1_to_l0b", "AICoreMemoryRates.l1_to_l0_b_rate"},
};

template <std::size_t N>
std::string table_of(std::string_view name, const Field (&fields)[N], const Values& values) {
  std::string out = format("\n[{}]\n", name);
  for (const Field& field : fields) {
    const auto found = values.find(field.theirs);
    if (found == values.end()) continue;
    const auto number = parse_integer(found->second);
    if (number && *number >= 0) out += format("{} = {}\n", field.ours, *number);
  }
  return out;
}

void read(std::string_view path, std::string_view text, Imported& into) {
  const Values values = read_ini(text);
  const auto value = [&](std::string_view key) -> std::string {
    const auto found = values.find(key);
    return found == values.end() ? std::string() : replace_all(found->second, "\"", "");
  };
  const std::string soc = value("version.SoC_version");
  const std::string family = to_lower(value("version.Short_SoC_version"));
  if (soc.empty() || family.empty()) {
    into.skipped.emplace_back(path, "E028");
    return;
  }
  std::string out = format("soc_version = \"{}\"\nsource = \"user\"\nat = \"\"\nnotes = []\n", soc);
  out += format("\n[identity]\nfamily = \"{}\"\nnpu_arch = \"{}\"\naic_version = \"{}\"\n", family,
                value("version.NpuArch"), value("version.AIC_version"));
  out += table_of("cores", kCores, values);
  out += table_of("bytes", kBytes, values);
  out += table_of("rates", kRates, values);
  if (first_invalid_utf8(out) == std::string::npos)
    into.socs[soc] = std::move(out);
  else
    into.skipped.emplace_back(path, "E028");
}

}  // namespace

extern const Importer platform = {.name = "platform", .claims = claims, .read = read};

}  // namespace godwit::facts::importers
