// Tensor types named by text, as x.type('torch.cuda.FloatTensor') takes them.
#include "base/text.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

bool is_compared_with_type(const StringSite& site) {
  return site.landing.where == Landing::Where::kCompared &&
         contains(site.subject.text(site.landing.at), ".type()");
}

void visit(const StringSite& site, World& world, Changes& changes) {
  if (!site.content.ends_with("Tensor")) return;
  const Args args = {{"name", std::string(site.content)}};
  const auto found = world.names.find(site.content);
  if (!found || !(*found)->exists) return changes.leave(site.subject, site.node, "missing", args);
  if (contains(site.content, "Double"))
    return changes.leave(site.subject, site.node, "double", args);
  const bool is_argument =
      site.landing.position && site.landing.position->role == Role::kTensorType;
  if (!is_argument && !is_compared_with_type(site)) {
    return changes.leave(site.subject, site.node, "unproven", args);
  }
  rename_word(site, world, "torch.cuda", "torch.npu", Proof::kPosition, changes);
}

}  // namespace

extern const Rule tensor_types = {
    .code = "P003",
    .severity = diag::Severity::kError,
    .strings = {"torch.cuda"},
    .string = visit,
};

}  // namespace godwit::port::rules
