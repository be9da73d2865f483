// APIs whose verdict does not come from operators of their own: wrappers, collectives, names of
// torch.cuda.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "facts/eager.h"

namespace godwit::scan {

struct WrapperVerdict {
  facts::EagerVerdict eager{};
  std::string said_by{};  // the rule that speaks about it; empty: the rules on verdicts do
};

/// Nothing when operators decide. Errors: those of facts.
Result<std::optional<WrapperVerdict>> wrapper_verdict(std::string_view api, const facts::Soc& soc,
                                                      std::string_view torch_npu);

/// True when torch_npu has a counterpart of a torch.cuda name, or of what it is a member of.
Result<bool> has_counterpart(std::string_view cuda_name, std::string_view torch_npu);

}  // namespace godwit::scan
