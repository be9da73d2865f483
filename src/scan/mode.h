// Mode: does a project train? Training needs backward operators, inference does not.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "project/project.h"

namespace godwit::scan {

enum class Mode : std::uint8_t { kAuto, kInference, kTraining };

std::string_view to_string(Mode mode);  // "auto", "inference", "training"
/// Errors: E051 another word.
Result<Mode> parse_mode(std::string_view text);

/// The decision and why: a message key ("scan.mode_backward") with its arguments.
struct Decision {
  bool training = false;
  std::string why;
  Args args{};
  std::string reason() const;  // in the user's language
};

/// `asked` wins; kAuto looks for gradients, optimizers and training frameworks.
Decision decide_mode(const project::Project& project, Mode asked);

}  // namespace godwit::scan
