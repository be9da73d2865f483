// Runs one of two graphs.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const auto then_graph = n.subgraph("then_branch"), else_graph = n.subgraph("else_branch");
  if (!n.subgraph_types || !then_graph || !else_graph) return {};
  ASSIGN(const std::vector<Known> a, n.subgraph_types(*then_graph, {}));
  ASSIGN(const std::vector<Known> b, n.subgraph_types(*else_graph, {}));
  for (std::size_t i = 0; i < n.outputs() && i < a.size() && i < b.size(); ++i)
    n.set(i, ir::common(a[i].type, b[i].type));
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const double condition, call.scalar(0));
  const auto graph = call.subgraph(condition != 0 ? "then_branch" : "else_branch");
  if (!graph) return call.refuse("branch");
  ASSIGN(std::vector<Datum> made, call.run(*graph, {}));
  for (std::size_t i = 0; i < made.size(); ++i) call.set(i, std::move(made[i]));
  return {};
}

}  // namespace

extern const Operator if_ = {
    .name = "If",
    .doc = "Runs then_branch where the condition holds, else else_branch.",
    .inputs = {{"cond", 'B', kBool}},
    .outputs = {{.name = "outputs",
                 .variable = 'V',
                 .types = any_tensor(16, 19),
                 .kind = kMixed,
                 .form = Form::kTensor | since(13, Form::kSequence) | since(16, Form::kOptional)}},
    .attributes = {{"then_branch", kMustBeThere}, {"else_branch", kMustBeThere}},
    .revisions = {11, 13, 16, 19, 21, 23, 24, 25},
    .numerics = Numerics::kControl,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
