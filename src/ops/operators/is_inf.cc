// Which elements are infinite.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator is_inf = {
    .name = "IsInf",
    .doc = "True where x is infinite, of the signs that are asked for.",
    .since = 10,
    .inputs = {{"X", 'T', kReals | since(20, kFloats | kFloat8)}},
    .outputs = {{"Y", 'B', kBool}},
    .attributes = {{"detect_negative", 1}, {"detect_positive", 1}},
    .revisions = {20},
    .infer = broadcast_truth,
    .evaluate = by_type(
        Reals(),
        []<class T>(Call& call) -> Status {
          const bool below = call.flag("detect_negative"), above = call.flag("detect_positive");
          return unary<T>(call, [=](T x) { return std::isinf(x) && (x < 0 ? below : above); });
        }),
};

}  // namespace godwit::ops::operators
