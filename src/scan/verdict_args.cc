// From a verdict of facts to findings.
#include "scan/verdict_args.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::scan {
namespace {

constexpr std::size_t kNamesShown = 8;

// "aten::embedding_dense_backward" reads better without its namespace.
std::string short_name(std::string_view overload) {
  return std::string(overload.starts_with("aten::") ? overload.substr(6) : overload);
}

std::string operators_of(const facts::EagerVerdict& verdict) {
  std::vector<std::string> names;
  for (const std::string& offender : verdict.offenders) names.push_back(short_name(offender));
  if (names.size() > 4) {
    names.resize(4);
    names.emplace_back("…");
  }
  return names.empty() ? verdict.api : join(names, ", ");
}

// What is not there: kernels and APIs that the offending overloads lack.
std::string missing_of(const facts::EagerVerdict& verdict) {
  std::vector<std::string> missing;
  for (const facts::OverloadVerdict& overload : verdict.overloads) {
    const auto& offenders = verdict.offenders;
    if (std::find(offenders.begin(), offenders.end(), overload.overload) == offenders.end())
      continue;
    for (const std::string& name : overload.missing) {
      if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
    }
  }
  if (missing.size() > 4) {
    missing.resize(4);
    missing.emplace_back("…");
  }
  return missing.empty() ? operators_of(verdict) : join(missing, ", ");
}

Json to_json(const facts::Evidence& evidence) {
  Json out = Json::object();
  out.set("layer", facts::to_string(evidence.layer));
  out.set("table", evidence.table);
  out.set("subject", evidence.subject);
  out.set("says", evidence.says);
  out.set("source", evidence.source);
  out.set("at", evidence.at);
  return out;
}

Args args_of(const Api& api) {
  return {{"operators", operators_of(api.eager)}, {"missing", missing_of(api.eager)}};
}

}  // namespace

bool runs_with_jit_off(const facts::EagerVerdict& verdict) {
  const auto& offenders = verdict.offenders;
  if (offenders.empty() || verdict.overloads.empty()) return false;  // a model's offenders are APIs
  return std::all_of(verdict.overloads.begin(), verdict.overloads.end(), [&](const auto& overload) {
    const bool offends =
        std::find(offenders.begin(), offenders.end(), overload.overload) != offenders.end();
    return !offends || overload.jit_off <= facts::Verdict::kAicpu;
  });
}

bool only_gradient(const facts::EagerVerdict& verdict) {
  const auto& offenders = verdict.offenders;
  if (offenders.empty() || verdict.overloads.empty()) return false;
  return std::all_of(verdict.overloads.begin(), verdict.overloads.end(), [&](const auto& overload) {
    const bool offends =
        std::find(offenders.begin(), offenders.end(), overload.overload) != offenders.end();
    return !offends || overload.backward;
  });
}

Json to_properties(const facts::EagerVerdict& verdict) {
  Json out = Json::object();
  out.set("verdict", facts::to_string(verdict.verdict));
  Json offenders = Json::array();
  for (const std::string& offender : verdict.offenders) offenders.add(offender);
  out.set("offenders", std::move(offenders));
  Json evidence = Json::array();
  for (const facts::Evidence& each : verdict.evidence) evidence.add(to_json(each));
  for (const facts::OverloadVerdict& overload : verdict.overloads) {
    const auto& all = verdict.offenders;
    if (std::find(all.begin(), all.end(), overload.overload) == all.end()) continue;
    for (const facts::Evidence& each : overload.evidence) evidence.add(to_json(each));
  }
  out.set("evidence", std::move(evidence));
  if (verdict.conflict) out.set("conflict", true);
  return out;
}

diag::Finding make_verdict(const Rule& rule, const Scene& scene, const Api& api,
                           std::string_view variant) {
  diag::Finding finding = make_finding(rule, scene, api, args_of(api), variant);
  finding.properties = to_properties(api.eager);
  return finding;
}

void add_verdict(const Rule& rule, const Scene& scene, const Api& api, std::string_view variant,
                 Findings& out) {
  const std::size_t before = out.size();
  add_at_all_places(rule, scene, api, args_of(api), variant, out);
  const Json properties = to_properties(api.eager);
  for (std::size_t i = before; i < out.size(); ++i) {
    out[i].properties = properties;
    if (api.on_device()[i - before].is_mention) {
      out[i].severity = diag::Severity::kNote;
      out[i].variant = "mention";
    }
    // The receiver of a method is not proven: the finding may be about something else.
    if (api.is_guess && out[i].severity == diag::Severity::kError)
      out[i].severity = diag::Severity::kWarning;
  }
}

void judge_every_place(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  add_verdict(rule, scene, api, runs_with_jit_off(api.eager) ? "jit" : "", out);
}

void judge_once(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  out.push_back(make_verdict(rule, scene, api, only_gradient(api.eager) ? "gradient" : ""));
}

void add_summary(const Rule& rule, const Scene& scene, const std::vector<facts::Verdict>& verdicts,
                 Findings& out) {
  std::vector<const Api*> apis;
  std::size_t places = 0;
  for (const Api& api : scene.inventory.apis()) {
    if (!api.is_judged || !api.said_by.empty() ||
        std::find(verdicts.begin(), verdicts.end(), api.eager.verdict) == verdicts.end())
      continue;
    apis.push_back(&api);
    places += api.on_device().size();
  }
  if (apis.empty()) return;
  std::stable_sort(apis.begin(), apis.end(), [](const Api* a, const Api* b) {
    return a->on_device().size() > b->on_device().size();
  });
  std::vector<std::string> names;
  Json all = Json::array();
  for (const Api* const api : apis) {
    if (names.size() < kNamesShown) names.push_back(api->name);
    all.add(api->name);
  }
  if (apis.size() > names.size()) names.emplace_back("…");
  diag::Finding finding = make_finding(rule, scene, *apis.front(),
                                       {{"count", std::to_string(apis.size())},
                                        {"places", std::to_string(places)},
                                        {"names", join(names, ", ")}});
  std::erase_if(finding.args, [](const auto& arg) { return arg.first == "api"; });
  finding.count = static_cast<std::uint32_t>(apis.size());
  finding.properties.set("apis", std::move(all));
  out.push_back(std::move(finding));
}

}  // namespace godwit::scan
