// The backend of process groups: nccl becomes hccl in literals, defaults and comparisons together.
#include "base/text.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// "cpu:gloo,cuda:nccl" names a backend per device.
void rename_pair(const StringSite& site, Changes& changes) {
  const auto at = static_cast<std::uint32_t>(site.content.find("cuda:nccl"));
  changes.replace(site.subject, site.begin + at, site.begin + at + 9, "npu:hccl", Proof::kPosition);
}

// `backend: Literal["nccl", "gloo"]`: the text is one of the values of what is annotated.
bool is_literal_type(const StringSite& site, World& world) {
  const Subject& subject = site.subject;
  const syntax::Tree& tree = subject.tree();
  NodeIndex type = site.node;
  while (type != kNoNode && subject[type].field != Field::kType) type = subject[type].parent;
  if (type == kNoNode || !contains(subject.text(type), "Literal[")) return false;
  const NodeIndex holder = subject[type].parent;
  NodeIndex name = tree.child(holder, Field::kName);
  if (name == kNoNode) name = tree.child(holder, Field::kLeft);
  if (name == kNoNode) name = tree.first_child(holder);
  return name != type && world.flow.slots().has(world.flow.slot(subject, name), Meaning::kBackend);
}

void visit(const StringSite& site, World& world, Changes& changes) {
  const bool is_pair = contains(site.content, "cuda:nccl");
  if (!is_pair && !equals_ignoring_case(site.content, "nccl")) return;
  const auto proof = proof_of(site, world, Meaning::kBackend);
  if (proof && is_pair && is_portable(world))
    return changes.leave(site.subject, site.node, "unproven",
                         {{"text", std::string(site.content)}, {"name", ""}});
  if (proof && is_pair) return rename_pair(site, changes);
  if (proof) return rename_word(site, world, site.content, "hccl", *proof, changes);
  if (!is_pair && !is_portable(world) && is_literal_type(site, world))
    return rename_word(site, world, site.content, "hccl", Proof::kFlow, changes);
  if (is_message(site)) return;
  const bool is_compared = site.landing.where == Landing::Where::kCompared;
  changes.as(is_compared ? diag::Severity::kError : diag::Severity::kWarning)
      .leave(site.subject, site.node, is_compared ? "compared" : "unproven",
             {{"text", std::string(site.content)}, {"name", std::string(site.landing.name)}});
}

}  // namespace

extern const Rule nccl_backend = {
    .code = "P012",
    .severity = diag::Severity::kWarning,
    .strings = {"nccl", "NCCL", "cuda", "cpu"},
    .string = visit,
};

}  // namespace godwit::port::rules
