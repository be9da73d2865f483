// Graph mode: does ATC turn an ONNX operator into something the chip can run?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/kernels.h"
#include "facts/soc.h"
#include "facts/verdict.h"

namespace godwit::facts {

/// What it takes: nothing; the parser builds it from several operators; a kernel of our own; ATC
/// refuses it and no tier is known.
enum class Tier : std::uint8_t { kUnknown, kDirect, kCustomKernel, kDecompose, kUnsupported };

std::string_view to_string(Tier tier);  // "direct", "custom_kernel", "decompose" …
int number_of(Tier tier);               // 1, 2, 3; 0 for the others

/// One way in which the parser builds a node.
struct ParserForm {
  std::string condition{};            // "keepdims=0"; empty: always
  std::vector<std::string> builds{};  // operators; empty: refused
  std::string source{}, at{};
};

/// One demand of the parser, taken apart: "needs_attr:size|dtype" → {"needs_attr", "size|dtype"}.
struct Restriction {
  std::string rule{}, value{};
};

struct GraphVerdict {
  std::string op{}, domain{};
  Verdict verdict = Verdict::kUnknown;
  Tier tier = Tier::kUnknown;
  bool has_parser = false;           // an open plug-in names the operator
  bool opset_fits = false;           // the plug-in is registered for this opset
  std::string opsets{};              // "8-18"
  std::string cann_op{};             // "Softmax"; empty when it becomes a sub-graph
  std::vector<std::string> built{};  // operators of the sub-graph
  std::vector<ParserForm> forms{};
  std::vector<Restriction> restrictions{};
  std::string since{};       // first CANN release of the kernel, when a newer one is needed
  bool static_only = false;  // static shapes only
  std::vector<std::string> dtypes{};    // types of the CANN operator on the chip; empty: not known
  std::vector<std::string> missing{};   // operators without a kernel
  std::vector<std::string> on_aicpu{};  // operators that run on the AI CPU
  std::vector<KernelState> kernels{};   // one per operator of cann_op or built, in that order
  std::vector<Evidence> evidence{};
  bool conflict = false;  // tables disagree
};

/// Verdict on an ONNX operator; domain "" and "ai.onnx" are one. `cann` empty: newest known.
Result<GraphVerdict> onnx_verdict(std::string_view domain, std::string_view op, std::int64_t opset,
                                  const Soc& soc, std::string_view cann = {});

/// Verdict on a CANN operator type ("MatMulV2") in a graph: kernels only.
Result<GraphVerdict> operator_verdict(std::string_view op, const Soc& soc,
                                      std::string_view cann = {});

}  // namespace godwit::facts
