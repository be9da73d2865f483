// godwit facts show: what do the tables know of an API or operator, and what follows for each chip?
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "cli/command.h"
#include "diag/messages.h"
#include "facts/aclnn.h"
#include "facts/eager.h"
#include "facts/graph.h"
#include "facts/kernels.h"
#include "facts/tables.h"

namespace godwit::cli::commands {
namespace {

using diag::text;
using namespace facts;  // NOLINT: this file is a view of that module

constexpr std::size_t kMostRows = 24;  // evidence shown to people; JSON has all
constexpr std::int64_t kOpset = 17;    // newest that every plug-in range of today's exports holds

struct Asked {
  std::string name;
  std::string cann, torch;
};

// All that is known about one name on one chip.
struct Answer {
  Soc soc;
  std::optional<EagerVerdict> eager{}, jit_on{}, jit_off{}, training{};
  std::optional<OverloadVerdict> overload{};
  std::optional<GraphVerdict> graph{}, onnx{};
  std::optional<AclnnApi> aclnn{};

  bool known() const { return eager || overload || graph || onnx || aclnn; }
};

// An operator that this chip lacks is still one when another chip has it.
Result<bool> is_operator(const std::string& name) {
  for (const std::string& family : families()) {
    ASSIGN(const Target target, resolve_target("family:" + family));
    ASSIGN(const KernelState state, kernel_state(name, target.soc));
    if (!state.rows.empty()) return true;
  }
  return false;
}

Status ask_operator(const Asked& asked, Answer& a) {
  ASSIGN(GraphVerdict graph, operator_verdict(asked.name, a.soc, asked.cann));
  bool known = !graph.kernels.front().rows.empty();
  if (!known) {
    ASSIGN(known, is_operator(asked.name));
  }
  if (known) a.graph = std::move(graph);
  ASSIGN(GraphVerdict onnx, onnx_verdict({}, asked.name, kOpset, a.soc, asked.cann));
  if (onnx.has_parser) a.onnx = std::move(onnx);
  ASSIGN(a.aclnn, find_aclnn(asked.name, a.soc));
  return {};
}

Status ask_api(const Asked& asked, Answer& a) {
  EagerOptions options{.cann = asked.cann, .torch = asked.torch};
  if (contains(asked.name, "::")) {
    ASSIGN(OverloadVerdict overload, overload_verdict(asked.name, a.soc, options));
    if (!overload.evidence.empty() || overload.verdict != Verdict::kUnknown) {
      a.overload = std::move(overload);
    }
    return {};
  }
  ASSIGN(EagerVerdict eager, eager_verdict(asked.name, a.soc, options));
  if (!eager.known) return {};
  options.jit = Jit::kOn;
  ASSIGN(a.jit_on, eager_verdict(asked.name, a.soc, options));
  options.jit = Jit::kOff;
  ASSIGN(a.jit_off, eager_verdict(asked.name, a.soc, options));
  options.jit = Jit::kDefault;
  options.mode = Mode::kTraining;
  ASSIGN(a.training, eager_verdict(asked.name, a.soc, options));
  a.eager = std::move(eager);
  return {};
}

Result<Answer> ask(const Asked& asked, Soc soc) {
  Answer a{.soc = std::move(soc)};
  const bool is_api = contains(asked.name, ".") || contains(asked.name, "::");
  TRY(is_api ? ask_api(asked, a) : ask_operator(asked, a));
  return a;
}

// ---- for people

std::string word(Verdict verdict) { return text(format("verdict.{}", to_string(verdict))); }

std::vector<std::string> verdict_row(const Asked& asked, const Answer& a) {
  std::vector<std::string> row = {a.soc.family};
  if (a.graph || a.onnx || a.aclnn) {
    row.push_back(a.graph ? word(a.graph->verdict) : "-");
    row.push_back(a.onnx ? word(a.onnx->verdict) : "-");
    row.push_back(a.aclnn ? word(to_verdict(*a.aclnn, asked.cann)) : "-");
    return row;
  }
  if (a.overload) {
    for (const Verdict verdict : {a.overload->verdict, a.overload->jit_on, a.overload->jit_off}) {
      row.push_back(word(verdict));
    }
    return row;
  }
  for (const auto* v : {&a.eager, &a.jit_on, &a.jit_off, &a.training}) {
    row.push_back(word((*v)->verdict));
  }
  return row;
}

diag::Section verdict_section(const Asked& asked, const std::vector<Answer>& answers) {
  diag::Section section{.title = text("facts.verdicts", {{"name", asked.name}})};
  const Answer& first = answers.front();
  section.columns = {text("facts.chip")};
  if (first.eager || first.overload) {
    for (const char* key : {"facts.eager", "facts.jit_on", "facts.jit_off"}) {
      section.columns.push_back(text(key));
    }
    if (first.training) section.columns.push_back(text("facts.training"));
  } else {
    section.columns.push_back(text("facts.graph"));
    section.columns.emplace_back("ONNX");
    section.columns.emplace_back("aclnn");
  }
  for (const Answer& a : answers) section.rows.push_back(verdict_row(asked, a));
  return section;
}

std::vector<const OverloadVerdict*> overloads_of(const Answer& a) {
  std::vector<const OverloadVerdict*> all;
  if (a.overload) all.push_back(&*a.overload);
  if (a.training) {
    for (const OverloadVerdict& part : a.training->overloads) all.push_back(&part);
  }
  return all;
}

diag::Section overload_section(const Answer& a) {
  diag::Section section{
      .title = text("facts.overloads", {{"soc", a.soc.family}}),
      .columns = {text("facts.overload"), text("facts.direction"), text("facts.eager"),
                  text("facts.jit_on"), text("facts.jit_off"), text("facts.missing")}};
  for (const OverloadVerdict* part : overloads_of(a)) {
    std::string direction = text(part->backward ? "facts.backward" : "facts.forward");
    if (!part->always) direction += ", " + text("facts.sometimes");
    section.rows.push_back({part->overload, direction, word(part->verdict), word(part->jit_on),
                            word(part->jit_off), shorten(join(part->missing, ", "), 60)});
  }
  return section;
}

std::vector<Evidence> evidence_of(const Answer& a) {
  std::vector<Evidence> all;
  const auto add = [&](const std::vector<Evidence>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  if (a.eager) add(a.eager->evidence);
  for (const OverloadVerdict* part : overloads_of(a)) add(part->evidence);
  if (a.graph) add(a.graph->evidence);
  if (a.onnx) add(a.onnx->evidence);
  if (a.aclnn) add(to_evidence(*a.aclnn));
  return all;
}

diag::Section evidence_section(const Answer& a) {
  diag::Section section{.title = text("facts.evidence", {{"soc", a.soc.family}}),
                        .columns = {text("facts.layer"), text("facts.subject"), text("facts.says"),
                                    text("facts.table"), text("facts.source")}};
  std::vector<std::vector<std::string>>& rows = section.rows;
  for (const Evidence& e : evidence_of(a)) {
    std::vector<std::string> row = {text(format("layer.{}", to_string(e.layer))), e.subject,
                                    shorten(e.says, 72), e.table, e.source};
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(std::move(row));
  }
  const std::size_t total = rows.size();
  if (total <= kMostRows) return section;
  rows.resize(kMostRows);
  section.title = text("facts.limited", {{"name", section.title},
                                         {"count", std::to_string(kMostRows)},
                                         {"total", std::to_string(total)}});
  return section;
}

std::vector<std::string> remarks(const Answer& a) {
  std::vector<std::string> lines;
  if (a.onnx) {
    const std::string becomes =
        a.onnx->cann_op.empty() ? join(a.onnx->built, ", ") : a.onnx->cann_op;
    lines.push_back(
        text("facts.onnx", {{"op", a.onnx->op}, {"opsets", a.onnx->opsets}, {"becomes", becomes}}));
    std::vector<std::string> demands;
    for (const Restriction& r : a.onnx->restrictions) {
      demands.push_back(r.value.empty() ? r.rule : r.rule + ":" + r.value);
    }
    if (!demands.empty())
      lines.push_back(text("facts.restrictions", {{"list", join(demands, "; ")}}));
  }
  for (const auto* graph : {&a.graph, &a.onnx}) {
    if (!*graph) continue;
    const Args args = {{"since", (*graph)->since}, {"soc", a.soc.family}};
    if (!(*graph)->since.empty()) lines.push_back(text("facts.since", args));
    if ((*graph)->static_only) lines.push_back(text("facts.static_only", args));
  }
  if ((a.eager && a.eager->conflict) || (a.onnx && a.onnx->conflict)) {
    lines.push_back(text("facts.conflict"));
  }
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

// ---- for programs

Json to_json(const std::vector<std::string>& list) {
  Json out = Json::array();
  for (const std::string& item : list) out.add(item);
  return out;
}

Json to_json(const OverloadVerdict& part) {
  Json out = Json::object();
  out.set("overload", part.overload);
  out.set("verdict", to_string(part.verdict));
  out.set("jit_on", to_string(part.jit_on));
  out.set("jit_off", to_string(part.jit_off));
  out.set("backward", part.backward);
  out.set("always", part.always);
  out.set("aclnn", to_json(part.aclnn));
  out.set("cann_ops", to_json(part.cann_ops));
  out.set("missing", to_json(part.missing));
  out.set("dtypes", to_json(part.dtypes));
  return out;
}

Json to_json(const GraphVerdict& graph) {
  Json out = Json::object();
  out.set("verdict", to_string(graph.verdict));
  out.set("tier", number_of(graph.tier));
  out.set("opsets", graph.opsets);
  out.set("cann_op", graph.cann_op);
  out.set("built", to_json(graph.built));
  out.set("since", graph.since);
  out.set("static_only", graph.static_only);
  out.set("dtypes", to_json(graph.dtypes));
  out.set("missing", to_json(graph.missing));
  out.set("conflict", graph.conflict);
  return out;
}

Json to_json(const Asked& asked, const Answer& a) {
  Json out = Json::object();
  out.set("family", a.soc.family);
  out.set("soc", a.soc.soc_version);
  if (a.graph) out.set("graph", to_json(*a.graph));
  if (a.onnx) out.set("onnx", to_json(*a.onnx));
  if (a.aclnn) {
    out.set("aclnn", to_string(to_verdict(*a.aclnn, asked.cann)));
    out.set("aclnn_official", to_string(a.aclnn->official));
    out.set("aclnn_kernel", a.aclnn->kernel);
  }
  if (a.eager) {
    out.set("api", a.eager->api);
    out.set("eager", to_string(a.eager->verdict));
    out.set("jit_on", to_string(a.jit_on->verdict));
    out.set("jit_off", to_string(a.jit_off->verdict));
    out.set("training", to_string(a.training->verdict));
    out.set("offenders", to_json(a.training->offenders));
    out.set("conflict", a.eager->conflict);
  }
  Json overloads = Json::array();
  for (const OverloadVerdict* part : overloads_of(a)) overloads.add(to_json(*part));
  if (!overloads.items().empty()) out.set("overloads", std::move(overloads));
  Json evidence = Json::array();
  for (const Evidence& e : evidence_of(a)) {
    Json row = Json::object();
    row.set("layer", to_string(e.layer)).set("table", e.table);
    row.set("subject", e.subject).set("says", e.says);
    row.set("source", e.source).set("at", e.at);
    evidence.add(std::move(row));
  }
  out.set("evidence", std::move(evidence));
  return out;
}

// ---- the command

Result<std::vector<Soc>> chips(const Arguments& arguments) {
  std::vector<Soc> all;
  if (arguments.has("--soc")) {
    ASSIGN(Target target, resolve_target(arguments.text("--soc")));
    all.push_back(std::move(target.soc));
    return all;
  }
  for (const std::string& family : families()) {
    if (!has_table(format("api/aclnn/{}.tsv", family))) continue;  // no page of the vendor names it
    ASSIGN(Target target, resolve_target("family:" + family));
    all.push_back(std::move(target.soc));
  }
  return all;
}

Result<std::vector<std::string>> names_like(const std::string& name) {
  std::vector<std::string> all;
  ASSIGN(const Table* const apis, table("api/torch_to_aten.tsv", {"api"}));
  for (std::size_t row = 0; row < apis->rows(); ++row) all.emplace_back(cell(*apis, row, "api"));
  ASSIGN(const Target target, resolve_target("ascend910b"));
  ASSIGN(const std::vector<std::string> operators, kernel_operators(target.soc));
  all.insert(all.end(), operators.begin(), operators.end());
  return nearest(name, all);
}

Result<diag::Outcome> show(const Arguments& arguments) {
  const Asked asked{.name = arguments.text("NAME"),
                    .cann = arguments.text("--cann"),
                    .torch = arguments.text("--torch")};
  ASSIGN(std::vector<Soc> socs, chips(arguments));
  std::vector<Answer> answers;
  for (Soc& soc : socs) {
    ASSIGN(Answer answer, ask(asked, std::move(soc)));
    if (answer.known()) answers.push_back(std::move(answer));
  }
  if (answers.empty()) {
    ASSIGN(const std::vector<std::string> close, names_like(asked.name));
    return fail(
        "E029", {},
        {{"found", asked.name}, {"what", text("facts.what_api")}, {"nearest", join(close, ", ")}});
  }
  diag::Outcome outcome{.command = "facts show"};
  outcome.summary.set("name", asked.name);
  Json rows = Json::array();
  for (const Answer& a : answers) rows.add(to_json(asked, a));
  outcome.summary.set("chips", std::move(rows));
  outcome.sections.push_back(verdict_section(asked, answers));
  const bool one = arguments.has("--soc") || answers.size() == 1;
  for (const Answer& a : answers) {
    std::vector<std::string> lines = remarks(a);
    if (one && !overloads_of(a).empty()) outcome.sections.push_back(overload_section(a));
    if (one) outcome.sections.push_back(evidence_section(a));
    if (one) outcome.sections.back().lines = std::move(lines);
  }
  return outcome;
}

ExitCode run(const Arguments& arguments, const Console& console) {
  Result<diag::Outcome> outcome = show(arguments);
  if (!outcome) return console.report(outcome.error());
  if (arguments.has("--soc")) {
    if (const auto target = facts::resolve_target(arguments.text("--soc"))) {
      console.note(target->understood());
    }
  }
  return console.deliver(*std::move(outcome), arguments);
}

}  // namespace

extern const Command facts_show = {
    .name = "facts show",
    .options = {{.name = "NAME", .required = true},
                {.name = "--soc", .value = "SOC"},
                {.name = "--cann", .value = "RELEASE"},
                {.name = "--torch", .value = "VERSION"}},
    .phase = Phase::kAnalyse,
    .shared = Shared::kOutput,
    .examples = {"godwit facts show torch.nn.Embedding --soc ascend310p",
                 "godwit facts show EmbeddingDenseGrad"},
    .run = run,
};

}  // namespace godwit::cli::commands
