// A module named torch in the project is what `import torch` finds: its names are not PyTorch's.
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool guard(const Subject& subject, World& world, Changes& changes) {
  if (!world.project.find("torch")) return false;
  changes.leave(subject, 0, "left");
  return true;
}

}  // namespace

extern const Rule own_torch = {
    .code = "P060",
    .severity = diag::Severity::kError,
    .guard = guard,
};

}  // namespace godwit::port::rules
