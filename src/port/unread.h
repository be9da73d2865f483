// What is said of a file that was not read: it may need edits too, and is missing from a copy.
#pragma once

#include <string_view>

#include "base/text.h"
#include "diag/finding.h"
#include "diag/messages.h"

namespace godwit::port {

inline diag::Finding unread(const Error& error, std::string_view variant) {
  return {.code = "P034",
          .severity = diag::Severity::kWarning,
          .place = error.place,
          .args = {{"code", error.code},
                   {"reason", diag::text(format("{}.title", error.code), error.args)}},
          .variant = std::string(variant)};
}

}  // namespace godwit::port
