// Other versions of the libraries: good to know when a curve differs, and no reason not to compare.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const Json& a = pair.a.header["environment"];
  const Json& b = pair.b.header["environment"];
  if (a.is_null() || b.is_null()) return Verdict::kUnknown;
  std::vector<std::string> what = differing(a["packages"], b["packages"]);
  for (const std::string_view key : {"python", "machine"}) {
    if (!(a[key] == b[key]))
      what.push_back(format("{}: {} / {}", key, shown(a[key]), shown(b[key])));
  }
  if (what.empty()) return Verdict::kSame;
  findings.push_back(
      finding("C108", diag::Severity::kNote, pair, 0, {{"found", join(what, "; ")}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check versions = {.code = "C108", .run = run};

}  // namespace godwit::baseline::checks
