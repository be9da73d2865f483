// Verdict on a torch API: the overloads behind it, in inference or training, and the pages about
// it.
#include "facts/eager.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "facts/host.h"
#include "facts/model_parts.h"
#include "facts/observed.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

struct Need {
  std::string overload{};
  bool backward = false;
  bool always = true;
};

// "nn.LogSigmoid", "logsigmoid" and "aten::log_sigmoid" are one name.
std::string plain(std::string_view name) { return to_lower(replace_all(name, "_", "")); }

bool is_own_name(std::string_view overload, std::string_view api) {
  const std::string_view base = overload.substr(overload.find("::") + 2);
  return plain(base.substr(0, base.find('.'))) == plain(api.substr(api.rfind('.') + 1));
}

bool has_own(const Table& apis, std::size_t row, std::string_view column) {
  const auto own = split_list(cell(apis, row, column));
  return std::any_of(own.begin(), own.end(), [&](std::string_view overload) {
    return is_own_name(overload, cell(apis, row, "api"));
  });
}

void add_needs(const Table& apis, std::size_t row, bool backward, std::vector<Need>& needs) {
  const std::string_view api = cell(apis, row, "api");
  const auto own = split_list(cell(apis, row, backward ? "npu_backward" : "npu_forward"));
  const auto always = split_list(cell(apis, row, backward ? "backward_always" : "forward_always"));
  // A composite that torch_npu implements under the API's own name replaces the decomposition.
  for (const std::string_view overload : own) {
    if (!is_own_name(overload, api)) continue;
    needs.push_back({std::string(overload), backward, true});
    return;
  }
  // Behind such a composite the measured gradient is a guess: another one may stand there.
  const bool guess = backward && has_own(apis, row, "npu_forward");
  for (const std::string_view overload :
       split_list(cell(apis, row, backward ? "backward" : "forward"))) {
    const bool every = !guess && std::find(always.begin(), always.end(), overload) != always.end();
    needs.push_back({std::string(overload), backward, every});
  }
  for (const std::string_view overload : own)
    needs.push_back({std::string(overload), backward, false});
}

// One API has several rows: forms of the call, or strategies of an optimizer. The plain one counts.
std::size_t pick_variant(const Table& apis, std::span<const std::uint32_t> rows) {
  const auto rank = [&](std::size_t row) {
    const std::string_view variant = cell(apis, row, "variant");
    if (cell(apis, row, "samples") == "0") return 0;
    if (variant == "step:default") return 3;
    return contains(variant, ":") ? 1 : 2;
  };
  std::size_t best = rows.front();
  for (const std::uint32_t row : rows) {
    if (rank(row) > rank(best)) best = row;
  }
  return best;
}

bool is_host_only(const Table& apis, std::size_t row) {
  const std::string_view variant = cell(apis, row, "variant");
  return contains(cell(apis, row, "notes"), "no device operator") || variant == "host" ||
         variant == "context" || variant == "engine" ||
         (variant == "util" && cell(apis, row, "forward").empty());
}

bool is_bad(Verdict verdict) { return verdict == Verdict::kBlocked; }

// The sum over the overloads: what every call needs decides; what some calls need makes it partial.
void summarise(EagerVerdict& v) {
  Verdict always = Verdict::kSupported, sometimes = Verdict::kSupported;
  for (const OverloadVerdict& part : v.overloads) {
    const Verdict own =
        part.backward && is_bad(part.verdict) ? Verdict::kBlockedBackward : part.verdict;
    if (own == Verdict::kFramework) continue;
    (part.always ? always : sometimes) = worst(part.always ? always : sometimes, own);
  }
  const bool some_fail = sometimes == Verdict::kBlocked || sometimes == Verdict::kBlockedBackward;
  v.verdict = worst(always, some_fail ? Verdict::kPartial : sometimes);
  for (const OverloadVerdict& part : v.overloads) {
    const Verdict own =
        part.backward && is_bad(part.verdict) ? Verdict::kBlockedBackward : part.verdict;
    const bool partly =
        v.verdict == Verdict::kPartial && !part.always && own >= Verdict::kBlockedBackward;
    if (v.verdict > Verdict::kFramework && (own == v.verdict || partly))
      v.offenders.push_back(part.overload);
  }
}

Status judge_needs(std::vector<Need> needs, const Soc& soc, const EagerOptions& o,
                   EagerVerdict& v) {
  std::set<std::pair<std::string, bool>> seen;
  for (Need& need : needs) {
    if (!seen.insert({need.overload, need.backward}).second) continue;
    ASSIGN(OverloadVerdict part, overload_verdict(need.overload, soc, o));
    part.backward = need.backward;
    part.always = need.always;
    v.overloads.push_back(std::move(part));
  }
  summarise(v);
  return {};
}

