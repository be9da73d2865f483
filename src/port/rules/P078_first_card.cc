// What every process would write is written by the first one: checkpoints, files, log writers.
#include "base/text.h"
#include "facts/tables.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// data/port/writers.tsv
bool is_writer(std::string_view name) {
  const auto table = facts::table("port/writers.tsv", {"call"});
  return table && !(*table)->find((*table)->column("call"), name).empty();
}

// open(path, "w"): a mode that is not known to read counts as writing when it is given as a text.
bool writes(const Subject& subject, NodeIndex call) {
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  if (function == kNoNode || subject[function].kind != Kind::kIdentifier ||
      subject.text(function) != "open" || subject.binder("open", subject.scope_of(function)))
    return false;
  const NodeIndex mode = subject.module().argument(call, "mode", 1);
  if (mode == kNoNode) return false;
  const auto text = subject.module().literal(mode);
  return text && text->find_first_of("wax+") != std::string_view::npos;
}

void visit(const Subject& subject, World& world, Changes& changes) {
  if (!world.cards.has(subject)) return;
  for (const project::Use& use : subject.module().uses()) {
    if (use.call == kNoNode) continue;
    const std::string_view name = subject.module().name(use.name);
    if (name == "torch.save")
      changes.replace(subject, use.node, format("{}.save", kCardsModule), Proof::kImport);
    if (is_writer(name)) {
      changes.replace(subject, use.node,
                      format("{}.first_card({})", kCardsModule, subject.text(use.node)),
                      Proof::kImport);
    }
  }
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kCall || !writes(subject, node)) continue;
    changes.replace(subject, subject.tree().child(node, Field::kFunction),
                    format("{}.open", kCardsModule), Proof::kPosition);
  }
}

}  // namespace

extern const Rule first_card = {
    .code = "P078",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
