// Verdicts: what we say about an operator or API on a chip, and the evidence that led to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace godwit::facts {

/// Empty cells of the tables are unknown, never "no".
enum class Flag : std::uint8_t { kUnknown, kNo, kYes };

Flag to_flag(std::string_view cell);    // "yes", "no"; anything else is unknown
std::string_view to_string(Flag flag);  // "yes", "no", "unknown"
inline bool is_yes(Flag flag) { return flag == Flag::kYes; }
inline bool is_no(Flag flag) { return flag == Flag::kNo; }

/// Kinds of evidence, kept apart: a kernel is registered; the documentation promises it; somebody
/// ran it; or we read the source that chooses between paths.
enum class Layer : std::uint8_t { kKernel, kOfficial, kObserved, kReading };

std::string_view to_string(Layer layer);  // "kernel", "official", "observed", "reading"

/// Best first. Never stored: always computed from the layers.
enum class Verdict : std::uint8_t {
  kSupported,            // kernels and promise, or the default path is official
  kFramework,            // handled above the kernels: views, metadata, host work
  kUndocumented,         // kernels are registered, the documentation leaves the chip out
  kAclopOrUndocumented,  // official with jit_compile on, undocumented with it off
  kAicpu,                // right, but on the AI CPU: slow
  kAclopOnly,            // works only with jit_compile on
  kCpuFallback,          // no NPU kernel: runs on the host, with copies and one warning
  kPartial,              // some arguments or some of the needed kernels only
  kUnknown,              // the tables do not say
  kBlockedBackward,      // runs forward, fails in training
  kBlocked,              // fails
};

std::string_view to_string(Verdict verdict);  // "supported", "aclop_or_undocumented" …

/// The worse of two.
inline Verdict worst(Verdict a, Verdict b) { return a < b ? b : a; }

/// One row that speaks for or against.
struct Evidence {
  Layer layer = Layer::kKernel;
  std::string table{};    // "ops/kernels/ascend310p.tsv"
  std::string subject{};  // operator, API or overload of the row
  std::string says{};     // what the row says, in a few words: "aicore, CANN 8.1.RC1: fp16|fp32"
  std::string source{};   // id in sources.tsv
  std::string at{};       // place inside the source
};

}  // namespace godwit::facts
