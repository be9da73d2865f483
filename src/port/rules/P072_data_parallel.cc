// DataParallel drives all cards from one process, which torch_npu does not do; each process gets a
// copy instead, and gradients are averaged.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// The arguments behind the model choose cards; another one means something of its own.
bool chooses_cards(std::string_view keyword) {
  return keyword.empty() || keyword == "device_ids" || keyword == "output_device";
}

void share(const Subject& subject, NodeIndex call, World& world, Changes& changes) {
  const auto arguments = subject.module().arguments(call);
  if (arguments.empty()) return changes.leave(subject, call, "arguments");
  for (std::size_t n = 1; n < arguments.size(); ++n) {
    if (n > 2 || arguments[n].is_starred || !chooses_cards(arguments[n].keyword))
      return changes.leave(subject, call, "arguments");
  }
  const syntax::Tree& tree = subject.tree();
  changes.replace(subject, tree.child(call, Field::kFunction), format("{}.share", kCardsModule),
                  Proof::kImport);
  const NodeIndex list = tree.child(call, Field::kArguments);
  const std::uint32_t close = subject[list].end - 1;
  const std::uint32_t rest = subject[arguments[0].value].end;
  const std::string_view option = world.cards.sync_batchnorm ? ", sync_batchnorm=True" : "";
  if (arguments.size() > 1 || !option.empty())
    changes.replace(subject, rest, close, std::string(option), Proof::kImport);
}

// Shared only on some condition: the program itself stops when it trains without, see set_epoch().
void say_condition(const Subject& subject, NodeIndex call, Changes& changes) {
  const NodeIndex branch = subject.tree().ancestor(call, Kind::kIf);
  if (branch == kNoNode) return;
  const NodeIndex test = subject.tree().child(branch, Field::kCondition);
  if (test == kNoNode || contains(subject.text(test), "__main__")) return;
  changes.leave(subject, call, "condition", {{"name", std::string(subject.text(test))}});
}

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<NodeIndex> done;
  for (const TrainingProgram& program : world.cards.programs) {
    if (!world.cards.takes(program)) continue;
    for (const Site& site : program.parallel) {
      if (site.subject != &subject || !done.insert(site.node).second) continue;
      share(subject, site.node, world, changes);
      say_condition(subject, site.node, changes);
    }
  }
  if (!world.cards.has(subject)) return;
  // isinstance(model, nn.DataParallel)
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    const bool is_class =
        name == "torch.nn.DataParallel" || name == "torch.nn.parallel.DataParallel";
    if (!is_class || use.kind != project::UseKind::kReference) continue;
    changes.replace(subject, use.node, format("{}.DistributedDataParallel", kCardsModule),
                    Proof::kImport);
  }
}

}  // namespace

extern const Rule data_parallel = {
    .code = "P072",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
