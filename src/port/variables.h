// Environment variables: may this one be renamed, and does this value mean the same to the NPU?
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "facts/environment.h"

namespace godwit::port {

enum class Fit : std::uint8_t {
  kNotOurs,  // not a CUDA variable, or used under the same name
  kRename,   // rename it
  kValue,    // has a counterpart, but this value is not known to mean the same there
  kSimilar,  // the counterpart takes other values: a person translates
  kNone,     // nothing reads it on the NPU
};

struct Verdict {
  Fit fit = Fit::kNotOurs;
  std::string ascend{};
  std::string note{};
};

/// `value` null: it is read, or its value is not known. Errors: those of the table.
Result<Verdict> judge_variable(std::string_view name, const std::string_view* value);

/// The variable has a counterpart, but this value is not known to mean the same there.
bool is_unfit_value(std::string_view name, std::string_view value);

}  // namespace godwit::port
