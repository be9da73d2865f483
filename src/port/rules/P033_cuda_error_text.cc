// Code that recognises an error by its text: 'CUDA out of memory' in str(error).
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const StringSite& site, World&, Changes& changes) {
  if (site.landing.where == Landing::Where::kCompared)
    changes.leave(site.subject, site.node, "left");
}

}  // namespace

extern const Rule cuda_error_text = {
    .code = "P033",
    .severity = diag::Severity::kWarning,
    .strings = {"CUDA", "CUDA error", "out of memory"},
    .string = visit,
};

}  // namespace godwit::port::rules
