// Linear models with one or several targets.
#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  const std::int64_t wanted = call.integer("targets");
  if (wanted < 1 || wanted > (std::int64_t{1} << 40)) return refuse_attribute(call, "targets");
  const auto targets = static_cast<std::size_t>(wanted);
  ASSIGN(std::vector<double> scores,
         ml::linear_scores(call, rows, targets, call.numbers("intercepts")));
  for (std::size_t row = 0; row < rows.count; ++row)
    TRY(ml::transform(call, std::span(scores).subspan(row * targets, targets)));
  return ml::set_scores(call, 0, targets, scores);
}

}  // namespace

extern const Operator linear_regressor = {
    .name = "LinearRegressor",
    .domain = ml::kDomain,
    .doc = "coefficients * x + intercept for each target.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes = {{"coefficients"}, {"intercepts"}, {"post_transform", "NONE"}, {"targets", 1}},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) -> Status {
      n.set(0, ElementType::kFloat, Shape{ml::row_count(n), n.integer("targets")});
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
