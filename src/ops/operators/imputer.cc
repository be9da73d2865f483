// Puts a value in place of one that stands for "missing".
#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status impute(Call& call, const std::vector<T>& imputed, T replaced) {
  const std::span<const T> x = call.values<T>(0);
  const Sizes& dims = call.input(0).dims();
  const std::size_t width = dims.empty() ? 1 : static_cast<std::size_t>(dims.back());
  if (imputed.size() != 1 && imputed.size() != width)
    return refuse_shapes(call, dims, {static_cast<std::int64_t>(imputed.size())});
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool is_missing = x[i] == replaced || (x[i] != x[i] && replaced != replaced);
    y[i] = is_missing ? imputed[imputed.size() == 1 ? 0 : i % width] : x[i];
  }
  return {};
}

}  // namespace

extern const Operator imputer = {
    .name = "Imputer",
    .domain = ml::kDomain,
    .doc = "The input with one value, which may be NaN, replaced by another per feature.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'T', ml::kFeatures}},
    .attributes = {{"imputed_value_floats"},
                   {"imputed_value_int64s"},
                   {"replaced_value_float", 0.0f},
                   {"replaced_value_int64", 0}},
    .infer = same_as_first,
    .evaluate = by_type(Types<float, double, std::int32_t, std::int64_t>(),
                        []<class T>(Call& call) -> Status {
                          if constexpr (std::is_floating_point_v<T>) {
                            const Floats values = call.numbers("imputed_value_floats");
                            return impute<T>(call, {values.begin(), values.end()},
                                             static_cast<T>(call.number("replaced_value_float")));
                          } else {
                            std::vector<T> values;
                            for (const std::int64_t value : call.integers("imputed_value_int64s"))
                              values.push_back(static_cast<T>(value));
                            return impute<T>(call, values,
                                             static_cast<T>(call.integer("replaced_value_int64")));
                          }
                        }),
};

}  // namespace godwit::ops::operators
