// Reading ensembles from their lists, and walking rows down their trees.
#include "ops/tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

#include "ops/expect.h"

namespace godwit::ops::ml {
namespace {

using Mode = TreeNode::Mode;

constexpr std::array<std::string_view, 8> kModeNames = {"BRANCH_LEQ",    "BRANCH_LT", "BRANCH_GTE",
                                                        "BRANCH_GT",     "BRANCH_EQ", "BRANCH_NEQ",
                                                        "BRANCH_MEMBER", "LEAF"};

bool holds(const TreeNode& node, double x) {
  switch (node.mode) {
    case Mode::kLeq: return x <= node.split;
    case Mode::kLt: return x < node.split;
    case Mode::kGte: return x >= node.split;
    case Mode::kGt: return x > node.split;
    case Mode::kEq: return x == node.split;
    case Mode::kNeq: return x != node.split;
    default: return std::find(node.members.begin(), node.members.end(), x) != node.members.end();
  }
}

// A list of integers with as many entries as there are nodes.
Result<Ints> ints_of(const Site& site, const std::string& name, std::size_t count) {
  Ints out = site.integers(name);
  if (out.size() != count) return refuse_attribute(site, name);
  return out;
}

using NodeKey = std::pair<std::int64_t, std::int64_t>;  // tree and node
using Places = std::map<NodeKey, std::size_t>;

Result<std::size_t> place_of(const Site& site, const Places& places, NodeKey key,
                             std::string_view name) {
  const auto found = places.find(key);
  if (found == places.end()) return refuse_attribute(site, name);
  return found->second;
}

Result<Mode> mode_of(const Site& site, const std::string& name) {
  const auto at = std::find(kModeNames.begin(), kModeNames.end(), name);
  const auto mode = static_cast<Mode>(at - kModeNames.begin());
  if (at == kModeNames.end() || mode == Mode::kMember) return refuse_attribute(site, "nodes_modes");
  return mode;
}

Status add_votes(const Site& site, const std::string& prefix, const Places& places,
                 std::size_t targets, std::vector<TreeNode>& nodes) {
  const Ints trees = site.integers(prefix + "_treeids");
  ASSIGN(const Ints ids, ints_of(site, prefix + "_nodeids", trees.size()));
  ASSIGN(const Ints chosen, ints_of(site, prefix + "_ids", trees.size()));
  const std::vector<double> weights = numbers_of(site, prefix + "_weights");
  if (weights.size() != trees.size()) return refuse_attribute(site, prefix + "_weights");
  for (std::size_t i = 0; i < trees.size(); ++i) {
    ASSIGN(const std::size_t at, place_of(site, places, {trees[i], ids[i]}, prefix + "_nodeids"));
    if (chosen[i] < 0 || static_cast<std::size_t>(chosen[i]) >= targets)
      return refuse_index(site, chosen[i], static_cast<std::int64_t>(targets));
    nodes[at].votes.push_back({static_cast<std::size_t>(chosen[i]), weights[i]});
  }
  return {};
}

// Values of each set of members, which NaNs separate.
std::vector<std::vector<double>> member_sets(const Site& site) {
  const Tensor* const tensor = site.tensor("membership_values");
  std::vector<std::vector<double>> out(1);
  for (const double value :
       tensor ? to_doubles(*tensor).value_or(std::vector<double>()) : std::vector<double>()) {
    if (std::isnan(value))
      out.emplace_back();
    else
      out.back().push_back(value);
  }
  return out;
}

std::vector<double> doubles_of(const Site& site, std::string_view name) {
  const Tensor* const tensor = site.tensor(name);
  return tensor ? to_doubles(*tensor).value_or(std::vector<double>()) : std::vector<double>();
}

// What both forms say of their nodes, one entry for each.
struct Columns {
  Ints features, on_true, on_false, missing;
  std::vector<double> splits;
};

Result<Columns> columns_of(const Site& site, std::vector<double> splits) {
  Columns out{.features = site.integers("nodes_featureids"), .splits = std::move(splits)};
  const std::size_t count = out.features.size();
  ASSIGN(out.on_true, ints_of(site, "nodes_truenodeids", count));
  ASSIGN(out.on_false, ints_of(site, "nodes_falsenodeids", count));
  out.missing = site.integers("nodes_missing_value_tracks_true");
  out.missing.resize(count, 0);
  if (out.splits.size() != count) return refuse_attribute(site, "nodes_values");
  return out;
}

Result<TreeNode> node_of(const Site& site, const Columns& columns, std::size_t i, Mode mode) {
  TreeNode out{
      .mode = mode, .missing_is_true = columns.missing[i] != 0, .split = columns.splits[i]};
  if (mode != Mode::kLeaf && columns.features[i] < 0)
    return refuse_attribute(site, "nodes_featureids");
  if (mode != Mode::kLeaf) out.feature = static_cast<std::size_t>(columns.features[i]);
  return out;
}

Result<std::vector<TreeNode>> leaves_of(const Site& site, std::size_t targets) {
  const Ints chosen = site.integers("leaf_targetids");
  const std::vector<double> weights = doubles_of(site, "leaf_weights");
  if (weights.size() != chosen.size()) return refuse_attribute(site, "leaf_weights");
  std::vector<TreeNode> out;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (chosen[i] < 0 || static_cast<std::size_t>(chosen[i]) >= targets)
      return refuse_index(site, chosen[i], static_cast<std::int64_t>(targets));
    out.push_back({.votes = {{static_cast<std::size_t>(chosen[i]), weights[i]}}});
  }
  return out;
}

}  // namespace

