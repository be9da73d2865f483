// The coordinates of all elements that are not zero.
#include <complex>
#include <string>

#include "ops/call.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) shape = Shape{static_cast<std::int64_t>(n.shape(0)->size()), Dim::unknown()};
  n.set(0, ElementType::kInt64, std::move(shape));
  return {};
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  const Sizes& dims = call.input(0).dims();
  const std::span<const T> x = call.values<T>(0);
  std::vector<Sizes> found;
  std::size_t i = 0;
  for (Odometer at(dims, {}); !at.done(); at.next()) {
    if (x[i++] != T()) found.push_back(at.coordinates());
  }
  const auto count = static_cast<std::int64_t>(found.size());
  ASSIGN(const std::span<std::int64_t> y,
         call.make<std::int64_t>(0, {static_cast<std::int64_t>(dims.size()), count}));
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    for (std::size_t k = 0; k < found.size(); ++k) y[axis * found.size() + k] = found[k][axis];
  }
  return {};
};

using Held = Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool, std::string,
                   std::complex<float>, std::complex<double>>;

}  // namespace

extern const Operator non_zero = {
    .name = "NonZero",
    .doc = "The coordinates of the elements that are not zero, a column for each.",
    .since = 9,
    .inputs = {{"X", 'T', classic(13)}},
    .outputs = {{"Y", 'I', kInt64}},
    .revisions = {13},
    .infer = infer,
    .evaluate = by_type(Held(), evaluate),
};

}  // namespace godwit::ops::operators
