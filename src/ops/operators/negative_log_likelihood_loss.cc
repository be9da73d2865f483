// The loss of log-probabilities against classes.
#include "ops/loss.h"

namespace godwit::ops::operators {

extern const Operator negative_log_likelihood_loss = {
    .name = "NegativeLogLikelihoodLoss",
    .doc = "The weighted negative log-probability of the class of each sample, reduced as asked.",
    .since = 12,
    .inputs = {{"input", 'T', floats(22)},
               {"target", 'I', kIndices},
               {"weight", 'T', floats(22), kOptional}},
    .outputs = {{"loss", 'T', floats(22)}},
    .attributes = {{"ignore_index"}, {"reduction", "mean"}},
    .revisions = {13, 22},
    .numerics = Numerics::kReduction,
    .infer = infer_loss,
    .evaluate = by_type(
        Reals(),
        []<class T>(Call& call) -> Status { return likelihood_loss<T>(call, call.values<T>(0)); }),
    .expand = [](Expansion& e) -> Status {
      ASSIGN(const Term logs, term(e, 0));
      return expand_loss(e, logs);
    },
};

}  // namespace godwit::ops::operators
