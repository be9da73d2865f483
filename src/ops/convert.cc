// Conversion by the signatures (ops/move). What only changed in meaning is said by the operators
// themselves.
#include "ops/convert.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "diag/messages.h"
#include "ir/fresh_names.h"
#include "ops/expand.h"
#include "ops/infer.h"
#include "ops/inline.h"
#include "ops/move.h"
#include "ops/stand_in.h"

namespace godwit::ops {
namespace {
// The name of a type that a value of the node has and the target does not know.
std::optional<std::string> unknown_type(const ir::Model& model, const ir::Node& node,
                                        std::int64_t target) {
  for (const std::vector<ValueId>* const list : {&node.inputs, &node.outputs}) {
    for (const ValueId value : *list) {
      const ElementType type =
          value == ir::kNone ? ElementType::kUndefined : model.values[value].type.element;
      if (type != ElementType::kUndefined && !kKnownTypes.has(type, target))
        return std::string(ir::name(type));
    }
  }
  return std::nullopt;
}

tl::unexpected<Error> impossible(const ir::Node& node, std::int64_t target, std::string reason) {
  return fail("E158", {},
              {{"op", to_valid_utf8(node.op)},
               {"node", to_valid_utf8(node.name.empty() ? node.op : node.name)},
               {"opset", format("{}", node.opset)},
               {"target", format("{}", target)},
               {"reason", std::move(reason)}});
}

// What there is to say when a call of `op` goes from one opset to the other; null: nothing.
const Adaptation* break_between(const Operator& op, std::int64_t from, std::int64_t to) {
  const auto [low, high] = std::minmax(from, to);
  for (const Adaptation* const row : kAdaptations) {
    if (row->op != op.name) continue;
    for (const int at : row->breaks) {
      if (low < at && at <= high) return row;
    }
  }
  return nullptr;
}

bool is_missing(const Operator& op, std::int64_t target) {
  return find_operator(op.domain, op.name, target) != &op;
}

class Converter {
 public:
  Converter(ir::Model& model, std::int64_t target) : model_(model), target_(target) {}

  Status run() {
    TRY(inline_functions(model_));
    TRY(infer(model_));
    TRY(rewrite_nodes(model_, [&](const Operator& op, ir::NodeId id) { return choose(op, id); }));
    drop_unread();
    ir::FreshNames names(model_);
    for (ir::GraphId graph = 0; graph < model_.graphs.size(); ++graph) {
      const std::vector<ir::NodeId> nodes = model_.graphs[graph].nodes;
      std::vector<ir::NodeId> out;
      for (const ir::NodeId id : nodes) TRY(move(graph, id, names, out));
      model_.graphs[graph].nodes = std::move(out);
    }
    std::erase_if(model_.opsets, [](const ir::Opset& row) { return row.domain.empty(); });
    model_.opsets.insert(model_.opsets.begin(), {"", target_});
    return {};
  }

 private:
  // Constants that rewriting took the last user from; their types may be unknown in the target.
  void drop_unread() {
    std::vector<bool> is_read(model_.values.size(), false);
    const auto read = [&](const std::vector<ValueId>& values) {
      for (const ValueId value : values) {
        if (value != ir::kNone) is_read[value] = true;
      }
    };
    for (const ir::Graph& graph : model_.graphs) {
      read(graph.inputs);
      read(graph.outputs);
      for (const ir::NodeId node : graph.nodes) read(model_.nodes[node].inputs);
    }
    for (ir::Graph& graph : model_.graphs) {
      std::erase_if(graph.constants, [&](ValueId value) { return !is_read[value]; });
      std::erase_if(graph.nodes, [&](ir::NodeId id) {
        const ir::Node& node = model_.nodes[id];
        return node.op == "Constant" && node.domain.empty() && !is_read[node.outputs[0]];
      });
    }
  }

  // What cannot be computed here is what cannot be said there.
  Rewrite choose(const Operator& op, ir::NodeId id) {
    Rewrite rule = chosen(op, id);
    if (!rule) return nullptr;
    const std::int64_t opset = model_.nodes[id].opset;
    return [this, opset, rule = std::move(rule)](Expansion& e) -> Result<bool> {
      Result<bool> done = rule(e);
      if (done || done.error().code != "E151") return done;
      Error error = std::move(done).error();
      error.code = "E158";
      error.args.emplace_back("opset", format("{}", opset));
      error.args.emplace_back("target", format("{}", target_));
      return tl::unexpected(std::move(error));
    };
  }

  Rewrite chosen(const Operator& op, ir::NodeId id) {
    const ir::Node& node = model_.nodes[id];
    if (!op.domain.empty() || node.opset == target_ || adapted_.count(id)) return nullptr;
    if (is_missing(op, target_)) return expansion_of(op);
    if (const Adaptation* const row = break_between(op, node.opset, target_)) {
      if (!row->adapt) return expansion_of(op);
      return [this, row, id](Expansion& e) {
        adapted_.insert(id);
        return row->adapt(e, target_);
      };
    }
    Parts unused;
    return move_parts(model_, op, node, target_, unused).empty() ? nullptr : expansion_of(op);
  }

  Status move(ir::GraphId graph, ir::NodeId id, ir::FreshNames& names,
              std::vector<ir::NodeId>& out) {
    const ir::Node& node = model_.nodes[id];
    if (!node.domain.empty()) {
      out.push_back(id);
      return {};
    }
    if (const auto type = unknown_type(model_, node, target_))
      return impossible(node, target_, diag::text("convert.type", {{"type", *type}}));
    const Operator* const op = find_operator(node);
    if (!op) return unknown_operator(node);
    if (node.opset == target_) {  // as it came, or made by an expansion
      if (!stand_in(model_, *op, id, names, out).empty()) out.push_back(id);
      return {};
    }
    if (is_missing(*op, target_)) return impossible(node, target_, diag::text("convert.missing"));
    const Adaptation* const row = break_between(*op, node.opset, target_);
    if (row && !row->adapt) return impossible(node, target_, diag::text("convert.meaning"));
    Parts made;
    std::string why = move_parts(model_, *op, node, target_, made);
    if (!why.empty()) return impossible(node, target_, std::move(why));
    const std::string stem = node.name.empty() ? node.op : node.name;
    for (auto& [place, tensor] : made.constants)
      made.inputs[place] = model_.add_constant(graph, names.fresh(stem + "/constant"), tensor);
    model_.nodes[id].inputs = std::move(made.inputs);
    model_.nodes[id].attributes = std::move(made.attributes);
    const std::int64_t before = std::exchange(model_.nodes[id].opset, target_);
    why = stand_in(model_, *op, id, names, out);
    if (why.empty()) return {};
    model_.nodes[id].opset = before;
    return impossible(model_.nodes[id], target_, std::move(why));
  }

  ir::Model& model_;
  std::int64_t target_;
  std::set<ir::NodeId> adapted_;  // across a break; their parts are moved last
};

}  // namespace

Status convert(ir::Model& model, std::int64_t target) { return Converter(model, target).run(); }

}  // namespace godwit::ops
