// Verdicts over the records of a trace.
#include "scan/trace_scan.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "diag/messages.h"
#include "facts/eager.h"
#include "scan/trace.h"

namespace godwit::scan {
namespace {

using diag::Severity;
using facts::Verdict;

constexpr std::size_t kModulesListed = 20;

// All records of one operator in one direction.
struct Called {
  std::uint64_t calls = 0;
  bool backward = false;
  std::int64_t first_byte = 0;
  std::set<std::string> dtypes, modules;
  bool dynamic = false;
};

struct Spelling {
  std::string_view torch, code;
};
constexpr std::array<Spelling, 22> kTypes = {{{"float16", "fp16"},  {"half", "fp16"},
                                              {"bfloat16", "bf16"}, {"float32", "fp32"},
                                              {"float", "fp32"},    {"float64", "fp64"},
                                              {"double", "fp64"},   {"int64", "i64"},
                                              {"long", "i64"},      {"int32", "i32"},
                                              {"int", "i32"},       {"int16", "i16"},
                                              {"int8", "i8"},       {"uint8", "u8"},
                                              {"uint16", "u16"},    {"uint32", "u32"},
                                              {"uint64", "u64"},    {"bool", "b"},
                                              {"complex64", "c64"}, {"complex128", "c128"},
                                              {"complex32", "c32"}, {"float8_e4m3fn", "fp8e4m3"}}};

// Code of our tables, or the text as it stands for a type we do not know.
std::string_view code_of(std::string_view torch) {
  if (torch.starts_with("torch.")) torch.remove_prefix(6);
  for (const Spelling& each : kTypes) {
    if (each.torch == torch) return each.code;
  }
  return torch;
}

// Types that the chip or the operator's kernels do not take.
std::vector<std::string> refused_types(const Called& called, const facts::OverloadVerdict& verdict,
                                       const facts::Soc& soc) {
  std::vector<std::string> refused;
  for (const std::string& dtype : called.dtypes) {
    const std::string_view code = code_of(dtype);
    const bool by_chip =
        (code == "bf16" && facts::is_no(soc.bf16)) || (code == "fp64" && facts::is_no(soc.fp64));
    const auto& known = verdict.dtypes;
    const bool by_kernel =
        !known.empty() && std::find(known.begin(), known.end(), code) == known.end();
    // int64 and bool arguments are indices and masks, which rows about values leave out.
    const bool is_value = code.starts_with("fp") || code.starts_with("bf") || code.starts_with("c");
    if (by_chip || (by_kernel && is_value)) refused.push_back(dtype);
  }
  return refused;
}

struct Saying {
  std::string_view code;
  Severity severity;
};

std::optional<Saying> saying_of(const Called& called, Verdict verdict) {
  switch (verdict) {
    case Verdict::kBlocked:
    case Verdict::kBlockedBackward:
      return called.backward ? Saying{"S202", Severity::kError} : Saying{"S201", Severity::kError};
    case Verdict::kPartial:
    case Verdict::kAclopOnly: return Saying{"S204", Severity::kWarning};
    case Verdict::kAicpu:
    case Verdict::kCpuFallback: return Saying{"S205", Severity::kWarning};
    case Verdict::kUnknown: return Saying{"S206", Severity::kNote};
    default: return std::nullopt;
  }
}

class TraceScan {
 public:
  TraceScan(const Options& options, std::string name) : options_(options), name_(std::move(name)) {}

  void add(const TraceRecord& record) {
    if (record.backward && options_.mode == Mode::kInference) {
      ++left_out_;
      return;
    }
    Called& called = operators_[{record.op, record.backward}];
    if (called.calls == 0) called.first_byte = record.byte;
    called.calls += record.count;
    called.backward = record.backward;
    called.dtypes.insert(record.dtypes.begin(), record.dtypes.end());
    if (called.modules.size() < kModulesListed && !record.module.empty())
      called.modules.insert(record.module);
    for (const auto& shape : record.shapes) {
      called.dynamic |= std::find(shape.begin(), shape.end(), -1) != shape.end();
    }
    ++records_;
    training_ |= record.backward;
  }

