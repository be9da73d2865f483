// Trees whose leaves hold numbers, with nodes and leaves in tables of their own.
#include <algorithm>
#include <array>

#include "ops/expect.h"
#include "ops/tree.h"

namespace godwit::ops::operators {
namespace {

constexpr std::array<std::string_view, 5> kTransforms = {"NONE", "SOFTMAX", "LOGISTIC",
                                                         "SOFTMAX_ZERO", "PROBIT"};

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  const std::int64_t wanted = call.integer("n_targets"), how = call.integer("aggregate_function"),
                     after = call.integer("post_transform");
  if (wanted < 1 || wanted > (std::int64_t{1} << 32)) return refuse_attribute(call, "n_targets");
  if (how < 0 || how > 3) return refuse_attribute(call, "aggregate_function");
  if (after < 0 || after > 4) return refuse_attribute(call, "post_transform");
  const auto targets = static_cast<std::size_t>(wanted);
  ASSIGN(const ml::Forest forest, ml::Forest::of_tensors(call, targets));
  ASSIGN(const std::span<T> y, call.make<T>(0, {static_cast<std::int64_t>(rows.count), wanted}));
  for (std::size_t row = 0; row < rows.count; ++row) {
    ASSIGN(const ml::Tally tally, forest.tally(call, rows[row], static_cast<ml::Aggregate>(how)));
    std::vector<double> scores;
    for (const std::optional<double>& sum : tally) scores.push_back(sum.value_or(0));
    TRY(ml::transform(call, kTransforms[static_cast<std::size_t>(after)], scores));
    for (std::size_t i = 0; i < targets; ++i) y[row * targets + i] = static_cast<T>(scores[i]);
  }
  return {};
}

}  // namespace

extern const Operator tree_ensemble = {
    .name = "TreeEnsemble",
    .domain = ml::kDomain,
    .doc = "For each target what the leaves of all trees give, added up or otherwise aggregated.",
    .since = 5,
    .inputs = {{"X", 'T', kClassicFloats}},
    .outputs = {{"Y", 'T', kClassicFloats}},
    .attributes = {{"aggregate_function", 1},
                   {"leaf_targetids", kMustBeThere},
                   {"leaf_weights", kMustBeThere},
                   {"membership_values"},
                   {"n_targets"},
                   {"nodes_falseleafs", kMustBeThere},
                   {"nodes_falsenodeids", kMustBeThere},
                   {"nodes_featureids", kMustBeThere},
                   {"nodes_hitrates"},
                   {"nodes_missing_value_tracks_true"},
                   {"nodes_modes", kMustBeThere},
                   {"nodes_splits", kMustBeThere},
                   {"nodes_trueleafs", kMustBeThere},
                   {"nodes_truenodeids", kMustBeThere},
                   {"post_transform", 0},
                   {"tree_roots", kMustBeThere}},
    .infer = [](Inference& n) -> Status {
      n.set(0, n.element(0), Shape{ml::row_count(n), n.integer("n_targets")});
      return {};
    },
    .evaluate = by_type(Reals(), []<class T>(Call& call) -> Status { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
