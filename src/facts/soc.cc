// Reads chips and families from data/socs and data/families; resolve_target lives in target.cc.
#include "facts/soc.h"

#include <algorithm>

#include "base/resources.h"
#include "base/text.h"
#include "diag/messages.h"
#include "facts/overlay.h"

namespace godwit::facts {
namespace {

Result<Json> read_document(const std::string& name) {
  ASSIGN(const std::optional<std::string> own, overlay_member(name));
  if (own) return parse_toml(*own, name);
  ASSIGN(const std::string text, resource(name));
  return parse_toml(text, name);
}

std::vector<std::string> stems(std::string_view folder) {
  std::vector<std::string> names;
  for (std::string name : resource_names(folder)) {
    if (!name.ends_with(".toml")) continue;
    names.push_back(name.substr(folder.size(), name.size() - folder.size() - 5));
  }
  std::sort(names.begin(), names.end());  // without ".toml" the order is another one
  return names;
}

std::uint64_t bytes(const Json& table, std::string_view key) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(table[key].integer(), 0));
}

SocSizes read_sizes(const Json& chip) {
  const Json& cores = chip["cores"];
  const Json& b = chip["bytes"];
  return {.memory = bytes(b, "memory"),
          .l2 = bytes(b, "l2"),
          .l1 = bytes(b, "l1"),
          .l0a = bytes(b, "l0a"),
          .l0b = bytes(b, "l0b"),
          .l0c = bytes(b, "l0c"),
          .ub = bytes(b, "ub"),
          .ai_cores = cores["ai"].integer(),
          .cube_cores = cores["cube"].integer(),
          .vector_cores = cores["vector"].integer(),
          .ai_cpus = cores["ai_cpu"].integer(),
          .cube_mhz = cores["cube_mhz"].integer(),
          .vector_mhz = cores["vector_mhz"].integer()};
}

Fp32Matmul to_fp32_matmul(std::string_view value) {
  if (value == "fp16") return Fp32Matmul::kFp16;
  if (value == "hf32") return Fp32Matmul::kHf32;
  return value == "fp32" ? Fp32Matmul::kFp32 : Fp32Matmul::kUnknown;
}

void read_abilities(const Json& family, Soc& soc) {
  for (const auto& [name, entry] : family.members()) {
    if (!entry.is_object()) continue;
    soc.abilities[name] = {
        std::string(entry["value"].string()), std::string(entry["basis"].string()),
        std::string(entry["source"].string()), std::string(entry["at"].string())};
  }
  const auto value = [&](std::string_view name) -> std::string_view {
    const auto found = soc.abilities.find(name);
    return found == soc.abilities.end() ? std::string_view{} : found->second.value;
  };
  soc.bf16 = to_flag(value("bf16"));
  soc.fp64 = to_flag(value("fp64"));
  soc.saturates = to_flag(value("saturates"));
  soc.training = to_flag(value("training"));
  soc.jit_compile_default = to_flag(value("jit_compile_default"));
  soc.internal_format_default = to_flag(value("internal_format_default"));
  soc.aclop = to_flag(value("aclop"));
  soc.triton = to_flag(value("triton"));
  soc.foreach_fused = to_flag(value("foreach_fused"));
  soc.bf16_api_says = to_flag(value("bf16_api_says"));
  soc.fp32_matmul = to_fp32_matmul(value("fp32_matmul"));
  soc.complex = value("complex");
  soc.precision_mode_default = value("precision_mode_default");
}

}  // namespace

std::vector<std::string> soc_versions() { return stems("socs/"); }

std::vector<std::string> families() { return stems("families/"); }

Result<Soc> load_soc(std::string_view soc_version) {
  const std::vector<std::string> known = soc_versions();
  if (!std::binary_search(known.begin(), known.end(), soc_version)) {
    const std::string found(soc_version);
    return fail("E024", {}, {{"found", found}, {"nearest", join(nearest(found, known), ", ")}});
  }
  ASSIGN(Json chip, read_document(format("socs/{}.toml", soc_version)));
  Soc soc;
  soc.soc_version = soc_version;
  soc.family = chip["identity"]["family"].string();
  soc.sizes = read_sizes(chip);
  ASSIGN(const Json family, read_document(format("families/{}.toml", soc.family)));
  soc.short_name = family["short"].string();
  const bool chinese = diag::language() == diag::Language::kChinese;
  const Json& series = family[chinese && family["series_zh"].is_array() ? "series_zh" : "series"];
  for (const Json& term : series.items()) soc.series.emplace_back(term.string());
  read_abilities(family, soc);
  soc.constants = std::move(chip);
  return soc;
}

}  // namespace godwit::facts
