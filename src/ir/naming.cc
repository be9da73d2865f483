// Walks graphs as a reader of names would, with the names that are visible at each point.
#include "ir/naming.h"

#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "ir/subgraphs.h"

namespace godwit::ir {
namespace {

class Scopes {
 public:
  Scopes(const Model& model, std::vector<std::string>& changed)
      : model_(model), changed_(changed) {}

  void walk(GraphId graph) {
    const std::size_t mark = defined_.size();
    const Graph& row = model_.graphs[graph];
    for (const ValueId value : row.inputs) define(value);
    for (const ValueId value : row.constants) define(value);
    for (const NodeId node : row.nodes) {
      for (const ValueId value : model_.nodes[node].outputs) define(value);
    }
    // Names of later nodes count too: an inner value under such a name would hide nothing yet, but
    // readers differ on it.
    for (const NodeId node : row.nodes) {
      for (const GraphId inner : subgraphs(model_.nodes[node])) walk(inner);
    }
    for (; defined_.size() > mark; defined_.pop_back()) owner_.erase(defined_.back());
  }

 private:
  void define(ValueId value) {
    if (value == kNone) return;
    std::string name = model_.values[value].name;
    const auto [at, is_new] = owner_.try_emplace(name, value);
    if (is_new && !name.empty()) return defined_.push_back(std::move(name));
    if (!name.empty() && at->second == value) return;  // an input with a default
    const std::string stem = name.empty() ? "value" : name;
    do {
      name = format("{}_{}", stem, ++last_[stem]);
    } while (!owner_.try_emplace(name, value).second);
    changed_[value] = name;
    defined_.push_back(std::move(name));
  }

  const Model& model_;
  std::vector<std::string>& changed_;
  std::unordered_map<std::string, ValueId> owner_;
  std::unordered_map<std::string, std::uint32_t> last_;
  std::vector<std::string> defined_;
};

}  // namespace

Naming::Naming(const Model& model) : changed_(model.values.size()), model_(model) {
  if (!model.graphs.empty()) Scopes(model, changed_).walk(0);
  for (const Function& function : model.functions) Scopes(model, changed_).walk(function.graph);
}

const std::string& Naming::of(ValueId value) const {
  static const std::string kLeftOut;
  if (value == kNone) return kLeftOut;
  return changed_[value].empty() ? model_.values[value].name : changed_[value];
}

}  // namespace godwit::ir
