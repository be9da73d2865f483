// What all checks share.
#include "doctor/check.h"

namespace godwit::doctor {

diag::Finding finding(std::string_view code, diag::Severity severity, std::string_view source,
                      Args args) {
  return {.code = std::string(code),
          .severity = severity,
          .place = {.file = std::string(source)},
          .args = std::move(args)};
}

}  // namespace godwit::doctor
