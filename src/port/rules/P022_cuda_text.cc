// A name below torch.cuda inside a text, as mock.patch('torch.cuda.is_available') has it.
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// mock.patch finds the name when the test runs: it must be the one that the ported code calls.
bool is_patched(const StringSite& site, const World& world) {
  if (site.landing.name != "unittest.mock.patch" && site.landing.name != "mock.patch") return false;
  const auto found = world.names.find(site.content);
  if (!found || !(*found)->exists) return false;
  return std::string_view((*found)->npu).substr(10) == site.content.substr(11);  // below the module
}

void visit(const StringSite& site, World& world, Changes& changes) {
  if (site.content.ends_with("Tensor") || is_message(site)) return;  // P003
  if (site.content.find_first_of(" \n") != std::string_view::npos) return;
  if (is_patched(site, world)) {
    return rename_word(site, world, "torch.cuda", "torch.npu", Proof::kPosition, changes);
  }
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
