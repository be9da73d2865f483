// Product of two matrices, scaled and added to a third.
#include "ops/cast.h"
#include "ops/matmul.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape = Shape{Dim::unknown(), Dim::unknown()};
  const Shape *const a = n.shape(0), *const b = n.shape(1);
  if ((a && a->size() != 2) || (b && b->size() != 2)) {
    return n.refuse("rank", {{"rank", std::to_string(a && a->size() != 2 ? a->size() : b->size())},
                             {"expected", "2"}});
  }
  if (a) (*shape)[0] = (*a)[n.flag("transA") ? 1 : 0];
  if (b) (*shape)[1] = (*b)[n.flag("transB") ? 0 : 1];
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Dim flop(const Inference& n) {
  const Shape* const a = n.shape(0);
  if (!a || a->size() != 2 || !n.output(0).shape) return Dim::unknown();
  return ir::count(*n.output(0).shape) * (*a)[n.flag("transA") ? 0 : 1] * Dim(2);
}

// The elements of a matrix in row-major order of its transpose.
template <class T>
std::vector<T> seen(std::span<const T> x, Sizes& dims, bool transposes) {
  if (!transposes) return {x.begin(), x.end()};
  std::swap(dims[0], dims[1]);
  std::vector<T> out(x.size());
  Odometer at(dims, {{1, dims[0]}});
  for (std::size_t i = 0; !at.done(); at.next(), ++i) out[i] = x[at.offset(0)];
  return out;
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  Sizes a_dims = call.input(0).dims(), b_dims = call.input(1).dims();
  if (a_dims.size() != 2 || b_dims.size() != 2)
    return call.refuse("shape", {{"a", ir::to_string(a_dims)}, {"b", ir::to_string(b_dims)}});
  const std::vector<T> a = seen(call.values<T>(0), a_dims, call.flag("transA"));
  const std::vector<T> b = seen(call.values<T>(1), b_dims, call.flag("transB"));
  if (a_dims[1] != b_dims[0])
    return call.refuse("shape", {{"a", ir::to_string(a_dims)}, {"b", ir::to_string(b_dims)}});
  const Sizes dims = {a_dims[0], b_dims[1]};
  const MatMul sizes{dims,
                     {},
                     {},
                     {},
                     static_cast<std::size_t>(a_dims[0]),
                     static_cast<std::size_t>(a_dims[1]),
                     static_cast<std::size_t>(b_dims[1])};
  const bool has_c = call.has_input(2);
  const Sizes c_dims = has_c ? call.input(2).dims() : Sizes();
  if (broadcast(dims, c_dims) != dims)
    return call.refuse("broadcast", {{"a", ir::to_string(dims)}, {"b", ir::to_string(c_dims)}});
  const std::span<const T> c = has_c ? call.values<T>(2) : std::span<const T>();
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  const double alpha = call.number("alpha"), beta = call.number("beta");
  Odometer at(dims, {broadcast_strides(c_dims, dims)});
  multiply<Accumulator<T>>(
      sizes, [&](std::size_t i) { return a[i]; }, [&](std::size_t i) { return b[i]; },
      [&](std::size_t i, auto sum) {
        const double added = has_c ? beta * static_cast<double>(c[at.offset(0)]) : 0;
        y[i] = to_element<T>(alpha * static_cast<double>(sum) + added);
        at.next();
      });
  return {};
};

}  // namespace

extern const Operator gemm = {
    .name = "Gemm",
    .doc = "alpha * A * B + beta * C of matrices, A and B transposed as asked, C broadcast.",
    .inputs = {{"A", 'T', floats(13) | since(9, kWideIntegers)},
               {"B", 'T', floats(13) | since(9, kWideIntegers)},
               {.name = "C", .types = kClassicFloats | since(9, kWideIntegers), .until = 10},
               {.name = "C", .types = wide_numbers(13), .kind = kOptional, .since = 11}},
    .outputs = {{"Y", 'T', floats(13) | since(9, kWideIntegers)}},
    .attributes = {{"alpha", 1.0f},
                   {"beta", 1.0f},
                   {"transA", 0},
                   {"transB", 0},
                   {.name = "broadcast", .fallback = 0, .until = 6}},
    .revisions = {6, 7, 9, 11, 13},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = by_type(Numbers(), evaluate),
    .flop = flop,
};

}  // namespace godwit::ops::operators
