// The text of a device: 'cuda', f'cuda:{i}', 'cuda:' + x, wherever its value is shown to be one.
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

bool belongs_elsewhere(const StringSite& site) {
  if (site.landing.where == Landing::Where::kCompared) return true;              // P005
  return site.landing.position && site.landing.position->role != Role::kDevice;  // P009, P014, P016
}

// {'cuda:0': 'cuda:1'} of map_location: P014 speaks of the whole.
bool is_in_map_location(const StringSite& site) {
  const Subject& subject = site.subject;
  const NodeIndex table = subject.tree().ancestor(site.node, Kind::kDictionary);
  if (table == kNoNode || subject[subject[table].parent].kind != Kind::kKeywordArgument)
    return false;
  return subject.text(subject.tree().child(subject[table].parent, Field::kName)) == "map_location";
}

void visit(const StringSite& site, World& world, Changes& changes) {
  if (!names_cuda_device(site.content) || belongs_elsewhere(site) || is_in_map_location(site))
    return;
  if (const auto proof = proof_of(site, world, Meaning::kDevice)) {
    return rename_word(site, world, "cuda", "npu", *proof, changes);
  }
  if (is_message(site)) return;
  if (world.flow.is_held(site.subject, site.landing, site.node)) {
    return changes.leave(site.subject, site.node, "held", {{"text", std::string(site.content)}});
  }
  const Args args = {{"text", std::string(site.content)}, {"name", std::string(site.landing.name)}};
  switch (site.landing.where) {
    case Landing::Where::kKey:
      return changes.as(diag::Severity::kNote).leave(site.subject, site.node, "key", args);
    case Landing::Where::kForeign: return changes.leave(site.subject, site.node, "foreign", args);
    case Landing::Where::kSlots: return changes.leave(site.subject, site.node, "flow", args);
    default: return changes.leave(site.subject, site.node, "unproven", args);
  }
}

}  // namespace

extern const Rule device_strings = {
    .code = "P004",
    .severity = diag::Severity::kWarning,
    .strings = {"cuda"},
    .string = visit,
};

}  // namespace godwit::port::rules
