// Holds values between two bounds.
#include <cmath>
#include <optional>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

constexpr float kGreatest = 3.402823466e+38f;

// A bound that is not given bounds nothing, infinities included; opsets 6 to 10 have defaults.
template <class T>
Result<std::optional<T>> bound(const Call& call, std::string_view name, std::size_t place) {
  if (call.has_input(place)) {
    ASSIGN(const double unused, call.scalar(place));
    (void)unused;
    return std::optional<T>(call.values<T>(place)[0]);
  }
  const bool is_attribute = call.opset() < 6 ? call.has(name) : call.opset() < 11;
  return is_attribute ? std::optional<T>(static_cast<T>(call.number(name))) : std::nullopt;
}

}  // namespace

extern const Operator clip = {
    .name = "Clip",
    .doc = "Every element is at least min and, before all, at most max.",
    .inputs = {{"input", 'T', floats(13) | since(12, kIntegers)},
               {.name = "min",
                .types = floats(13) | since(12, kIntegers),
                .kind = kOptional,
                .since = 11},
               {.name = "max",
                .types = floats(13) | since(12, kIntegers),
                .kind = kOptional,
                .since = 11}},
    .outputs = {{"output", 'T', floats(13) | since(12, kIntegers)}},
    .attributes = {{.name = "min", .until = 5},
                   {.name = "min", .fallback = -kGreatest, .since = 6, .until = 10},
                   {.name = "max", .until = 5},
                   {.name = "max", .fallback = kGreatest, .since = 6, .until = 10},
                   {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 11, 12, 13},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          ASSIGN(const std::optional<T> low, bound<T>(call, "min", 1));
                          ASSIGN(const std::optional<T> high, bound<T>(call, "max", 2));
                          return unary<T>(call, [=](T x) {
                            const T raised = low && x < *low ? *low : x;
                            return high && raised > *high ? *high : raised;
                          });
                        }),
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
