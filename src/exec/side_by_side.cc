// Steps the found side, then the reference until it has what was found.
#include "exec/side_by_side.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "ir/subgraphs.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::ValueId;

void add_made(const ir::Model& model, const ir::Graph& graph, std::vector<ValueId>& out) {
  for (const ir::NodeId node : graph.nodes) {
    for (const ir::GraphId inner : ir::subgraphs(model.nodes[node]))
      add_made(model, model.graphs[inner], out);
    for (const ValueId value : model.nodes[node].outputs) {
      if (value != ir::kNone) out.push_back(value);
    }
  }
}

// Inputs of the main graph and what nodes make, in order; what bodies make stands before what the
// node that runs them does.
std::vector<ValueId> all_values(const ir::Model& model) {
  std::vector<ValueId> out = model.main().inputs;
  add_made(model, model.main(), out);
  return out;
}

// By value: made by a node of a body, perhaps many times.
std::vector<bool> inner_values(const ir::Model& model) {
  std::vector<bool> out(model.values.size(), false);
  for (std::size_t graph = 1; graph < model.graphs.size(); ++graph) {
    for (const ir::NodeId node : model.graphs[graph].nodes) {
      for (const ValueId value : model.nodes[node].outputs) {
        if (value != ir::kNone) out[value] = true;
      }
    }
  }
  return out;
}

/// The values of one side that wait for their other half.
class Waiting {
 public:
  Waiting(const ir::Model& model, const std::vector<Match>& matches, ValueId Match::*side)
      : is_inner(inner_values(model)), matches_(matches) {
    for (std::size_t i = 0; i < matches.size(); ++i) index_.emplace(matches[i].*side, i);
  }
  /// The match of a value, or nothing.
  const Match* find(ValueId value) const {
    const auto at = index_.find(value);
    return at == index_.end() ? nullptr : &matches_[at->second];
  }
  std::map<ValueId, Datum> values;
  std::map<ValueId, Datum> last;  // of bodies: what they made the last time
  std::vector<bool> is_inner;

 private:
  const std::vector<Match>& matches_;
  std::unordered_map<ValueId, std::size_t> index_;
};

/// One side, by whatever runs it.
class Walk {
 public:
  Walk(const Side& side, const Tap& tap) : side_(side), tap_(tap) {
    if (!side.plan) interpreter_.emplace(side.model, side.arithmetic, tap, side.seed);
  }
  Status start(std::vector<Datum> inputs) {
    return interpreter_ ? interpreter_->start(std::move(inputs))
                        : side_.plan->start(std::move(inputs), tap_, side_.seed);
  }
  bool done() const { return interpreter_ ? interpreter_->done() : side_.plan->done(); }
  Status step() { return interpreter_ ? interpreter_->step() : side_.plan->step(); }

 private:
  const Side& side_;
  Tap tap_;
  std::optional<Interpreter> interpreter_;
};

// A value that outlives the steps of a plan, which write over its memory.
Result<Datum> lasting(const Datum& datum, const Plan* plan) {
  if (!plan || !datum.is_tensor() || datum.tensor.bytes() == 0) return datum;
  ASSIGN(ir::Tensor copy, ir::Tensor::make(datum.tensor.type(), datum.tensor.dims()));
  std::copy_n(datum.tensor.data(), copy.bytes(), copy.mutable_data());
  return Datum(std::move(copy));
}

}  // namespace

std::vector<Match> match_itself(const ir::Model& model) {
  std::vector<Match> out;
  for (const ValueId value : all_values(model)) out.push_back({value, value});
  return out;
}

std::vector<Match> match_by_name(const ir::Model& reference, const ir::Model& found) {
  std::unordered_map<std::string, ValueId> names;
  for (const ValueId value : all_values(reference))
    names.emplace(reference.values[value].name, value);
  std::vector<Match> out;
  const auto take = [&](const std::string& name, ValueId value) {
    const auto at = names.find(name);
    if (at == names.end()) return false;
    out.push_back({at->second, value});
    names.erase(at);
    return true;
  };
  for (const ValueId value : all_values(found)) {
    const ir::Value& row = found.values[value];
    const bool has_one = row.origin && row.origin->sources.size() == 1;
    if (!has_one || !take(row.origin->sources[0], value)) take(row.name, value);
  }
  const auto& a = reference.main().outputs;
  const auto& b = found.main().outputs;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const bool has_match = std::any_of(out.begin(), out.end(), [&](const Match& match) {
      return match.found == b[i] || match.reference == a[i];
    });
    if (!has_match) out.push_back({a[i], b[i]});
  }
  return out;
}

Status run_side_by_side(Side reference, Side found, const std::vector<Match>& matches,
                        const Visit& visit) {
  Waiting left(reference.model, matches, &Match::reference);
  Waiting right(found.model, matches, &Match::found);
  // Once a node is done, what its bodies made the last time is what both sides compare.
  const auto meet_inside = [&]() -> Status {
    for (auto at = right.last.begin(); at != right.last.end();) {
      const Match* const match = right.find(at->first);
      const auto other = left.last.find(match->reference);
      if (other == left.last.end()) {
        ++at;
        continue;
      }
      TRY(visit(*match, other->second, at->second));
      left.last.erase(other);
      at = right.last.erase(at);
    }
    return {};
  };
  const Tap tap_left = [&](ValueId value, const Datum& datum) -> Status {
    const Match* const match = left.find(value);
    if (!match) return {};
    if (left.is_inner[value]) {
      ASSIGN(left.last[value], lasting(datum, reference.plan));
      return {};
    }
    TRY(meet_inside());
    const auto other = right.values.find(match->found);
    if (other == right.values.end()) {
      ASSIGN(left.values[value], lasting(datum, reference.plan));
      return {};
    }
    const Datum made = std::move(other->second);
    right.values.erase(other);
    return visit(*match, datum, made);
  };
  const Tap tap_right = [&](ValueId value, const Datum& datum) -> Status {
    const Match* const match = right.find(value);
    if (!match) return {};
    if (right.is_inner[value]) {
      ASSIGN(right.last[value], lasting(datum, found.plan));
      return {};
    }
    TRY(meet_inside());
    const auto other = left.values.find(match->reference);
    if (other == left.values.end()) {
      // The reference is run up to it before the next step.
      right.values[value] = datum;
      return {};
    }
    const Datum made = std::move(other->second);
    left.values.erase(other);
    return visit(*match, made, datum);
  };
  Walk a(reference, tap_left), b(found, tap_right);
  TRY(a.start(std::move(reference.inputs)));
  TRY(b.start(std::move(found.inputs)));
  while (!b.done()) {
    TRY(b.step());
    while (!right.values.empty() && !a.done()) TRY(a.step());
  }
  return {};
}

}  // namespace godwit::exec