std::vector<double> numbers_of(const Site& site, const std::string& name) {
  if (site.tensor(name + "_as_tensor")) return doubles_of(site, name + "_as_tensor");
  const Floats list = site.numbers(name);
  return {list.begin(), list.end()};
}

Result<Forest> Forest::of_lists(const Site& site, const std::string& prefix, std::size_t targets) {
  Forest out;
  out.targets_ = targets;
  ASSIGN(const Columns columns, columns_of(site, numbers_of(site, "nodes_values")));
  const std::size_t count = columns.features.size();
  ASSIGN(const Ints trees, ints_of(site, "nodes_treeids", count));
  ASSIGN(const Ints ids, ints_of(site, "nodes_nodeids", count));
  const std::vector<std::string> modes = site.texts("nodes_modes");
  if (modes.size() != count) return refuse_attribute(site, "nodes_modes");
  Places places;
  for (std::size_t i = 0; i < count; ++i) {
    if (!places.emplace(NodeKey(trees[i], ids[i]), i).second)
      return refuse_attribute(site, "nodes_nodeids");
    // The first node of a tree is its root.
    if (i == 0 || trees[i] != trees[i - 1]) out.roots_.push_back(i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    ASSIGN(const Mode mode, mode_of(site, modes[i]));
    ASSIGN(TreeNode node, node_of(site, columns, i, mode));
    if (mode != Mode::kLeaf) {
      ASSIGN(node.on_true,
             place_of(site, places, {trees[i], columns.on_true[i]}, "nodes_truenodeids"));
      ASSIGN(node.on_false,
             place_of(site, places, {trees[i], columns.on_false[i]}, "nodes_falsenodeids"));
    }
    out.nodes_.push_back(std::move(node));
  }
  TRY(add_votes(site, prefix, places, targets, out.nodes_));
  return out;
}

// Leaves have a table of their own here; they are put behind the nodes.
Result<Forest> Forest::of_tensors(const Site& site, std::size_t targets) {
  Forest out;
  out.targets_ = targets;
  ASSIGN(const Columns columns, columns_of(site, doubles_of(site, "nodes_splits")));
  const std::size_t count = columns.features.size();
  ASSIGN(const Ints true_leaf, ints_of(site, "nodes_trueleafs", count));
  ASSIGN(const Ints false_leaf, ints_of(site, "nodes_falseleafs", count));
  const std::vector<double> modes = doubles_of(site, "nodes_modes");
  if (modes.size() != count) return refuse_attribute(site, "nodes_modes");
  ASSIGN(std::vector<TreeNode> leaves, leaves_of(site, targets));
  const auto child = [&](std::int64_t id, bool is_leaf) -> Result<std::size_t> {
    const std::size_t size = is_leaf ? leaves.size() : count;
    if (id < 0 || static_cast<std::size_t>(id) >= size)
      return refuse_index(site, id, static_cast<std::int64_t>(size));
    return static_cast<std::size_t>(id) + (is_leaf ? count : 0);
  };
  const std::vector<std::vector<double>> sets = member_sets(site);
  std::size_t next_set = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!(modes[i] >= 0 && modes[i] <= 6)) return refuse_attribute(site, "nodes_modes");
    ASSIGN(TreeNode node, node_of(site, columns, i, static_cast<Mode>(modes[i])));
    if (node.mode == Mode::kMember && next_set >= sets.size())
      return refuse_attribute(site, "membership_values");
    if (node.mode == Mode::kMember) node.members = sets[next_set++];
    ASSIGN(node.on_true, child(columns.on_true[i], true_leaf[i] != 0));
    ASSIGN(node.on_false, child(columns.on_false[i], false_leaf[i] != 0));
    out.nodes_.push_back(std::move(node));
  }
  for (const std::int64_t root : site.integers("tree_roots")) {
    ASSIGN(out.roots_.emplace_back(), child(root, false));
  }
  std::move(leaves.begin(), leaves.end(), std::back_inserter(out.nodes_));
  return out;
}

Result<std::size_t> Forest::leaf_of(const Site& site, std::size_t at,
                                    std::span<const double> row) const {
  for (std::size_t step = 0; step <= nodes_.size(); ++step) {
    const TreeNode& node = nodes_[at];
    if (node.mode == Mode::kLeaf) return at;
    if (node.feature >= row.size())
      return refuse_index(site, static_cast<std::int64_t>(node.feature),
                          static_cast<std::int64_t>(row.size()));
    const double x = row[node.feature];
    const bool goes_true = holds(node, x) || (std::isnan(x) && node.missing_is_true);
    at = goes_true ? node.on_true : node.on_false;
  }
  return site.refuse("loop");
}

Result<Tally> Forest::tally(const Site& site, std::span<const double> row, Aggregate how) const {
  Tally out(targets_);
  for (const std::size_t root : roots_) {
    ASSIGN(const std::size_t leaf, leaf_of(site, root, row));
    for (const Vote& vote : nodes_[leaf].votes) {
      std::optional<double>& sum = out[vote.target];
      if (!sum)
        sum = vote.weight;
      else if (how == Aggregate::kMin || how == Aggregate::kMax)
        sum = how == Aggregate::kMin ? std::min(*sum, vote.weight) : std::max(*sum, vote.weight);
      else
        *sum += vote.weight;
    }
  }
  for (std::optional<double>& sum : out) {
    if (sum && how == Aggregate::kAverage) *sum /= static_cast<double>(roots_.size());
  }
  return out;
}

}  // namespace godwit::ops::ml
