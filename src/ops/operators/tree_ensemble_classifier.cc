// Trees that vote for classes.
#include <algorithm>
#include <set>

#include "ops/expect.h"
#include "ops/tree.h"

namespace godwit::ops::operators {
namespace {

ml::Labels labels_of(const Site& site) {
  return {site, "classlabels_int64s", "classlabels_strings"};
}

// With two classes all votes may go to the first id and mean the second class; whoever writes such
// ensembles counts on the rules of onnxruntime, which follow from whether all weights are positive.
struct Voting {
  bool is_one_sided = false;
  bool is_positive = true;
  std::vector<double> base{};
};

Result<Voting> voting_of(const Site& site, const ml::Forest& forest) {
  Voting out{.base = ml::numbers_of(site, "base_values")};
  std::set<std::size_t> targets;
  for (const ml::TreeNode& node : forest.nodes()) {
    for (const ml::Vote& vote : node.votes) {
      targets.insert(vote.target);
      out.is_positive = out.is_positive && vote.weight >= 0;
    }
  }
  out.is_one_sided = forest.targets() == 2 && targets.size() == 1;
  // The standard does not say what votes for the second class alone mean.
  if (out.is_one_sided && *targets.begin() != 0) return refuse_attribute(site, "class_ids");
  const std::size_t wanted = out.is_one_sided ? 1 : forest.targets();
  if (!out.base.empty() && out.base.size() != wanted) return refuse_attribute(site, "base_values");
  return out;
}

struct Decision {
  std::vector<double> scores;
  std::size_t chosen;
};

Result<Decision> one_sided(const Site& site, const Voting& voting, double score) {
  if (!voting.base.empty()) score += voting.base[0];
  const std::size_t chosen = score > (voting.is_positive ? 0.5 : 0);
  if (!voting.is_positive && site.text("post_transform") == "NONE")
    return Decision{{-score, score}, chosen};
  ASSIGN(std::vector<double> scores, ml::both_classes(site, score));
  return Decision{std::move(scores), chosen};
}

Result<Decision> decide(const Site& site, const Voting& voting, const ml::Tally& tally) {
  if (voting.is_one_sided) return one_sided(site, voting, tally[0].value_or(0));
  Decision out{{}, 0};
  for (std::size_t i = 0; i < tally.size(); ++i)
    out.scores.push_back(tally[i].value_or(0) + (voting.base.empty() ? 0 : voting.base[i]));
  out.chosen = static_cast<std::size_t>(std::max_element(out.scores.begin(), out.scores.end()) -
                                        out.scores.begin());
  TRY(ml::transform(site, out.scores));
  return out;
}

Status evaluate(Call& call) {
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  const std::size_t classes = labels_of(call).size();
  if (classes < 2) return refuse_attribute(call, "classlabels_int64s");
  ASSIGN(const ml::Forest forest, ml::Forest::of_lists(call, "class", classes));
  ASSIGN(const Voting voting, voting_of(call, forest));
  std::vector<std::size_t> chosen;
  std::vector<double> scores;
  for (std::size_t row = 0; row < rows.count; ++row) {
    ASSIGN(const ml::Tally tally, forest.tally(call, rows[row], ml::Aggregate::kSum));
    ASSIGN(const Decision decision, decide(call, voting, tally));
    chosen.push_back(decision.chosen);
    scores.insert(scores.end(), decision.scores.begin(), decision.scores.end());
  }
  TRY(labels_of(call).write(call, chosen));
  return ml::set_scores(call, 1, classes, scores);
}

}  // namespace

extern const Operator tree_ensemble_classifier = {
    .name = "TreeEnsembleClassifier",
    .domain = ml::kDomain,
    .doc = "The class for which the leaves of all trees vote most, and the sums of their votes.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'L', kInt64 | kString}, {"Z", 'U', kFloat}},
    .attributes =
        ml::kForestAttributes + AttributeSpecs{{"class_ids"},
                                               {"class_nodeids"},
                                               {"class_treeids"},
                                               {"class_weights"},
                                               {.name = "class_weights_as_tensor", .since = 3},
                                               {"classlabels_int64s"},
                                               {"classlabels_strings"}},
    .revisions = {5},
    .infer = [](Inference& n) -> Status {
      const ml::Labels labels = labels_of(n);
      return ml::classifier_types(n, labels, static_cast<std::int64_t>(labels.size()));
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
