// The steps of a project's scan, from open_project to figures.
#include "scan/project_scan.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "diag/messages.h"
#include "facts/versions.h"
#include "scan/driver.h"
#include "scan/installed.h"

namespace godwit::scan {
namespace {

using facts::Verdict;

constexpr std::size_t kRowsShown = 20;     // APIs in the table for people
constexpr std::size_t kPlacesListed = 50;  // places per API in JSON

// `torch_npu.npu.set_compile_mode(jit_compile=False)` decides which operators there are.
bool turns_jit_off(const project::Project& project) {
  for (const project::Module& module : project.modules) {
    for (const project::Use& use : module.uses()) {
      if (use.call == syntax::kNoNode || !module.name(use.name).ends_with("set_compile_mode"))
        continue;
      const auto value = module.argument(use.call, "jit_compile");
      if (value != syntax::kNoNode && module.tree().text(value) == "False") return true;
    }
  }
  return false;
}

bool runs(Verdict verdict) { return verdict <= Verdict::kAicpu; }

// With jit_compile on, which is the default of some chips, aclop-only APIs run as well.
bool runs_here(const Scene& scene, Verdict verdict) {
  if (verdict == Verdict::kAclopOnly)
    return facts::is_yes(scene.soc().jit_compile_default) && !scene.jit_turned_off;
  return runs(verdict);
}

void count_apis(const Scene& scene, Figures& figures) {
  for (const Api& api : scene.inventory.apis()) {
    if (!api.is_judged) continue;
    ++figures.apis;
    figures.calls += api.places.size();
    if (api.eager.verdict == Verdict::kUnknown) ++figures.unknown;
    if (!runs_here(scene, api.eager.verdict)) continue;
    ++figures.supported;
    figures.supported_calls += api.places.size();
  }
}

Json places_json(const Scene& scene, const Api& api) {
  Json places = Json::array();
  for (std::size_t i = 0; i < std::min(api.places.size(), kPlacesListed); ++i) {
    const Place place = scene.project.modules[api.places[i].module].place(api.places[i].node);
    places.add(format("{}:{}", place.file, place.line));
  }
  return places;
}

std::string_view verdict_of(const Api& api) {
  return api.is_judged ? facts::to_string(api.eager.verdict) : std::string_view("not_judged");
}

Json inventory_json(const Scene& scene) {
  Json apis = Json::array();
  for (const Api& api : scene.inventory.apis()) {
    Json one = Json::object();
    one.set("name", api.name);
    one.set("origin", to_string(api.origin));
    one.set("count", api.places.size());
    if (api.on_host > 0) one.set("on_host", api.on_host);
    one.set("verdict", verdict_of(api));
    if (api.is_guess) one.set("receiver", "not proven");
    one.set("places", places_json(scene, api));
    apis.add(std::move(one));
  }
  return apis;
}

std::string percent(std::size_t part, std::size_t whole) {
  return format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// The worst verdicts first, then the most used.
diag::Section inventory_section(const Scene& scene) {
  std::vector<const Api*> rows;
  for (const Api& api : scene.inventory.apis()) {
    if (api.is_judged && !runs_here(scene, api.eager.verdict)) rows.push_back(&api);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Api* a, const Api* b) {
    if (a->eager.verdict != b->eager.verdict) return a->eager.verdict > b->eager.verdict;
    return a->places.size() > b->places.size();
  });
  diag::Section section{.title = diag::text("scan.apis_title")};
  section.columns = {diag::text("scan.apis_verdict"), diag::text("scan.apis_uses"),
                     diag::text("scan.apis_name"), diag::text("scan.apis_place")};
  for (std::size_t i = 0; i < std::min(rows.size(), kRowsShown); ++i) {
    const Api& api = *rows[i];
    const Place place =
        scene.project.modules[api.places.front().module].place(api.places.front().node);
    section.rows.push_back({diag::text(format("verdict.{}", verdict_of(api))),
                            std::to_string(api.places.size()), api.name,
                            format("{}:{}", place.file, place.line)});
  }
  if (rows.size() > kRowsShown) {
    section.lines = {
        diag::text("scan.apis_more", {{"count", std::to_string(rows.size() - kRowsShown)}})};
  }
  return section;
}

diag::Section overview_section(const Scene& scene, const Decision& mode, const Figures& figures) {
  diag::Section section{.title = diag::text("scan.overview_title")};
  const auto files = [&] {
    std::size_t lines = 0;
    for (const project::Module& module : scene.project.modules)
      lines += module.source().line_count();
    return Args{{"files", std::to_string(scene.project.modules.size())},
                {"lines", with_thousands(lines)}};
  }();
  section.lines = {
      diag::text("scan.overview_files", files),
      diag::text("scan.overview_mode",
                 {{"mode", diag::text(mode.training ? "scan.training" : "scan.inference")},
                  {"why", mode.reason()}}),
      diag::text(figures.calls == 0 ? "scan.overview_no_apis" : "scan.overview_coverage",
                 {{"apis", std::to_string(figures.apis)},
                  {"supported", std::to_string(figures.supported)},
                  {"share", percent(figures.supported, figures.apis)},
                  {"calls", std::to_string(figures.calls)},
                  {"call_share", percent(figures.supported_calls, figures.calls)},
                  {"unknown", std::to_string(figures.unknown)}})};
  return section;
}

Json summary_json(const Scene& scene, const Decision& mode, const Figures& figures,
                  std::size_t suppressed, std::size_t skipped) {
  Json summary = Json::object();
  summary.set("files", scene.project.modules.size());
  summary.set("mode", mode.training ? "training" : "inference");
  summary.set("mode_reason", mode.reason());
  summary.set("torch_npu", scene.torch_npu);
  summary.set("suppressed", suppressed);
  summary.set("texts_not_read", skipped);
  Json coverage = Json::object();
  coverage.set("apis", figures.apis);
  coverage.set("supported", figures.supported);
  coverage.set("unknown", figures.unknown);
  coverage.set("calls", figures.calls);
  coverage.set("supported_calls", figures.supported_calls);
  summary.set("coverage", std::move(coverage));
  Json verdicts = Json::object();
  for (const Api& api : scene.inventory.apis()) {
    const std::string_view verdict = verdict_of(api);
    verdicts.set(verdict, verdicts[verdict].integer() + 1);
  }
  summary.set("verdicts", std::move(verdicts));
  summary.set("apis", inventory_json(scene));
  return summary;
}

void add_unused(const std::vector<Suppression>& suppressions, Findings& out) {
  for (const Suppression& each : suppressions) {
    if (each.used) continue;
    diag::Finding finding{.code = "S082", .severity = diag::Severity::kNote, .place = each.place};
    finding.args = {{"text", each.text}};
    finding.snippet = each.text;
    out.push_back(std::move(finding));
  }
}

}  // namespace

Result<Part> scan_project(const std::filesystem::path& root, const Options& options) {
  ASSIGN(std::string release, facts::choose_release(options.torch_npu));
  project::OpenOptions open{.list = {.exclude = options.exclude}};
  std::optional<Progress> progress;
  if (options.progress) open.progress = &progress.emplace("scan", 0);
  ASSIGN(const project::Project project, project::open_project(root, open));
  // A notebook or script that is named alone and cannot be read leaves nothing to report on.
  std::error_code ignored;
  if (project.modules.empty() && !project.unreadable.empty() &&
      std::filesystem::is_regular_file(root, ignored))
    return tl::unexpected(project.unreadable.front());
  const Decision mode = decide_mode(project, options.mode);
  ASSIGN(Inventory inventory, Inventory::collect(project));

  const bool jit_off = turns_jit_off(project);
  facts::EagerOptions eager{.mode =
                                mode.training ? facts::Mode::kTraining : facts::Mode::kInference};
  if (jit_off) eager.jit = facts::Jit::kOff;
  TRY(inventory.judge(project, options.target.soc, eager, release));
  const Scene scene{.target = options.target,
                    .project = project,
                    .inventory = inventory,
                    .training = mode.training,
                    .jit_turned_off = jit_off,
                    .torch_npu = std::move(release)};

  Part part{.key = "project"};
  std::vector<Suppression> suppressions;
  Tally tally;
  part.findings = run_rules(scene, suppressions, tally);
  add_unused(suppressions, part.findings);
  part.figures.training = mode.training;
  count_apis(scene, part.figures);
  part.summary = summary_json(scene, mode, part.figures, tally.suppressed, tally.skipped);
  part.sections.push_back(overview_section(scene, mode, part.figures));
  if (diag::Section apis = inventory_section(scene); !apis.rows.empty())
    part.sections.push_back(std::move(apis));
  if (options.installed) TRY(count_installed(scene, part));
  return part;
}

}  // namespace godwit::scan