// The page of a native API covers A2, A3 and 950; its "no" is a warning, never a verdict.
Status add_native_page(std::string_view api, const Soc& soc, EagerVerdict& v) {
  ASSIGN(const Table* const pages, table("api/torch.tsv", {"api"}));
  const auto found = pages->find(pages->column("api"), api);
  if (found.empty() || !pages->has_column(soc.family)) return {};
  const std::string_view says = cell(*pages, found.front(), soc.family);
  const std::string_view limits = cell(*pages, found.front(), "restrictions");
  if (says.empty()) return {};
  v.evidence.push_back({.layer = Layer::kOfficial,
                        .table = "api/torch.tsv",
                        .subject = std::string(api),
                        .says = limits.empty() ? std::string(says) : format("{}; {}", says, limits),
                        .source = std::string(cell(*pages, found.front(), "source")),
                        .at = std::string(cell(*pages, found.front(), "at"))});
  // Where the operators say nothing, the promise for this very chip speaks.
  if (v.verdict == Verdict::kUnknown && says == "yes") v.verdict = Verdict::kSupported;
  v.conflict = v.conflict || (v.known && says == "no" && v.verdict <= Verdict::kUndocumented);
  v.known = true;
  return {};
}

std::vector<Need> custom_overloads(const Table& aten, std::string_view name) {
  std::vector<Need> needs;
  const std::string base = format("npu::{}", name);
  if (!aten.find(aten.column("op"), base).empty()) needs.push_back({base, false, true});
  return needs;
}

// torch_npu's own APIs: the operator of that name, and the page.
Status judge_custom(std::string_view api, const Soc& soc, const EagerOptions& o, EagerVerdict& v) {
  ASSIGN(const Table* const aten, table("api/aten.tsv", {"op"}));
  const std::vector<Need> needs = custom_overloads(*aten, api.substr(api.rfind('.') + 1));
  if (!needs.empty()) {
    v.known = true;
    TRY(judge_needs(needs, soc, o, v));
  }
  ASSIGN(const Table* const pages, table("api/torch_npu_custom.tsv", {"api"}));
  const auto found = pages->find(pages->column("api"), api);
  if (found.empty() || !pages->has_column(soc.family)) return {};
  const std::uint32_t row = found.front();
  const std::string_view says = cell(*pages, row, soc.family);
  v.evidence.push_back({.layer = Layer::kOfficial,
                        .table = "api/torch_npu_custom.tsv",
                        .subject = std::string(api),
                        .says = std::string(says),
                        .source = std::string(cell(*pages, row, "source")),
                        .at = std::string(cell(*pages, row, "at"))});
  if (!v.known) v.verdict = says == "yes" ? Verdict::kSupported : Verdict::kUnknown;
  const bool runs = v.known && v.verdict < Verdict::kCpuFallback;
  v.conflict = v.known && (says == "yes") != runs && v.verdict != Verdict::kUnknown;
  v.known = true;
  return {};
}

}  // namespace

Result<EagerVerdict> eager_verdict(std::string_view api, const Soc& soc,
                                   const EagerOptions& options) {
  EagerVerdict v{.api = std::string(api)};
  if (api.starts_with("torch_npu.") || api.starts_with("torch.npu.") ||
      api.starts_with("torch.ops.npu.")) {
    TRY(judge_custom(api, soc, options, v));
    return v;
  }
  ASSIGN(const std::optional<std::string> name, resolve_api(api));
  if (name) {
    v.api = *name;
    ASSIGN(const Table* const apis, table("api/torch_to_aten.tsv", {"api"}));
    const std::size_t row = pick_variant(*apis, apis->find(apis->column("api"), *name));
    std::vector<Need> needs;
    add_needs(*apis, row, false, needs);
    if (options.mode == Mode::kTraining) add_needs(*apis, row, true, needs);
    v.known = !needs.empty() || is_host_only(*apis, row) || cell(*apis, row, "samples") != "0";
    TRY(judge_needs(std::move(needs), soc, options, v));
    if (!v.known)
      v.verdict = Verdict::kUnknown;
    else if (v.overloads.empty())
      v.verdict = Verdict::kFramework;
  }
  TRY(add_native_page(v.api, soc, v));
  TRY(judge_model(soc, options, v));
  TRY(judge_host(v));
  TRY(add_reports(v.api.substr(v.api.rfind('.') + 1), v.evidence));
  return v;
}

}  // namespace godwit::facts
