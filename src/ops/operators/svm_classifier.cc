// Support vector classification: a machine for every pair of classes, and a vote.
#include <algorithm>
#include <cmath>

#include "ops/expect.h"
#include "ops/svm.h"

namespace godwit::ops::operators {
namespace {

constexpr std::int64_t kMostClasses = 10'000;

ml::Labels labels_of(const Site& site) { return {site, "classlabels_ints", "classlabels_strings"}; }

// All pairs of classes in order: (0,1), (0,2) … (1,2) …
template <class Body>
void for_each_pair(std::size_t classes, Body&& body) {
  std::size_t pair = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = i + 1; j < classes; ++j) body(i, j, pair++);
  }
}

struct Machine {
  std::size_t classes = 0;
  std::size_t vectors = 0;
  std::vector<std::size_t> first{};  // support vector of each class, and the end
  Floats coefficients{}, support{}, rho{}, prob_a{}, prob_b{};
};

Result<Machine> machine_of(const Site& site, std::size_t width) {
  Machine out;
  const Ints counts = site.integers("vectors_per_class");
  // Planes without support vectors: implementations disagree on what is meant.
  if (counts.size() < 2 || counts.size() > kMostClasses)
    return refuse_attribute(site, "vectors_per_class");
  out.classes = counts.size();
  for (const std::int64_t count : counts) {
    if (count < 0 || count > (std::int64_t{1} << 32))
      return refuse_attribute(site, "vectors_per_class");
    out.first.push_back(out.vectors);
    out.vectors += static_cast<std::size_t>(count);
  }
  out.first.push_back(out.vectors);
  out.coefficients = site.numbers("coefficients");
  out.support = site.numbers("support_vectors");
  out.rho = site.numbers("rho");
  out.prob_a = site.numbers("prob_a");
  out.prob_b = site.numbers("prob_b");
  const std::size_t pairs = out.classes * (out.classes - 1) / 2;
  if (out.coefficients.size() != (out.classes - 1) * out.vectors)
    return refuse_attribute(site, "coefficients");
  if (out.support.size() != out.vectors * width) return refuse_attribute(site, "support_vectors");
  if (out.rho.size() != pairs) return refuse_attribute(site, "rho");
  if (out.prob_a.size() != out.prob_b.size() || (!out.prob_a.empty() && out.prob_a.size() != pairs))
    return refuse_attribute(site, "prob_a");
  return out;
}

// What the machine of each pair says: above zero for the first of the two. Row j - 1 of the
// coefficients belongs to vectors of class i, row i to those of class j.
std::vector<double> pair_scores(const Machine& m, const ml::Kernel& kernel,
                                std::span<const double> x) {
  std::vector<double> kernels;
  for (std::size_t v = 0; v < m.vectors; ++v)
    kernels.push_back(kernel(x, std::span(m.support).subspan(v * x.size(), x.size())));
  const auto side = [&](std::size_t of, std::size_t row) {
    double sum = 0;
    for (std::size_t v = m.first[of]; v < m.first[of + 1]; ++v)
      sum += static_cast<double>(m.coefficients[row * m.vectors + v]) * kernels[v];
    return sum;
  };
  std::vector<double> out;
  for_each_pair(m.classes, [&](std::size_t i, std::size_t j, std::size_t pair) {
    out.push_back(side(i, j - 1) + side(j, i) + static_cast<double>(m.rho[pair]));
  });
  return out;
}

