// Trees whose leaves hold numbers.
#include <algorithm>
#include <array>

#include "ops/expect.h"
#include "ops/tree.h"

namespace godwit::ops::operators {
namespace {

constexpr std::array<std::string_view, 4> kAggregates = {"AVERAGE", "SUM", "MIN", "MAX"};

Status evaluate(Call& call) {
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  const std::int64_t wanted = call.integer("n_targets");
  if (wanted < 1 || wanted > (std::int64_t{1} << 32)) return refuse_attribute(call, "n_targets");
  const auto targets = static_cast<std::size_t>(wanted);
  const auto how =
      std::find(kAggregates.begin(), kAggregates.end(), call.text("aggregate_function"));
  if (how == kAggregates.end()) return refuse_attribute(call, "aggregate_function");
  const std::vector<double> base = ml::numbers_of(call, "base_values");
  if (!base.empty() && base.size() != targets) return refuse_attribute(call, "base_values");
  ASSIGN(const ml::Forest forest, ml::Forest::of_lists(call, "target", targets));
  std::vector<double> scores;
  for (std::size_t row = 0; row < rows.count; ++row) {
    ASSIGN(const ml::Tally tally,
           forest.tally(call, rows[row], static_cast<ml::Aggregate>(how - kAggregates.begin())));
    std::vector<double> one;
    for (std::size_t i = 0; i < targets; ++i)
      one.push_back(tally[i].value_or(0) + (base.empty() ? 0 : base[i]));
    TRY(ml::transform(call, one));
    scores.insert(scores.end(), one.begin(), one.end());
  }
  return ml::set_scores(call, 0, targets, scores);
}

}  // namespace

extern const Operator tree_ensemble_regressor = {
    .name = "TreeEnsembleRegressor",
    .domain = ml::kDomain,
    .doc = "For each target what the leaves of all trees give, added up or otherwise aggregated.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes =
        ml::kForestAttributes + AttributeSpecs{{"aggregate_function", "SUM"},
                                               {"n_targets"},
                                               {"target_ids"},
                                               {"target_nodeids"},
                                               {"target_treeids"},
                                               {"target_weights"},
                                               {.name = "target_weights_as_tensor", .since = 3}},
    .revisions = {5},
    .infer = [](Inference& n) -> Status {
      n.set(0, ElementType::kFloat, Shape{ml::row_count(n), n.integer("n_targets")});
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
