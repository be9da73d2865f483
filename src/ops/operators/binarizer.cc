// 1 above a threshold, else 0.
#include "ops/elementwise.h"
#include "ops/ml.h"

namespace godwit::ops::operators {

extern const Operator binarizer = {
    .name = "Binarizer",
    .domain = ml::kDomain,
    .doc = "1 where the input is greater than the threshold, else 0.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'T', ml::kFeatures}},
    .attributes = {{"threshold", 0.0f}},
    .infer = same_as_first,
    .evaluate = by_type(Types<float, double, std::int32_t, std::int64_t>(),
                        []<class T>(Call& call) -> Status {
                          const auto threshold = static_cast<double>(call.number("threshold"));
                          return unary<T>(call, [=](T x) {
                            return static_cast<T>(static_cast<double>(x) > threshold);
                          });
                        }),
};

}  // namespace godwit::ops::operators
