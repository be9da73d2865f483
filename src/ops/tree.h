// Ensembles of decision trees in one form, whichever operator they come from.
#pragma once

#include "ops/ml.h"

namespace godwit::ops::ml {

struct Vote {
  std::size_t target = 0;
  double weight = 0;
};

struct TreeNode {
  enum class Mode : std::uint8_t { kLeq, kLt, kGte, kGt, kEq, kNeq, kMember, kLeaf };
  Mode mode = Mode::kLeaf;
  bool missing_is_true = false;  // where NaN goes
  std::size_t feature = 0;
  double split = 0;
  std::vector<double> members{};
  std::size_t on_true = 0;
  std::size_t on_false = 0;
  std::vector<Vote> votes{};  // of a leaf
};

enum class Aggregate : std::uint8_t { kAverage, kSum, kMin, kMax };

/// What came together for one target; nothing where no leaf voted for it.
using Tally = std::vector<std::optional<double>>;

class Forest {
 public:
  /// From the attributes of TreeEnsembleClassifier and TreeEnsembleRegressor; those of the votes
  /// begin with `prefix`. Errors: E151 lists that do not fit each other, ids that do not exist.
  static Result<Forest> of_lists(const Site& site, const std::string& prefix, std::size_t targets);
  /// From those of TreeEnsemble.
  static Result<Forest> of_tensors(const Site& site, std::size_t targets);

  /// The votes of all trees for one row. Errors: E151 a feature that the row does not have, a tree
  /// that runs in a circle.
  Result<Tally> tally(const Site& site, std::span<const double> row, Aggregate how) const;

  std::size_t targets() const { return targets_; }
  const std::vector<TreeNode>& nodes() const { return nodes_; }

 private:
  Result<std::size_t> leaf_of(const Site& site, std::size_t at, std::span<const double> row) const;

  std::vector<TreeNode> nodes_{};
  std::vector<std::size_t> roots_{};
  std::size_t targets_ = 0;
};

/// The attributes that both ensembles of lists have.
inline constexpr AttributeSpecs kForestAttributes = {
    {"base_values"},
    {.name = "base_values_as_tensor", .since = 3},
    {"nodes_falsenodeids"},
    {"nodes_featureids"},
    {"nodes_hitrates"},
    {.name = "nodes_hitrates_as_tensor", .since = 3},
    {"nodes_missing_value_tracks_true"},
    {"nodes_modes"},
    {"nodes_nodeids"},
    {"nodes_treeids"},
    {"nodes_truenodeids"},
    {"nodes_values"},
    {.name = "nodes_values_as_tensor", .since = 3},
    {"post_transform", "NONE"}};

/// The list `name`, as floats or as the tensor `name` + "_as_tensor".
std::vector<double> numbers_of(const Site& site, const std::string& name);

}  // namespace godwit::ops::ml
