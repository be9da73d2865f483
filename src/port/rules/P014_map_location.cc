// A checkpoint saved on CUDA cannot be loaded where CUDA is missing unless map_location names a
// device that exists.
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

void visit_string(const StringSite& site, World&, Changes& changes) {
  if (!site.landing.position || site.landing.position->role != Role::kMapLocation) return;
  if (names_cuda_device(site.content)) rename_word(site, "cuda", "npu", Proof::kPosition, changes);
}

bool is_plain(const Subject& subject, NodeIndex value) {
  switch (subject[value].kind) {
    case Kind::kString:
    case Kind::kConcatenatedString:
    case Kind::kBinaryOperator: return true;
    case Kind::kConditionalExpression: return true;
    default: return false;
  }
}

void visit_use(const UseSite& site, World& world, Changes& changes) {
  if (site.use.call == kNoNode) return;
  const Subject& subject = site.subject;
  NodeIndex where = kNoNode;
  for (const project::Argument& argument : subject.module().arguments(site.use.call)) {
    if (argument.is_starred) return;
    if (argument.keyword == "map_location") where = argument.value;
  }
  const int index = site.name.ends_with("load") ? 1 : 2;
  if (where == kNoNode) where = subject.module().argument(site.use.call, "map_location", index);
  if (where == kNoNode || subject[where].kind == Kind::kNone) {
    return changes.as(diag::Severity::kWarning).leave(subject, site.use.node, "missing");
  }
  if (subject[where].kind == Kind::kLambda) return changes.leave(subject, where, "lambda");
  if (subject[where].kind == Kind::kDictionary) return changes.leave(subject, where, "dict");
  if (is_plain(subject, where) || world.flow.means(subject, where, Meaning::kDevice)) return;
  changes.as(diag::Severity::kNote).leave(subject, where, "unproven");
}

}  // namespace

extern const Rule map_location = {
    .code = "P014",
    .severity = diag::Severity::kError,
    .names = {"torch.load", "torch.jit.load", "torch.hub.load_state_dict_from_url",
              "torch.utils.model_zoo.load_url"},
    .strings = {"cuda"},
    .use = visit_use,
    .string = visit_string,
};

}  // namespace godwit::port::rules
