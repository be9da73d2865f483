// ONNX operators through ATC: the parser's rows, joined with the kernels of what it builds.
#include "facts/graph.h"

#include <algorithm>

#include "base/text.h"
#include "facts/observed.h"
#include "facts/tables.h"
#include "facts/versions.h"

namespace godwit::facts {
namespace {

// "8-16,18"
bool covers_opset(std::string_view opsets, std::int64_t opset) {
  for (const std::string_view part : split_list(opsets, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_integer(part.substr(dash + 1));
    if (first && last && *first <= opset && opset <= *last) return true;
  }
  return false;
}

std::vector<Restriction> restrictions_of(std::string_view text) {
  std::vector<Restriction> all;
  for (const std::string_view part : split_list(text, ';')) {
    const std::size_t mark = part.find_first_of(":=<>!");
    if (mark == std::string_view::npos) {
      all.push_back({std::string(part), {}});
    } else {
      const std::size_t value = part[mark] == ':' || part[mark] == '=' ? mark + 1 : mark;
      all.push_back({std::string(part.substr(0, mark)), std::string(part.substr(value))});
    }
  }
  return all;
}

// Two parsers of one operator can be split at a release: "two_parsers:release>9.1".
bool holds_for_release(std::string_view restrictions, std::string_view cann) {
  const std::size_t at = restrictions.find("two_parsers:release");
  if (at == std::string_view::npos) return true;
  std::string_view test = restrictions.substr(at + 19);
  test = test.substr(0, test.find(';'));
  const bool up_to = test.starts_with("<=");
  const std::string_view bound = test.substr(up_to ? 2 : 1);
  const bool older = !cann.empty() && compare_versions(cann, bound) <= 0;
  return up_to == older;
}

std::optional<std::size_t> pick_row(const Table& onnx, std::string_view domain, std::string_view op,
                                    std::int64_t opset, std::string_view cann) {
  std::optional<std::size_t> best;
  int best_rank = -1;
  for (const std::uint32_t row : onnx.find(onnx.column("op"), op)) {
    if (cell(onnx, row, "domain") != domain) continue;
    const int rank = (covers_opset(cell(onnx, row, "opsets"), opset) ? 2 : 0) +
                     (holds_for_release(cell(onnx, row, "restrictions"), cann) ? 1 : 0);
    if (rank > best_rank) {
      best = row;
      best_rank = rank;
    }
  }
  return best;
}

void add_forms(const Table& forms, std::int64_t opset, GraphVerdict& v) {
  for (const std::uint32_t row : forms.find(forms.column("op"), v.op)) {
    if (!covers_opset(cell(forms, row, "opsets"), opset)) continue;
    v.forms.push_back({.condition = std::string(cell(forms, row, "condition")),
                       .builds = list_of(cell(forms, row, "builds")),
                       .source = std::string(cell(forms, row, "source")),
                       .at = std::string(cell(forms, row, "at"))});
  }
}

Status add_kernels(const Soc& soc, std::string_view cann, GraphVerdict& v) {
  const std::vector<std::string> ops = v.cann_op.empty() ? v.built : std::vector{v.cann_op};
  for (const std::string& op : ops) {
    ASSIGN(KernelState state, kernel_state(op, soc, cann));
    if (state.runs == Runs::kNo) v.missing.push_back(op);
    if (state.runs == Runs::kAicpu || state.runs == Runs::kHostCpu) v.on_aicpu.push_back(op);
    v.static_only = v.static_only || (state.runs == Runs::kAicore && state.static_only);
    if (compare_versions(state.since, v.since) > 0) v.since = state.since;
    for (const Kernel& kernel : state.rows) v.evidence.push_back(to_evidence(kernel));
    if (state.rows.empty()) {
      v.evidence.push_back({.layer = Layer::kKernel,
                            .table = format("ops/kernels/{}.tsv", soc.family),
                            .subject = op,
                            .says = std::string(to_string(state.runs))});
    }
    v.kernels.push_back(std::move(state));
  }
  if (!v.cann_op.empty() && !v.kernels.empty()) v.dtypes = v.kernels.front().dtypes;
  return {};
}

// A kernel that no registry of ours lists may have its release in the row of the parser.
void add_since(const Table& onnx, std::size_t row, const Soc& soc, GraphVerdict& v) {
  const std::string column = format("since_{}", soc.short_name);
  if (!onnx.has_column(column)) return;
  const std::string_view since = cell(onnx, row, column);
  if (compare_versions(since, v.since) > 0) v.since = since;
}

// What the kernels alone say.
Verdict judge_kernels(const GraphVerdict& v) {
  if (v.kernels.empty()) return Verdict::kUnknown;
  if (!v.missing.empty())
    return v.missing.size() == v.kernels.size() ? Verdict::kBlocked : Verdict::kPartial;
  const auto runs = [&](Runs wanted) {
    return std::any_of(v.kernels.begin(), v.kernels.end(),
                       [&](const KernelState& k) { return k.runs == wanted; });
  };
  if (runs(Runs::kUnknown)) return Verdict::kUnknown;
  return runs(Runs::kAicpu) || runs(Runs::kHostCpu) ? Verdict::kAicpu : Verdict::kSupported;
}

// What the row of the table says for a chip whose parser rows were evaluated.
Verdict judge_row(std::string_view says, Verdict from_kernels) {
  if (says == "yes" || says == "decomposed" || says == "graph_engine") return Verdict::kSupported;
  if (says == "aicpu" || says == "host_cpu") return Verdict::kAicpu;
  if (says == "no") return Verdict::kBlocked;
  // "unknown": in no registry because the graph engine rewrites it; normally fine, not proven.
  return says == "unknown" ? Verdict::kUnknown : from_kernels;
}

void judge(const Table& onnx, std::size_t row, const Soc& soc, GraphVerdict& v) {
  const Verdict kernels = judge_kernels(v);
  const std::string_view says = onnx.has_column(soc.family) ? cell(onnx, row, soc.family) : "";
  v.verdict = judge_row(says, kernels);
  v.evidence.insert(v.evidence.begin(),
                    {.layer = Layer::kReading,
                     .table = "ops/onnx.tsv",
                     .subject = v.op,
                     .says = format("opset {}, {}", v.opsets, says.empty() ? "unknown" : says),
                     .source = std::string(cell(onnx, row, "source")),
                     .at = std::string(cell(onnx, row, "at"))});
  const bool kernel_decides =
      kernels == Verdict::kBlocked || kernels == Verdict::kSupported || kernels == Verdict::kAicpu;
  const bool installed = std::any_of(v.kernels.begin(), v.kernels.end(), [](const KernelState& k) {
    return !k.rows.empty() && k.rows.front().origin == Origin::kInstalled;
  });
  v.conflict = kernel_decides && v.verdict != Verdict::kUnknown && kernels != v.verdict &&
               says != "graph_engine";
  if (v.conflict && (installed || kernels == Verdict::kBlocked)) v.verdict = kernels;
  if (!v.opset_fits) v.verdict = Verdict::kBlocked;
  if (v.verdict == Verdict::kBlocked)
    v.tier = Tier::kCustomKernel;
  else if (v.verdict == Verdict::kUnknown && !v.missing.empty())
    v.tier = Tier::kUnknown;
  else
    v.tier = v.cann_op.empty() ? Tier::kDecompose : Tier::kDirect;
}

}  // namespace

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::kUnknown: return "unknown";
    case Tier::kDirect: return "direct";
    case Tier::kCustomKernel: return "custom_kernel";
    case Tier::kDecompose: return "decompose";
    case Tier::kUnsupported: return "unsupported";
  }
  return "unknown";
}

