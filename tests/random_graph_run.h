// What must hold for a random graph: it is refused or it runs, and then the shape rules were right.
#pragma once

#include <string>

#include "exec/interpreter.h"
#include "ir/verify.h"
#include "ops/expand.h"
#include "ops/infer.h"
#include "random_graph.h"

namespace godwit::tests {

struct RandomRun {
  bool ran = false;
  std::string fault{};  // empty: fine
};

inline RandomRun run_random(std::span<const std::uint8_t> bytes) {
  RandomGraph graph(bytes);
  if (const Status fine = ir::verify(graph.model); !fine) return {false, fine.error().code};
  if (!ops::expand_unknown(graph.model) || !ops::infer(graph.model)) return {};
  RandomRun out;
  const exec::Tap check = [&](ir::ValueId value, const ir::Datum& datum) -> Status {
    const ir::Type& rule = graph.model.values[value].type;
    if (!rule.is_tensor() || !datum.is_tensor()) return {};
    const ir::Sizes& dims = datum.tensor.dims();
    const ir::Type made =
        ir::Type::tensor(datum.tensor.type(), ir::Shape(dims.begin(), dims.end()));
    if (!unify(rule, made) && out.fault.empty()) {
      const ir::NodeId by = graph.model.values[value].producer;
      out.fault = format("{}: rule {}, run {}", by == ir::kNone ? "-" : graph.model.nodes[by].op,
                         to_string(rule), to_string(made));
    }
    return {};
  };
  out.ran = exec::run(graph.model, graph.inputs, {.tap = check}).has_value();
  return out;
}

}  // namespace godwit::tests
