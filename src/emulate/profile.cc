// Puts the device profile together and checks what the user asks of the device.
#include "emulate/profile.h"

#include <array>
#include <cmath>
#include <filesystem>

#include "base/resources.h"
#include "base/text.h"
#include "base/version.h"
#include "diag/messages.h"
#include "facts/numerics.h"
#include "facts/overlay.h"

namespace godwit::emulate {
namespace {

constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20, kMostBytes = std::uint64_t{1} << 50;

Result<std::int64_t> choose_cards(const Options& o, const facts::Target& target) {
  if (o.cards.empty()) return target.devices;
  const auto number = parse_integer(o.cards);
  if (number && *number >= 1 && *number <= kMostCards) return *number;
  return fail("E240", {}, {{"found", o.cards}, {"most", std::to_string(kMostCards)}});
}

Result<std::uint64_t> choose_memory(const Options& o, const facts::Target& target) {
  if (o.memory.empty()) {
    if (target.memory() != 0) return target.memory();
    return fail("E242", {}, {{"chip", target.soc.soc_version}});
  }
  if (const auto bytes = parse_bytes(o.memory)) return *bytes;
  return fail("E241", {}, {{"found", o.memory}});
}

Json describe(const facts::Target& target, const std::string& asked) {
  Json abilities = Json::object();
  for (const auto& [name, ability] : target.soc.abilities) abilities.set(name, ability.value);
  Json soc = Json::object();
  soc.set("asked", asked)
      .set("name", target.soc.soc_version)
      .set("family", target.soc.family)
      .set("product", target.product)
      .set("understood", target.understood())
      .set("ai_cores", target.soc.sizes.ai_cores)
      .set("abilities", std::move(abilities));
  return soc;
}

// A family whose numerics nobody described is emulated without; that is said, not guessed.
Result<Json> numerics_of(const Options& o, const facts::Soc& soc) {
  Json numerics = Json::object();
  auto known = facts::numerics(soc.family);
  if (!known && known.error().code != "E170") return tl::unexpected(known.error());
  numerics.set("known", known.has_value());
  numerics.set("on", o.numerics != "off" && known.has_value());
  Json cells = Json::object();
  if (known) {
    for (const facts::NumericsCell& cell : known->cells) cells.set(cell.cell, cell.value);
  }
  numerics.set("cells", std::move(cells));
  return numerics;
}

std::string_view language() { return diag::language() == diag::Language::kChinese ? "zh" : "en"; }

// What the device says at run time, with its {places}: the Python side has no texts of its own.
Result<Json> texts() {
  const std::string name = format("messages/{}/ui.toml", language());
  ASSIGN(const std::string text, resource(name));
  ASSIGN(const Json all, parse_toml(text, name));
  return all["emulate_text"];
}

std::string absolute(const std::string& path) {
  std::error_code code;
  const auto whole = std::filesystem::absolute(path, code);
  return path.empty() || code ? path : whole.string();
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  std::string_view digits = text.substr(0, text.find_first_not_of("0123456789."));
  std::string unit = to_lower(text.substr(digits.size()));
  for (const std::string_view tail : {"ib", "b"}) {
    if (unit.ends_with(tail)) {
      unit.erase(unit.size() - tail.size());
      break;
    }
  }
  constexpr std::string_view kUnits = "kmgt";
  const std::size_t power = unit.empty() ? 0 : kUnits.find(unit) + 1;
  if (unit.size() > 1 || (!unit.empty() && power == 0)) return std::nullopt;
  const auto number = parse_number(digits);
  if (!number) return std::nullopt;
  const double bytes = std::ldexp(*number, static_cast<int>(10 * power));
  if (!(bytes >= double(kLeastBytes) && bytes <= double(kMostBytes))) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

Result<std::optional<std::int64_t>> parse_steps(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto steps = parse_integer(text);
  if (!steps || *steps < 1) return fail("E250", {}, {{"text", std::string(text)}});
  return *steps;
}

Status check_options(const Options& o) {
  ASSIGN(const facts::Target target, facts::resolve_target(o.to));
  TRY(choose_cards(o, target));
  TRY(choose_memory(o, target));
  TRY(parse_fault(o.fault));
  TRY(parse_steps(o.steps));
  return {};
}

Result<Json> device_profile(const Options& o) {
  ASSIGN(const facts::Target target, facts::resolve_target(o.to));
  const facts::Soc& soc = target.soc;
  ASSIGN(const std::int64_t cards, choose_cards(o, target));
  ASSIGN(const std::uint64_t memory, choose_memory(o, target));
  ASSIGN(const Release release, choose_torch_npu(o.torch_npu, o.torch));
  Json profile = Json::object();
  profile.set("format", "godwit-device-profile").set("version", 1).set("godwit", version());
  profile.set("language", language());
  profile.set("soc", describe(target, o.to));
  profile.set("cards", cards).set("memory", static_cast<std::int64_t>(memory));
  profile.set("missing", o.missing.empty() ? "error" : o.missing);
  profile.set("report", absolute(o.report));
  ASSIGN(Json fault, parse_fault(o.fault));
  ASSIGN(const std::optional<std::int64_t> steps, parse_steps(o.steps));
  if (steps) profile.set("steps", *steps);
  profile.set("fault", std::move(fault)).set("traffic", absolute(o.traffic));
  profile.set("torch", o.torch);
  profile.set("torch_npu", Json::object().set("release", release.wanted).set("read", release.read));
  if (const auto overlay = facts::overlay_folder()) profile.set("overlay", overlay->string());
  struct Part {
    std::string_view key;
    Result<Json> value;
  };
  std::array<Part, 10> parts = {{{"numerics", numerics_of(o, soc)},
                                 {"defaults", defaults(soc)},
                                 {"autocast", autocast_policies()},
                                 {"operators", operators(soc, o.torch)},
                                 {"cpu_fallback", cpu_fallbacks(release.read)},
                                 {"hccl", collectives(soc)},
                                 {"names", names(release.read)},
                                 {"patches", patched_names(release.read)},
                                 {"schemas", custom_schemas(release.read)},
                                 {"texts", texts()}}};
  for (Part& part : parts) {
    TRY(part.value);
    profile.append_member(std::string(part.key), *std::move(part.value));
  }
  return profile;
}

}  // namespace godwit::emulate
