// Cells of a notebook are text inside JSON: what they need is counted, not edited.
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool guard(const Subject& subject, World&, Changes& changes) {
  if (subject.module().file().kind != project::FileKind::kNotebook) return false;
  changes.leave(subject, 0, "left");
  return true;
}

}  // namespace

extern const Rule notebooks = {
    .code = "P023",
    .severity = diag::Severity::kWarning,
    .guard = guard,
};

}  // namespace godwit::port::rules
