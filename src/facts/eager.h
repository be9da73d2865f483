// Eager mode: does a torch API, or one operator overload, run on a chip through torch_npu?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/soc.h"
#include "facts/verdict.h"

namespace godwit::facts {

enum class Mode : std::uint8_t { kInference, kTraining };

/// torch.npu.set_compile_mode(jit_compile=…). kDefault: what torch_npu chooses for the chip.
enum class Jit : std::uint8_t { kDefault, kOn, kOff };

struct EagerOptions {
  Mode mode = Mode::kInference;
  Jit jit = Jit::kDefault;
  std::string cann{};   // "8.1.RC1"; empty: newest known
  std::string torch{};  // "2.9.0"; empty: newest known
};

/// One overload that reaches the device.
struct OverloadVerdict {
  std::string overload{};               // "aten::embedding_dense_backward"
  Verdict verdict = Verdict::kUnknown;  // under the options asked for
  Verdict jit_on = Verdict::kUnknown;   // through aclop where it has that path
  Verdict jit_off = Verdict::kUnknown;  // through aclnn where it has that path
  bool backward = false;                // needed for the gradient only
  bool always = true;                   // false: for some arguments of the API only
  std::vector<std::string> aclnn{};     // APIs that decide the aclnn path
  std::vector<std::string> cann_ops{};  // operators of the aclop path, deciding ones first
  std::vector<std::string> missing{};   // APIs and operators without a kernel
  std::vector<std::string> dtypes{};    // types named by the deciding rows; empty: not known
  std::vector<Evidence> evidence{};
};

struct EagerVerdict {
  std::string api{};   // as found: "torch.nn.functional.relu"; as asked when not found
  bool known = false;  // false: no table names it, verdict is kUnknown
  Verdict verdict = Verdict::kUnknown;
  std::vector<OverloadVerdict> overloads{};
  std::vector<std::string> offenders{};  // overloads that make the verdict what it is
  std::vector<Evidence> evidence{};      // rows about the API itself: pages, reports
  bool conflict = false;                 // tables disagree: show the evidence of both
};

/// Verdict on a torch or torch_npu API by its full name. In training the backward overloads are
/// judged too; an API whose forward runs and whose backward fails is kBlockedBackward. kPartial: a
/// blocked overload is reached by some arguments only.
Result<EagerVerdict> eager_verdict(std::string_view api, const Soc& soc,
                                   const EagerOptions& options = {});

/// Verdict on one overload ("aten::add.Tensor"), as operator traces name them.
Result<OverloadVerdict> overload_verdict(std::string_view overload, const Soc& soc,
                                         const EagerOptions& options = {});

/// The name under which the tables know an API, through its aliases ("torch.functional.einsum" →
/// "torch.einsum", "torch.nn.modules.activation.ReLU" → "torch.nn.ReLU"), or nothing.
Result<std::optional<std::string>> resolve_api(std::string_view name);

}  // namespace godwit::facts
