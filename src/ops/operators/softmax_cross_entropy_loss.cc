// The loss of scores, by a softmax over the classes, against classes.
#include <cmath>
#include <limits>

#include "ops/loss.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  TRY(infer_loss(n));
  n.set(1, n.type(0));
  return {};
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  TRY(expect_rank_from(call, 0, 2));
  const Sizes& dims = call.input(0).dims();
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> logs, call.make<T>(1, dims));
  for_each_lane(dims, 1, [&](const Lane& lane) {
    T top = -std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < lane.count; ++i) top = larger(top, x[lane[i]]);
    Accumulator<T> sum = 0;
    for (std::size_t i = 0; i < lane.count; ++i) sum += std::exp(x[lane[i]] - top);
    for (std::size_t i = 0; i < lane.count; ++i)
      logs[lane[i]] = x[lane[i]] - top - static_cast<T>(std::log(sum));
  });
  return likelihood_loss<T>(call, logs);
};

Status expand(Expansion& e) {
  ASSIGN(const Term scores, term(e, 0));
  const Term logs = scores.then("LogSoftmax", {}, {{"axis", std::int64_t{1}}});
  e.set_output(1, logs);
  return expand_loss(e, logs);
}

}  // namespace

extern const Operator softmax_cross_entropy_loss = {
    .name = "SoftmaxCrossEntropyLoss",
    .doc = "The weighted negative logarithm of the softmax of the class of each sample.",
    .since = 12,
    .inputs = {{"scores", 'T', floats(13)},
               {"labels", 'I', kIndices},
               {"weights", 'T', floats(13), kOptional}},
    .outputs = {{"output", 'T', floats(13)}, {"log_prob", 'T', floats(13), kOptional}},
    .attributes = {{"ignore_index"}, {"reduction", "mean"}},
    .revisions = {13},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = by_type(Reals(), evaluate),
    .expand = expand,
};

}  // namespace godwit::ops::operators
