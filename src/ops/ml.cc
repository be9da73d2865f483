// Rows, transforms and labels of ai.onnx.ml.
#include "ops/ml.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ops/expect.h"

namespace godwit::ops::ml {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The inverse of erf: a closed form within 2e-3 (S. Winitzki), made exact by Newton's method.
double inverse_erf(double y) {
  if (std::fabs(y) >= 1) return y * std::numeric_limits<double>::infinity();
  constexpr double a = 0.147;
  const double log = std::log((1 - y) * (1 + y));
  const double half = 2 / (std::numbers::pi * a) + log / 2;
  double x = std::copysign(std::sqrt(std::sqrt(half * half - log / a) - half), y);
  for (int i = 0; i < 3; ++i)
    x -= (std::erf(x) - y) * std::exp(x * x) / (2 * std::numbers::inv_sqrtpi);
  return x;
}

// SOFTMAX_ZERO leaves scores of zero at zero.
void softmax(std::span<double> scores, bool keeps_zero) {
  if (scores.empty()) return;
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) {
    const bool is_zero = keeps_zero && std::fabs(score) <= 1e-7;
    score = is_zero ? 0 : std::exp(score - top);
    sum += score;
  }
  for (double& score : scores) score = sum > 0 ? score / sum : 0;
}

}  // namespace

Result<Rows> rows_of(const Call& call) {
  const Sizes& dims = call.input(0).dims();
  if (dims.size() > 2 || dims.empty()) return expect_rank(call, 0, 2).map([] { return Rows(); });
  Rows out;
  out.count = dims.size() == 2 ? static_cast<std::size_t>(dims[0]) : 1;
  out.width = static_cast<std::size_t>(dims.back());
  out.values = to_doubles(call.input(0)).value_or(std::vector<double>());
  return out;
}

Dim row_count(const Inference& n) {
  const Shape* const shape = n.shape(0);
  if (!shape) return Dim::unknown();
  return shape->size() == 2 ? shape->front() : Dim(1);
}

Result<std::vector<double>> linear_scores(const Site& site, const Rows& rows, std::size_t models,
                                          const Floats& intercepts) {
  const Floats coefficients = site.numbers("coefficients");
  if (coefficients.size() / models != rows.width || coefficients.size() % models)
    return refuse_attribute(site, "coefficients");
  if (!intercepts.empty() && intercepts.size() != models)
    return refuse_attribute(site, "intercepts");
  std::vector<double> out;
  for (std::size_t row = 0; row < rows.count; ++row) {
    for (std::size_t model = 0; model < models; ++model) {
      double sum = intercepts.empty() ? 0 : static_cast<double>(intercepts[model]);
      for (std::size_t i = 0; i < rows.width; ++i)
        sum += rows[row][i] * static_cast<double>(coefficients[model * rows.width + i]);
      out.push_back(sum);
    }
  }
  return out;
}

Status transform(const Site& site, std::string_view name, std::span<double> scores) {
  if (name == "NONE") return {};
  const bool is_softmax = name == "SOFTMAX" || name == "SOFTMAX_ZERO";
  // Of one score alone implementations leave the number or make it 1.
  if (is_softmax && scores.size() > 1) {
    softmax(scores, name == "SOFTMAX_ZERO");
    return {};
  }
  if (name != "LOGISTIC" && name != "PROBIT") return refuse_attribute(site, "post_transform");
  for (double& score : scores)
    score = name == "LOGISTIC" ? logistic(score) : std::numbers::sqrt2 * inverse_erf(2 * score - 1);
  return {};
}

// onnxruntime takes a score without a transform for a probability.
Result<std::vector<double>> both_classes(const Site& site, double score) {
  const std::string_view name = site.text("post_transform");
  if (name == "LOGISTIC") return std::vector<double>{logistic(-score), logistic(score)};
  if (name != "NONE") return refuse_attribute(site, "post_transform");
  return std::vector<double>{1 - score, score};
}

Status set_scores(Call& call, std::size_t output, std::size_t width,
                  const std::vector<double>& scores) {
  const std::size_t rows = width ? scores.size() / width : 0;
  ASSIGN(const std::span<float> out, call.make<float>(output, {static_cast<std::int64_t>(rows),
                                                               static_cast<std::int64_t>(width)}));
  std::transform(scores.begin(), scores.end(), out.begin(),
                 [](double score) { return static_cast<float>(score); });
  return {};
}

Status Labels::write(Call& call, const std::vector<std::size_t>& classes) const {
  const Sizes dims = {static_cast<std::int64_t>(classes.size())};
  if (!texts_.empty()) {
    ASSIGN(const std::span<std::string> out, call.make<std::string>(0, dims));
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] >= texts_.size())
        return refuse_index(call, static_cast<std::int64_t>(classes[i]), dims[0]);
      out[i] = texts_[classes[i]];
    }
    return {};
  }
  ASSIGN(const std::span<std::int64_t> out, call.make<std::int64_t>(0, dims));
  for (std::size_t i = 0; i < classes.size(); ++i)
    out[i] =
        classes[i] < numbers_.size() ? numbers_[classes[i]] : static_cast<std::int64_t>(classes[i]);
  return {};
}

Status classifier_types(Inference& n, const Labels& labels, Dim scores) {
  n.set(0, labels.type(), Shape{row_count(n)});
  n.set(1, ElementType::kFloat, Shape{row_count(n), scores});
  return {};
}

}  // namespace godwit::ops::ml
