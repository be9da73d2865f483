// Support vector regression, and one-class machines that find outliers.
#include "ops/expect.h"
#include "ops/svm.h"

namespace godwit::ops::operators {
namespace {

// Without support vectors the coefficients are a plane of their own.
Result<double> score_of(const Site& site, const ml::Kernel& kernel, std::span<const double> x) {
  const Floats coefficients = site.numbers("coefficients"), rho = site.numbers("rho");
  const Floats support = site.numbers("support_vectors");
  const std::int64_t count = site.integer("n_supports");
  if (rho.size() != 1) return refuse_attribute(site, "rho");
  double sum = static_cast<double>(rho[0]);
  if (count <= 0) {
    if (coefficients.size() != x.size()) return refuse_attribute(site, "coefficients");
    return sum + kernel(x, coefficients);
  }
  const auto vectors = static_cast<std::size_t>(count);
  if (coefficients.size() != vectors) return refuse_attribute(site, "coefficients");
  if (support.size() / vectors != x.size() || support.size() % vectors)
    return refuse_attribute(site, "support_vectors");
  for (std::size_t i = 0; i < vectors; ++i)
    sum += static_cast<double>(coefficients[i]) *
           kernel(x, std::span(support).subspan(i * x.size(), x.size()));
  return sum;
}

Status evaluate(Call& call) {
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  ASSIGN(const ml::Kernel kernel, ml::Kernel::of(call));
  if (call.text("post_transform") != "NONE") return refuse_attribute(call, "post_transform");
  std::vector<double> scores;
  for (std::size_t row = 0; row < rows.count; ++row) {
    ASSIGN(const double score, score_of(call, kernel, rows[row]));
    scores.push_back(!call.flag("one_class") ? score : score > 0 ? 1 : -1);
  }
  return ml::set_scores(call, 0, 1, scores);
}

}  // namespace

extern const Operator svm_regressor = {
    .name = "SVMRegressor",
    .domain = ml::kDomain,
    .doc = "The sum of coefficients times kernels of the support vectors; its sign for one class.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes = {{"coefficients"},
                   {"kernel_params"},
                   {"kernel_type", "LINEAR"},
                   {"n_supports", 0},
                   {"one_class", 0},
                   {"post_transform", "NONE"},
                   {"rho"},
                   {"support_vectors"}},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) -> Status {
      n.set(0, ElementType::kFloat, Shape{ml::row_count(n), 1});
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