  Status judge() {
    for (const auto& [key, called] : operators_) {
      facts::EagerOptions eager{.mode = called.backward ? facts::Mode::kTraining
                                                        : facts::Mode::kInference};
      ASSIGN(const auto verdict, facts::overload_verdict(key.first, options_.target.soc, eager));
      count(called, verdict.verdict);
      if (const auto saying = saying_of(called, verdict.verdict))
        report(*saying, key.first, called, verdict, {});
      if (auto refused = refused_types(called, verdict, options_.target.soc); !refused.empty()) {
        report({"S203", Severity::kError}, key.first, called, verdict, refused);
      }
    }
    return {};
  }

  Part finish(const TraceHeader& header) {
    part_.key = "traces";
    part_.figures.training = training_;
    part_.summary.set("records", records_);
    part_.summary.set("operators", operators_.size());
    part_.summary.set("backward_left_out", left_out_);
    part_.summary.set("device", header.device);
    part_.summary.set("torch", header.torch);
    part_.summary.set("model", header.model);
    part_.summary.set("operator_verdicts", std::move(verdicts_));
    const Figures& figures = part_.figures;
    part_.sections.push_back(
        {.title = diag::text("scan.trace_title"),
         .lines = {diag::text("scan.trace_line", {{"records", std::to_string(records_)},
                                                  {"operators", std::to_string(figures.apis)},
                                                  {"supported", std::to_string(figures.supported)},
                                                  {"unknown", std::to_string(figures.unknown)}})}});
    return std::move(part_);
  }

 private:
  void count(const Called& called, Verdict verdict) {
    Figures& figures = part_.figures;
    ++figures.apis;
    figures.calls += called.calls;
    if (verdict == Verdict::kUnknown) ++figures.unknown;
    if (verdict <= Verdict::kAicpu) {
      ++figures.supported;
      figures.supported_calls += called.calls;
    }
    const std::string_view name = facts::to_string(verdict);
    verdicts_.set(name, verdicts_[name].integer() + 1);
  }

  void report(Saying saying, const std::string& op, const Called& called,
              const facts::OverloadVerdict& verdict, const std::vector<std::string>& refused) {
    diag::Finding finding{.code = std::string(saying.code),
                          .severity = saying.severity,
                          .place = {.file = name_, .byte = called.first_byte}};
    finding.args = {
        {"operator", to_valid_utf8(op)},
        {"chip", options_.target.soc.soc_version},
        {"dtypes", join(refused, ", ")},
        {"missing", verdict.missing.empty() ? op : join(verdict.missing, ", ")},
        {"calls", std::to_string(called.calls)},
        {"module", called.modules.empty() ? "" : to_valid_utf8(*called.modules.begin())}};
    finding.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(called.calls, 0xFFFFFFFFu));
    finding.properties.set("verdict", facts::to_string(verdict.verdict));
    Json modules = Json::array();
    for (const std::string& module : called.modules) modules.add(module);
    finding.properties.set("modules", std::move(modules));
    if (called.dynamic) finding.properties.set("dynamic_shape", true);
    part_.findings.push_back(std::move(finding));
  }

  const Options& options_;
  std::string name_;
  std::map<std::pair<std::string, bool>, Called> operators_;
  std::size_t records_ = 0, left_out_ = 0;
  bool training_ = false;
  Json verdicts_ = Json::object();
  Part part_;
};

}  // namespace

Result<Part> scan_trace(const std::filesystem::path& path, const Options& options) {
  ASSIGN(const MappedFile file, MappedFile::open(path));
  TraceScan scan(options, show_path(path));
  ASSIGN(const TraceHeader header,
         read_trace(file.bytes(), show_path(path),
                    [&](const TraceRecord& record) { scan.add(record); }));
  TRY(scan.judge());
  return scan.finish(header);
}

}  // namespace godwit::scan
