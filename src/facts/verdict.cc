// Names of verdicts, layers and flags, as tables and machine output write them.
#include "facts/verdict.h"

namespace godwit::facts {

Flag to_flag(std::string_view cell) {
  if (cell == "yes") return Flag::kYes;
  return cell == "no" ? Flag::kNo : Flag::kUnknown;
}

std::string_view to_string(Flag flag) {
  if (flag == Flag::kUnknown) return "unknown";
  return flag == Flag::kYes ? "yes" : "no";
}

std::string_view to_string(Layer layer) {
  switch (layer) {
    case Layer::kKernel: return "kernel";
    case Layer::kOfficial: return "official";
    case Layer::kObserved: return "observed";
    case Layer::kReading: return "reading";
  }
  return "unknown";
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSupported: return "supported";
    case Verdict::kFramework: return "framework";
    case Verdict::kUndocumented: return "undocumented";
    case Verdict::kAclopOrUndocumented: return "aclop_or_undocumented";
    case Verdict::kAicpu: return "aicpu";
    case Verdict::kAclopOnly: return "aclop_only";
    case Verdict::kCpuFallback: return "cpu_fallback";
    case Verdict::kPartial: return "partial";
    case Verdict::kUnknown: return "unknown";
    case Verdict::kBlockedBackward: return "blocked_backward";
    case Verdict::kBlocked: return "blocked";
  }
  return "unknown";
}

}  // namespace godwit::facts
