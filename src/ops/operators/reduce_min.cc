// The smallest values along axes.
#include <limits>

#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {
namespace {

constexpr TypeSet kCompared =
    kWideNumbers | TypeSet{ElementType::kInt8, ElementType::kUint8} | kBool;
using Compared = Types<float, double, std::int8_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint32_t, std::uint64_t, bool>;

}  // namespace

extern const Operator reduce_min = {
    .name = "ReduceMin",
    .doc = "The smallest value along the axes; NaN wins.",
    .inputs = {{"data", 'T', kCompared},
               {.name = "axes", .variable = 'A', .types = kInt64, .kind = kOptional, .since = 18}},
    .outputs = {{"reduced", 'T', kCompared}},
    .attributes = {{.name = "axes", .until = 17},
                   {"keepdims", 1},
                   {.name = "noop_with_empty_axes", .fallback = 0, .since = 18}},
    .revisions = {11, 12, 13, 18, 20},
    .numerics = Numerics::kExact,
    .infer = reducing([](Dim a, Dim b) { return min(a, b); }),
    .evaluate = by_type(Compared(),
                        []<class T>(Call& call) -> Status {
                          using Limits = std::numeric_limits<T>;
                          const T first = Limits::has_infinity ? Limits::infinity() : Limits::max();
                          return reduce<T, T>(
                              call, first, [](T a, T b) { return smaller(a, b); },
                              [](T y, std::size_t) { return y; });
                        }),
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
