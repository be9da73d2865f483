// A name below torch.cuda inside a text, as mock.patch('torch.cuda.is_available') has it.
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

void visit(const StringSite& site, World&, Changes& changes) {
  if (site.content.ends_with("Tensor") || is_message(site)) return;  // P003
  if (site.content.find_first_of(" \n") != std::string_view::npos) return;
  changes.leave(site.subject, site.node, "left", {{"name", std::string(site.content)}});
}

}  // namespace

extern const Rule cuda_text = {
    .code = "P022",
    .severity = diag::Severity::kWarning,
    .strings = {"torch.cuda"},
    .string = visit,
};

}  // namespace godwit::port::rules
