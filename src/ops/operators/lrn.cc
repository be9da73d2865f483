// Every element divided by a power of the energy of the channels around it.
#include <algorithm>
#include <cmath>

#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 2));
  const std::int64_t size = call.integer("size");
  if (size < 1) return refuse_attribute(call, "size");
  const auto alpha = static_cast<T>(call.number("alpha")) / static_cast<T>(size);
  const auto beta = static_cast<T>(call.number("beta")), bias = static_cast<T>(call.number("bias"));
  const auto before = static_cast<std::size_t>((size - 1) / 2);
  const auto after = static_cast<std::size_t>(size / 2);  // ceil((size - 1) / 2)
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, call.input(0).dims()));
  for_each_lane(call.input(0).dims(), 1, [&](const Lane& lane) {
    for (std::size_t c = 0; c < lane.count; ++c) {
      const std::size_t last = std::min(lane.count - 1, c + std::min(after, lane.count));
      T sum = 0;
      for (std::size_t i = c - std::min(c, before); i <= last; ++i) sum += x[lane[i]] * x[lane[i]];
      y[lane[c]] = x[lane[c]] / std::pow(bias + alpha * sum, beta);
    }
  });
  return {};
}

}  // namespace

extern const Operator lrn = {
    .name = "LRN",
    .doc = "Local response normalisation across the channels around each element.",
    .inputs = {{"X", 'T', floats(13)}},
    .outputs = {{"Y", 'T', floats(13)}},
    .attributes = {{"alpha", 1e-4F}, {"beta", 0.75F}, {"bias", 1.0F}, {"size", kMustBeThere}},
    .revisions = {13},
    .numerics = Numerics::kNormalization,
    .infer = same_as_first,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .flop = flop_per_output<8>,
};

}  // namespace godwit::ops::operators
