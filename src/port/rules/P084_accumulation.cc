// Gradients that are summed over several batches need not travel before the last of them.
#include "base/text.h"
#include "port/batch_loops.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// scheduler.step() is another matter.
bool is_of_optimizer(const Subject& subject, NodeIndex call) {
  const syntax::Tree& tree = subject.tree();
  const NodeIndex object = tree.child(tree.child(call, Field::kFunction), Field::kObject);
  return object != kNoNode &&
         (subject.module().type_of(object) == project::Type::kOptimizer ||
          contains(subject.text(object), "optim") || contains(subject.text(object), "scaler"));
}

// `if (i + 1) % n == 0:` around optimizer.step(), directly in the body of a batch loop.
NodeIndex step_test(const Subject& subject, const BatchLoop& loop) {
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = loop.loop; node < nodes[loop.loop].past; ++node) {
    if (nodes[node].kind != Kind::kCall || method_of(subject, node) != "step") continue;
    if (!is_of_optimizer(subject, node)) continue;
    const NodeIndex branch = subject.tree().ancestor(node, Kind::kIf);
    if (branch == kNoNode || !subject.is_in(branch, loop.loop)) continue;
    const NodeIndex test = subject.tree().child(branch, Field::kCondition);
    if (test != kNoNode && contains(subject.text(test), "%")) return test;
  }
  return kNoNode;
}

// The names of the test mean the same at the top of the loop: none is bound in its body.
bool is_known_before(const Subject& subject, const BatchLoop& loop, NodeIndex test) {
  const auto& nodes = subject.tree().nodes();
  const NodeIndex body = subject.tree().child(loop.loop, Field::kBody);
  for (NodeIndex name = test; name < nodes[test].past; ++name) {
    if (nodes[name].kind == Kind::kCall) return false;
    if (nodes[name].kind != Kind::kIdentifier) continue;
    for (NodeIndex node = body; node < nodes[body].past; ++node) {
      const bool binds = nodes[node].kind == Kind::kAssignment ||
                         nodes[node].kind == Kind::kAugmentedAssignment ||
                         nodes[node].kind == Kind::kFor;
      const NodeIndex left = binds ? subject.tree().child(node, Field::kLeft) : kNoNode;
      if (left != kNoNode && contains(subject.text(left), subject.text(name))) return false;
    }
  }
  return true;
}

// A program with a process group of its own: its gradients travel after each batch, unless it knows
// how to hold them back.
void advise(const Subject& subject, const TrainingProgram& program, std::set<NodeIndex>& done,
            Changes& changes) {
  for (const Subject* const module : program.modules) {
    const std::string_view text = module->module().source().text();
    if (contains(text, "no_sync") || contains(text, "require_backward_grad_sync")) return;
  }
  for (const BatchLoop& loop : program.loops) {
    if (loop.subject != &subject || !done.insert(loop.loop).second) continue;
    const NodeIndex test = step_test(subject, loop);
    if (test != kNoNode) changes.as(diag::Severity::kNote).leave(subject, test, "own");
  }
}

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<NodeIndex> done;
  for (const TrainingProgram& program : world.cards.programs) {
    const bool is_own = program.is_distributed && !Cards::is_ported(program);
    if (is_own && world.cards.is_asked()) advise(subject, program, done, changes);
    if (!world.cards.takes(program)) continue;
    for (const BatchLoop& loop : program.loops) {
      if (loop.subject != &subject || !done.insert(loop.loop).second) continue;
      const NodeIndex test = step_test(subject, loop);
      if (test == kNoNode) continue;
      if (loop.model == kNoNode || !is_known_before(subject, loop, test)) {
        changes.as(diag::Severity::kNote).leave(subject, test, "left");
        continue;
      }
      const NodeIndex first =
          subject.tree().first_child(subject.tree().child(loop.loop, Field::kBody));
      const std::string text = format("{}.sync_when({}, {})", kCardsModule,
                                      subject.text(loop.model), subject.text(test));
      changes.insert(subject, subject[first].begin, as_statement(subject, first, text), test);
    }
  }
}

}  // namespace

extern const Rule accumulation = {
    .code = "P084",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
