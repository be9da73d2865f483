// What the operators of ai.onnx.ml share: rows of features, scores as probabilities, class labels.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::ml {

inline constexpr std::string_view kDomain = "ai.onnx.ml";
inline constexpr TypeSet kFeatures = {ElementType::kFloat, ElementType::kDouble,
                                      ElementType::kInt32, ElementType::kInt64};

/// A batch of feature vectors; one vector alone is a batch of one.
struct Rows {
  std::size_t count = 0;
  std::size_t width = 0;
  std::vector<double> values{};

  std::span<const double> operator[](std::size_t row) const {
    return std::span(values).subspan(row * width, width);
  }
};
/// Input 0 as [N,C] or [C]. Errors: E151 another rank.
Result<Rows> rows_of(const Call& call);
/// Number of rows, as far as known.
Dim row_count(const Inference& n);

/// Scores of linear models, row by row: their coefficients one model after another in the attribute
/// `coefficients`. Errors: E151 lists that do not fit.
Result<std::vector<double>> linear_scores(const Site& site, const Rows& rows, std::size_t models,
                                          const Floats& intercepts);

/// Applies a transform to the scores of one row, that of the attribute `post_transform` unless it
/// is named. Errors: E151 a transform that is not known.
Status transform(const Site& site, std::string_view name, std::span<double> scores);
inline Status transform(const Site& site, std::span<double> scores) {
  return transform(site, site.text("post_transform"), scores);
}
/// Scores of two classes from one that speaks for the second, transformed. Errors: E151 a transform
/// for which the standard does not say what that means.
Result<std::vector<double>> both_classes(const Site& site, double score);

/// Rows of scores as a float tensor. Errors: E140.
Status set_scores(Call& call, std::size_t output, std::size_t width,
                  const std::vector<double>& scores);

/// The classes of a classifier, numbers or strings, under these names of attributes.
class Labels {
 public:
  Labels(const Site& site, std::string_view numbers, std::string_view texts)
      : numbers_(site.integers(numbers)), texts_(site.texts(texts)) {}
  std::size_t size() const { return texts_.empty() ? numbers_.size() : texts_.size(); }
  ElementType type() const { return texts_.empty() ? ElementType::kInt64 : ElementType::kString; }
  /// Output 0: the label of each class. A class without a label is its own number.
  Status write(Call& call, const std::vector<std::size_t>& classes) const;

 private:
  Ints numbers_;
  std::vector<std::string> texts_;
};

/// Types of a classifier's outputs: a label per row, a score per row and class.
Status classifier_types(Inference& n, const Labels& labels, Dim scores);

}  // namespace godwit::ops::ml
