// Verdict on one operator overload: which of its two paths runs, and what it finds there.
#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

#include "base/text.h"
#include "facts/eager_paths.h"
#include "facts/versions.h"

namespace godwit::facts {
namespace {

constexpr int kDeepest = 4;  // decompositions of decompositions

Verdict judge_aclnn(const Path& path) {
  // A promise is worth more than the list of kernels (some APIs are composed of others), except
  // that a release older than the kernel has neither.
  if (path.state == "yes") return Verdict::kSupported;
  if (path.state == "no") {
    return path.missing.empty() ? Verdict::kUndocumented : Verdict::kBlocked;
  }
  if (path.state == "partial") {
    return path.missing.empty() ? Verdict::kUndocumented : Verdict::kPartial;
  }
  return Verdict::kUnknown;
}

Verdict judge_aclop(const Path& path) {
  if (path.state == "yes") return Verdict::kSupported;
  if (path.state == "aicpu") return Verdict::kAicpu;
  if (path.state == "partial") return Verdict::kPartial;
  return path.state == "no" ? Verdict::kBlocked : Verdict::kUnknown;
}

Verdict from_reading(std::string_view word, Verdict otherwise) {
  if (word == "supported") return Verdict::kSupported;
  if (word == "undocumented") return Verdict::kUndocumented;
  if (word == "partial") return Verdict::kPartial;
  if (word == "blocked") return Verdict::kBlocked;
  return word == "unknown" ? Verdict::kUnknown : otherwise;
}

// One word for a chip whose default is jit_compile on, where the modes differ.
Verdict combine(Verdict on, Verdict off, bool has_aclnn) {
  if (on == Verdict::kUnknown) return off == Verdict::kBlocked ? Verdict::kUnknown : off;
  if (on != Verdict::kSupported) return on;
  if (!has_aclnn) return Verdict::kAclopOnly;
  if (off == Verdict::kSupported) return Verdict::kSupported;
  return off == Verdict::kUndocumented ? Verdict::kAclopOrUndocumented : Verdict::kAclopOnly;
}

bool is_jit_on(const Soc& soc, const EagerOptions& o) {
  if (o.jit != Jit::kDefault) return o.jit == Jit::kOn;
  return is_yes(soc.jit_compile_default);
}

// Several rows of one overload differ by torch version and section; the official one of the
// version asked for comes first.
std::optional<std::size_t> pick_row(const Table& aten, std::string_view overload,
                                    const EagerOptions& o) {
  const auto rows = aten.find(aten.column("op"), overload);
  const auto rank = [&](std::size_t row) {
    const bool covered = covers_torch(cell(aten, row, "aclop_torch"), o.torch) ||
                         covers_torch(cell(aten, row, "aclnn_torch"), o.torch);
    const std::string_view section = cell(aten, row, "section");
    const std::string_view newest = cell(aten, row, "aclnn_torch");
    const bool open = newest == "all" || newest.ends_with('+');
    return (o.torch.empty() && open ? 4 : 0) +
           (covered || section.starts_with("framework") ? 2 : 0) +
           (section == "official" || section == "custom" ? 1 : 0);
  };
  std::optional<std::size_t> best;
  for (const std::uint32_t row : rows) {
    if (!best || rank(row) > rank(*best)) best = row;
  }
  return best;
}

void apply_reading(const Table& aten, std::size_t row, const Soc& soc, OverloadVerdict& v) {
  const auto read = [&](std::string_view mode) -> std::string_view {
    const std::string column = format("read_{}_{}", mode, soc.short_name);
    return aten.has_column(column) ? cell(aten, row, column) : std::string_view{};
  };
  v.jit_on = from_reading(read("on"), v.jit_on);
  v.jit_off = from_reading(read("off"), v.jit_off);
  const std::string both = format("read_{}", soc.short_name);
  if (aten.has_column(both) && v.jit_on == Verdict::kUnknown) {
    const std::string_view word = cell(aten, row, both);
    v.jit_on = from_reading(word == "aclop_only" ? "supported" : word, v.jit_on);
    v.jit_off = from_reading(word == "aclop_only" ? "blocked" : word, v.jit_off);
  }
  for (const std::string_view mode : {"on", "off"}) {
    if (read(mode).empty()) continue;
    v.evidence.push_back({.layer = Layer::kReading,
                          .table = "api/aten.tsv",
                          .subject = v.overload,
                          .says = format("jit_compile {}: {}", mode, read(mode)),
                          .source = std::string(cell(aten, row, "source")),
                          .at = std::string(cell(aten, row, "at"))});
  }
}

Result<OverloadVerdict> judge(std::string_view overload, const Soc& soc, const EagerOptions& o,
                              int depth);

// "composite:sort" or "composite:eq|any.dim": the work is handed to other torch operators. Of each
// its overload of that very name stands for it, else the one that takes tensors.
std::vector<std::string> handed_to(const Table& aten, std::size_t row) {
  constexpr std::string_view kMark = "composite:";
  const std::string_view from = cell(aten, row, "aclnn_from");
  std::vector<std::string> all;
  if (!from.starts_with(kMark)) return all;
  for (const std::string_view word : split_list(from.substr(kMark.size()))) {
    const std::string base = format("aten::{}", word);
    for (const std::string& name : {base, base + ".Tensor", base + ".Tensor_Tensor"}) {
      if (name == cell(aten, row, "op") || aten.find(aten.column("op"), name).empty()) continue;
      all.push_back(name);
      break;
    }
  }
  return all;
}

Status judge_handed_on(const std::vector<std::string>& to, const Soc& soc, const EagerOptions& o,
                       int depth, OverloadVerdict& v) {
  v.jit_on = v.jit_off = Verdict::kSupported;
  for (const std::string& name : to) {
    ASSIGN(const OverloadVerdict other, judge(name, soc, o, depth + 1));
    v.jit_on = worst(v.jit_on, other.jit_on);
    v.jit_off = worst(v.jit_off, other.jit_off);
    v.missing.insert(v.missing.end(), other.missing.begin(), other.missing.end());
    if (to.size() == 1) v.dtypes = other.dtypes;
    v.evidence.push_back({.layer = Layer::kReading,
                          .table = "api/aten.tsv",
                          .subject = v.overload,
                          .says = format("composite: {}", name),
                          .source = "op-plugin@master"});
    v.evidence.insert(v.evidence.end(), other.evidence.begin(), other.evidence.end());
  }
  return {};
}

Result<OverloadVerdict> judge_row(const Table& aten, std::size_t row, const Soc& soc,
                                  const EagerOptions& o, int depth) {
  OverloadVerdict v{.overload = std::string(cell(aten, row, "op"))};
  v.backward = cell(aten, row, "backward") == "yes";
  if (cell(aten, row, "section").starts_with("framework")) {
    v.verdict = v.jit_on = v.jit_off = Verdict::kFramework;
    return v;
  }
  for (const std::string_view op : split_list(cell(aten, row, "cann_ops")))
    v.cann_ops.emplace_back(op);
  for (const std::string_view api : split_list(cell(aten, row, "aclnn_deciding")))
    v.aclnn.emplace_back(api);
  ASSIGN(Path aclop, aclop_path(aten, row, soc, o));
  ASSIGN(Path aclnn, aclnn_path(aten, row, soc, o));
  const bool has_aclop = aclop.state != "none", has_aclnn = aclnn.state != "none";
  v.jit_on = has_aclop ? judge_aclop(aclop) : judge_aclnn(aclnn);
  v.jit_off = has_aclnn ? judge_aclnn(aclnn) : judge_aclop(aclop);
  if (!has_aclop && !has_aclnn) v.jit_on = v.jit_off = Verdict::kUnknown;
  const bool on = is_jit_on(soc, o);
  const Path& used = on ? (has_aclop ? aclop : aclnn) : (has_aclnn ? aclnn : aclop);
  v.missing = used.missing;
  v.dtypes = used.dtypes;
  std::move(aclop.evidence.begin(), aclop.evidence.end(), std::back_inserter(v.evidence));
  std::move(aclnn.evidence.begin(), aclnn.evidence.end(), std::back_inserter(v.evidence));
  apply_reading(aten, row, soc, v);
  if (v.jit_on == Verdict::kUnknown && v.jit_off == Verdict::kUnknown && depth < kDeepest) {
    const std::vector<std::string> other = handed_to(aten, row);
    if (!other.empty()) TRY(judge_handed_on(other, soc, o, depth, v));
  }
  if (o.jit == Jit::kDefault && on)
    v.verdict = combine(v.jit_on, v.jit_off, has_aclnn);
  else
    v.verdict = on ? v.jit_on : v.jit_off;
  return v;
}

// An overload that torch builds from others for any backend: judged by what it becomes.
Result<OverloadVerdict> judge_leaves(std::string_view overload, std::string_view leaves,
                                     const Soc& soc, const EagerOptions& o, int depth) {
  OverloadVerdict whole{.overload = std::string(overload),
                        .verdict = Verdict::kFramework,
                        .jit_on = Verdict::kFramework,
                        .jit_off = Verdict::kFramework};
  for (const std::string_view leaf : split_list(leaves)) {
    if (leaf == overload) continue;
    // What the measuring device called _copy_from is copy_ on a real one.
    const std::string_view name = leaf == "aten::_copy_from" ? "aten::copy_" : leaf;
    ASSIGN(OverloadVerdict part, judge(name, soc, o, depth + 1));
    if (part.verdict > whole.verdict) {
      whole.missing = part.missing;
      whole.dtypes = part.dtypes;
    }
    whole.verdict = worst(whole.verdict, part.verdict);
    whole.jit_on = worst(whole.jit_on, part.jit_on);
    whole.jit_off = worst(whole.jit_off, part.jit_off);
    whole.evidence.push_back({.layer = Layer::kReading,
                              .table = "api/aten_decomposition.tsv",
                              .subject = std::string(overload),
                              .says = format("{}: {}", name, to_string(part.verdict)),
                              .source = "torch@2.13"});
  }
  return whole;
}

// The same work in another form, where torch_npu implements that one: `mul.out` for `mul_.Tensor`,
// `relu` for `relu.out`. torch makes each form of the others for every backend.
std::string twin_of(const Table& aten, const Table& kinds, std::span<const std::uint32_t> known) {
  if (known.empty()) return {};
  for (const std::string_view column : {"out_of", "inplace_of", "delegate"}) {
    const std::string_view name = cell(kinds, known.front(), column);
    if (!name.empty() && !aten.find(aten.column("op"), name).empty()) return std::string(name);
  }
  return {};
}

Result<OverloadVerdict> judge(std::string_view overload, const Soc& soc, const EagerOptions& o,
                              int depth) {
  ASSIGN(const Table* const aten, table("api/aten.tsv", {"op"}));
  if (const auto row = pick_row(*aten, overload, o)) return judge_row(*aten, *row, soc, o, depth);
  OverloadVerdict v{.overload = std::string(overload)};
  const auto all = [&v](Verdict verdict) { v.verdict = v.jit_on = v.jit_off = verdict; };
  if (overload.starts_with("c10d::") || overload.starts_with("prim::")) {
    all(Verdict::kFramework);  // collectives: hccl.h judges them
    return v;
  }
  ASSIGN(const Table* const kinds, table("api/aten_kind.tsv", {"op"}));
  const auto known = kinds->find(kinds->column("op"), overload);
  if (const std::string twin = twin_of(*aten, *kinds, known); !twin.empty()) {
    ASSIGN(v, judge(twin, soc, o, depth + 1));
    v.overload = overload;
    return v;
  }
  const std::string_view kind = known.empty() ? "" : cell(*kinds, known.front(), "kind");
  ASSIGN(const Table* const parts, table("api/aten_decomposition.tsv", {"op"}));
  const auto split = parts->find(parts->column("op"), overload);
  if (!split.empty() && depth < kDeepest) {
    return judge_leaves(overload, cell(*parts, split.front(), "leaves"), soc, o, depth);
  }
  if (contains(kind, "Composite"))
    all(Verdict::kFramework);  // views, metadata, or parts judged elsewhere
  else if (!kind.empty())
    all(Verdict::kCpuFallback);
  if (v.verdict != Verdict::kCpuFallback) return v;
  v.missing.emplace_back(overload);
  v.evidence.push_back({.layer = Layer::kReading,
                        .table = "api/aten.tsv",
                        .subject = std::string(overload),
                        .says = "not registered",
                        .source = "op-plugin@master"});
  return v;
}

// Few hundred overloads stand behind all APIs, so each is judged once per process.
struct Memory {
  std::mutex lock;
  std::unordered_map<std::string, std::shared_ptr<const OverloadVerdict>> verdicts;
};

Memory& memory() {
  static Memory value;
  return value;
}

}  // namespace

void forget_verdicts() {
  const std::lock_guard guard(memory().lock);
  memory().verdicts.clear();
}

Result<OverloadVerdict> overload_verdict(std::string_view overload, const Soc& soc,
                                         const EagerOptions& options) {
  const std::string key = format("{}|{}|{}|{}|{}", overload, soc.family,
                                 static_cast<int>(options.jit), options.cann, options.torch);
  {
    const std::lock_guard guard(memory().lock);
    const auto known = memory().verdicts.find(key);
    if (known != memory().verdicts.end()) return *known->second;
  }
  ASSIGN(OverloadVerdict verdict, judge(overload, soc, options, 0));
  const std::lock_guard guard(memory().lock);
  memory().verdicts.emplace(key, std::make_shared<const OverloadVerdict>(verdict));
  return verdict;
}

}  // namespace godwit::facts
