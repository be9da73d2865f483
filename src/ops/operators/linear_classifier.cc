// Linear models, one per class; with two classes one model may speak for the second of them.
#include <algorithm>

#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

ml::Labels labels_of(const Site& site) { return {site, "classlabels_ints", "classlabels_strings"}; }

// One model alone decides between two classes.
bool is_binary(const Site& site, std::size_t models) {
  return models == 1 && labels_of(site).size() == 2;
}

Status infer(Inference& n) {
  const std::size_t models = n.numbers("intercepts").size();
  const std::size_t width = is_binary(n, models) ? 2 : models;
  return ml::classifier_types(n, labels_of(n),
                              models ? Dim(static_cast<std::int64_t>(width)) : Dim::unknown());
}

Status evaluate(Call& call) {
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  const Floats intercepts = call.numbers("intercepts");
  const std::size_t width = std::max<std::size_t>(rows.width, 1);
  const std::size_t models =
      intercepts.empty() ? call.numbers("coefficients").size() / width : intercepts.size();
  if (models == 0) return refuse_attribute(call, "coefficients");
  ASSIGN(std::vector<double> raw, ml::linear_scores(call, rows, models, intercepts));
  std::vector<std::size_t> chosen;
  std::vector<double> scores;
  for (std::size_t row = 0; row < rows.count; ++row) {
    const auto first = raw.begin() + static_cast<std::ptrdiff_t>(row * models);
    const std::vector<double> one(first, first + static_cast<std::ptrdiff_t>(models));
    const std::size_t best =
        models == 1
            ? one[0] > 0
            : static_cast<std::size_t>(std::max_element(one.begin(), one.end()) - one.begin());
    chosen.push_back(best);
    std::vector<double> shown = one;
    if (is_binary(call, models)) {
      ASSIGN(shown, ml::both_classes(call, one[0]));
    } else {
      TRY(ml::transform(call, shown));
    }
    scores.insert(scores.end(), shown.begin(), shown.end());
  }
  TRY(labels_of(call).write(call, chosen));
  return ml::set_scores(call, 1, rows.count ? scores.size() / rows.count : models, scores);
}

}  // namespace

extern const Operator linear_classifier = {
    .name = "LinearClassifier",
    .domain = ml::kDomain,
    .doc = "The class whose linear model gives the largest score, and all scores.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'L', kInt64 | kString}, {"Z", 'U', kFloat}},
    .attributes = {{"classlabels_ints"},
                   {"classlabels_strings"},
                   {"coefficients", kMustBeThere},
                   {"intercepts"},
                   {"multi_class", 0},
                   {"post_transform", "NONE"}},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