int number_of(Tier tier) {
  switch (tier) {
    case Tier::kDirect: return 1;
    case Tier::kCustomKernel: return 2;
    case Tier::kDecompose: return 3;
    default: return 0;
  }
}

Result<GraphVerdict> onnx_verdict(std::string_view domain, std::string_view op, std::int64_t opset,
                                  const Soc& soc, std::string_view cann) {
  GraphVerdict v{.op = std::string(op), .domain = std::string(domain.empty() ? "ai.onnx" : domain)};
  ASSIGN(const Table* const onnx, table("ops/onnx.tsv", {"op"}));
  const auto row = pick_row(*onnx, v.domain, op, opset, cann);
  if (!row) {
    v.tier = Tier::kUnsupported;
    TRY(add_reports(v.op, v.evidence));
    return v;  // a closed plug-in may know it: unknown, not blocked
  }
  v.has_parser = true;
  v.opsets = cell(*onnx, *row, "opsets");
  v.opset_fits = covers_opset(v.opsets, opset);
  if (cell(*onnx, *row, "subgraph") != "yes") v.cann_op = cell(*onnx, *row, "cann_op");
  v.built = list_of(cell(*onnx, *row, "built"));
  v.restrictions = restrictions_of(cell(*onnx, *row, "restrictions"));
  ASSIGN(const Table* const forms, table("ops/onnx_partitioned.tsv", {"op"}));
  if (v.domain == "ai.onnx") add_forms(*forms, opset, v);
  TRY(add_kernels(soc, cann, v));
  add_since(*onnx, *row, soc, v);
  judge(*onnx, *row, soc, v);
  TRY(add_reports(v.op, v.evidence));
  return v;
}

Result<GraphVerdict> operator_verdict(std::string_view op, const Soc& soc, std::string_view cann) {
  GraphVerdict v{.op = std::string(op), .cann_op = std::string(op)};
  TRY(add_kernels(soc, cann, v));
  v.verdict = judge_kernels(v);
  v.tier = v.verdict == Verdict::kBlocked ? Tier::kCustomKernel : Tier::kDirect;
  if (v.verdict == Verdict::kUnknown) v.tier = Tier::kUnknown;
  TRY(add_reports(v.op, v.evidence));
  return v;
}

}  // namespace godwit::facts
