// Settings of the library that change rounding or order: TF32, deterministic algorithms,
// environment variables.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Json without_types(const Json& precision) {
  Json kept = Json::object();
  for (const auto& [key, value] : precision.members()) {
    if (key != "autocast" && key != "default_dtype") kept.set(key, value);  // C104
  }
  return kept;
}

Verdict run(const Pair& pair, Findings& findings) {
  if (pair.a.precision.is_null() || pair.b.precision.is_null()) return Verdict::kUnknown;
  std::vector<std::string> what =
      differing(without_types(pair.a.precision), without_types(pair.b.precision));
  const Json& a = pair.a.header["environment"]["variables"];
  const Json& b = pair.b.header["environment"]["variables"];
  for (std::string& one : differing(a, b)) what.push_back(std::move(one));
  if (what.empty()) return Verdict::kSame;
  findings.push_back(
      finding("C112", diag::Severity::kNote, pair, 0, {{"found", join(what, "; ")}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check settings = {.code = "C112", .run = run};

}  // namespace godwit::baseline::checks