std::size_t most_votes(std::size_t classes, const std::vector<double>& scores) {
  std::vector<std::size_t> votes(classes, 0);
  for_each_pair(classes, [&](std::size_t i, std::size_t j, std::size_t pair) {
    ++votes[scores[pair] > 0 ? i : j];
  });
  return static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

// Probabilities of classes from those of pairs: the second method of T.-F. Wu, C.-J. Lin and
// R. C. Weng, "Probability Estimates for Multi-class Classification by Pairwise Coupling" (2004).
std::vector<double> coupled(std::size_t classes, const std::vector<double>& pairs) {
  const std::size_t k = classes;
  std::vector<double> r(k * k, 0), q(k * k, 0), p(k, 1.0 / static_cast<double>(k)), qp(k);
  for_each_pair(k, [&](std::size_t i, std::size_t j, std::size_t pair) {
    r[i * k + j] = pairs[pair];
    r[j * k + i] = 1 - pairs[pair];
  });
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      if (i == j) continue;
      q[i * k + i] += r[j * k + i] * r[j * k + i];
      q[i * k + j] = -r[j * k + i] * r[i * k + j];
    }
  }
  const double tolerance = 0.005 / static_cast<double>(k);
  for (std::size_t round = 0; round < std::max<std::size_t>(100, k); ++round) {
    double pqp = 0, error = 0;
    for (std::size_t i = 0; i < k; ++i) {
      qp[i] = 0;
      for (std::size_t j = 0; j < k; ++j) qp[i] += q[i * k + j] * p[j];
      pqp += p[i] * qp[i];
    }
    for (std::size_t i = 0; i < k; ++i) error = std::max(error, std::fabs(qp[i] - pqp));
    if (error < tolerance) break;
    for (std::size_t i = 0; i < k; ++i) {
      const double step = (pqp - qp[i]) / q[i * k + i];
      p[i] += step;
      pqp = (pqp + step * (step * q[i * k + i] + 2 * qp[i])) / (1 + step) / (1 + step);
      for (std::size_t j = 0; j < k; ++j) {
        qp[j] = (qp[j] + step * q[i * k + j]) / (1 + step);
        p[j] /= 1 + step;
      }
    }
  }
  return p;
}

std::vector<double> probabilities(const Machine& m, const std::vector<double>& scores) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double at =
        scores[i] * static_cast<double>(m.prob_a[i]) + static_cast<double>(m.prob_b[i]);
    pairs.push_back(std::clamp(1 / (1 + std::exp(at)), 1e-7, 1 - 1e-7));
  }
  return coupled(m.classes, pairs);
}

Status evaluate(Call& call) {
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  ASSIGN(const ml::Kernel kernel, ml::Kernel::of(call));
  ASSIGN(const Machine machine, machine_of(call, rows.width));
  std::vector<std::size_t> chosen;
  std::vector<double> all;
  for (std::size_t row = 0; row < rows.count; ++row) {
    std::vector<double> scores = pair_scores(machine, kernel, rows[row]);
    chosen.push_back(most_votes(machine.classes, scores));
    if (!machine.prob_a.empty())
      scores = probabilities(machine, scores);
    else if (machine.classes == 2)
      scores = {-scores[0], scores[0]};
    TRY(ml::transform(call, scores));
    all.insert(all.end(), scores.begin(), scores.end());
  }
  TRY(labels_of(call).write(call, chosen));
  return ml::set_scores(call, 1, rows.count ? all.size() / rows.count : machine.classes, all);
}

Status infer(Inference& n) {
  const std::size_t k = n.integers("vectors_per_class").size();
  const bool has_pairs = k > 2 && k < kMostClasses && n.numbers("prob_a").empty();
  const std::size_t width = has_pairs ? k * (k - 1) / 2 : k;
  return ml::classifier_types(n, labels_of(n), static_cast<std::int64_t>(width));
}

}  // namespace

extern const Operator svm_classifier = {
    .name = "SVMClassifier",
    .domain = ml::kDomain,
    .doc = "The class with most votes of the machines of all pairs; their scores or probabilities.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'L', kInt64 | kString}, {"Z", 'U', kFloat}},
    .attributes = {{"classlabels_ints"},
                   {"classlabels_strings"},
                   {"coefficients"},
                   {"kernel_params"},
                   {"kernel_type", "LINEAR"},
                   {"post_transform", "NONE"},
                   {"prob_a"},
                   {"prob_b"},
                   {"rho"},
                   {"support_vectors"},
                   {"vectors_per_class"}},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
