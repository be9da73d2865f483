// torch.cuda.X becomes torch.npu.X where the chosen torch_npu release has it; other names are left.
#include "base/text.h"
#include "port/cuda_module.h"
#include "port/literals.h"
#include "port/rule.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// Names whose counterpart computes or answers something else: renaming would change results.
bool changes_results(std::string_view name) {
  return contains(name, ".Double") || name == "torch.cuda.get_device_capability";
}

// The name asked for by text in hasattr(torch.cuda, 'x'), getattr and setattr; kNoNode elsewhere.
NodeIndex asked_name(const UseSite& site) {
  const Subject& subject = site.subject;
  const NodeIndex list = subject[site.use.node].parent;
  if (list == kNoNode || subject[list].kind != Kind::kArgumentList) return kNoNode;
  const NodeIndex call = subject[list].parent;
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  if (function == kNoNode || !subject.text(function).ends_with("attr")) return kNoNode;
  const auto arguments = subject.module().arguments(call);
  return arguments.size() > 1 && arguments[0].value == site.use.node ? arguments[1].value : kNoNode;
}

// Shown when the release has the name that is asked for, unchanged.
bool is_answered(const UseSite& site, NodeIndex asked, const World& world) {
  const auto text = site.subject.module().literal(asked);
  if (!text) return false;
  const auto found = world.names.find(format("{}.{}", site.name, *text));
  return found && (*found)->exists && (*found)->npu.ends_with(format(".{}", *text));
}

// `'cuda' if torch.cuda.is_available() else 'cpu'`: the value of the choice, when it must stay.
bool chooses_unshown(const UseSite& site, World& world) {
  const Subject& subject = site.subject;
  const NodeIndex choice = subject.tree().ancestor(site.use.node, Kind::kConditionalExpression);
  if (choice == kNoNode || !site.name.ends_with("is_available")) return false;
  const auto parts = subject.children(choice);
  if (parts.size() != 3 || !subject.is_in(site.use.node, parts[1])) return false;
  for (const NodeIndex value : {parts[0], parts[2]}) {
    const auto text = subject.module().literal(value);
    if (!text || !names_cuda_device(*text)) continue;
    if (!world.flow.is_shown(subject, world.flow.land(subject, value), value, Meaning::kDevice))
      return true;
  }
  return false;
}

// torch.cuda.X asks the helper for its module; a name that an import bound stays, for the import
// itself asks. What has another name on the NPU cannot be said for both.
void ask_helper(const UseSite& site, bool is_renamed, const World& world, Changes& changes) {
  const Subject& subject = site.subject;
  const CudaParts parts = cuda_parts(subject, site.use.node, site.name);
  if (parts.cuda == kNoNode || subject[parts.cuda].begin == subject[site.use.node].begin) return;
  if (is_renamed) {
    return changes.leave(subject, site.use.node, "portable", {{"name", std::string(site.name)}});
  }
  changes.with(Helper::kDevice)
      .replace(subject, subject[site.use.node].begin, subject[parts.cuda].end,
               asks_helper(subject, world, "module"), Proof::kImport);
}

void rename(const UseSite& site, const Counterpart& counterpart, Changes& changes) {
  const Subject& subject = site.subject;
  const CudaParts parts = cuda_parts(subject, site.use.node, site.name);
  if (parts.cuda != kNoNode) changes.replace(subject, parts.cuda, "npu", Proof::kImport);
  const std::string_view before = site.name.substr(site.name.rfind('.') + 1);
  const std::string_view after =
      std::string_view(counterpart.npu).substr(counterpart.npu.rfind('.') + 1);
  if (parts.cuda != kNoNode && before != after && parts.last != parts.cuda) {
    changes.replace(subject, parts.last, std::string(after), Proof::kImport);
  }
  if (counterpart.differs) {
    changes.as(diag::Severity::kNote)
        .leave(subject, site.use.node, "differs",
               {{"name", counterpart.npu}, {"note", counterpart.note}});
  }
}

void visit(const UseSite& site, World& world, Changes& changes) {
  // stream.synchronize(): the object's own name, which stays whatever made it.
  if (site.use.proof == project::Proof::kType) return;
  const Subject& subject = site.subject;
  const NodeIndex node = site.use.node;
  const Args args = {{"name", std::string(site.name)}, {"release", world.names.release()}};
  if (site.use.proof == project::Proof::kRebound)
    return changes.leave(subject, node, "rebound", args);
  if (chooses_unshown(site, world)) return changes.leave(subject, node, "held", args);
  const NodeIndex asked = asked_name(site);
  if (asked != kNoNode && !is_answered(site, asked, world)) {
    return changes.leave(subject, node, "attribute", args);
  }
  const auto found = world.names.find(site.name);
  if (!found) return;
  const Counterpart& counterpart = **found;
  if (!counterpart.is_known) return changes.leave(subject, node, "missing", args);
  if (!counterpart.exists) return changes.leave(subject, node, "release", args);
  if (changes_results(site.name)) {
    return changes.leave(subject, node, "changes", {args[0], {"note", counterpart.note}});
  }
  // Imported under a name of its own: the import decides, and stays when one of its names is
  // missing.
  if (!is_import_editable(subject, site, world)) return;
  if (is_portable(world)) {
    return ask_helper(site, counterpart.npu.substr(9) != site.name.substr(10), world, changes);
  }
  rename(site, counterpart, changes);
}

}  // namespace

extern const Rule cuda_names = {
    .code = "P001",
    .severity = diag::Severity::kError,
    .names = {"torch.cuda", "torch.cuda.*"},
    .use = visit,
};

}  // namespace godwit::port::rules
