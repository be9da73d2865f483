// Sampling positions of an image after an affine map of its plane or space.
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

// size is [N, C, spatial …]; the grid [N, spatial …, rank].
Status infer(Inference& n) {
  std::optional<Shape> out;
  if (const auto size = n.content(1); size && (size->size() == 4 || size->size() == 5)) {
    out = Shape{size->front()};
    out->insert(out->end(), size->begin() + 2, size->end());
    out->push_back(static_cast<std::int64_t>(size->size()) - 2);
  }
  n.set(0, n.element(0), std::move(out));
  return {};
}

// Where element `i` of an axis stands between -1 and 1: the ends are the centres of the outer
// elements, or their edges.
template <class T>
T position(std::int64_t i, std::int64_t size, bool at_centers) {
  if (!at_centers) return static_cast<T>(2 * i + 1) / static_cast<T>(size) - 1;
  return size == 1 ? T(-1) : static_cast<T>(2 * i) / static_cast<T>(size - 1) - 1;
}

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const Ints size, call.integers(1));
  if (size.size() != 4 && size.size() != 5) return refuse_shapes(call, size, {4});
  const std::size_t rank = size.size() - 2;
  const auto axes = static_cast<std::int64_t>(rank);
  TRY(expect_sizes(call, 0, {size[0], axes, axes + 1}));
  Sizes dims = {size[0]};
  dims.insert(dims.end(), size.begin() + 2, size.end());
  const Sizes places = dims;
  dims.push_back(axes);
  const std::span<const T> theta = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  const bool at_centers = call.flag("align_corners");
  auto to = y.begin();
  for (Odometer at(places, {}); !at.done(); at.next()) {
    const Sizes& here = at.coordinates();
    const std::size_t map = static_cast<std::size_t>(here[0]) * rank * (rank + 1);
    for (std::size_t row = 0; row < rank; ++row) {
      // Coordinates run from the innermost axis outwards: x, y, z.
      T sum = theta[map + row * (rank + 1) + rank];
      for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t axis = rank - i;
        sum +=
            theta[map + row * (rank + 1) + i] * position<T>(here[axis], places[axis], at_centers);
      }
      *to++ = sum;
    }
  }
  return {};
}

// All places as one constant [places, rank + 1], times the maps.
Status expand(Expansion& e) {
  ASSIGN(const Term theta, term(e, 0));
  const std::optional<Ints> size = e.Inference::integers(1);
  if (!size || (size->size() != 4 && size->size() != 5))
    return e.refuse("not_constant", {{"input", "1"}});
  const Sizes places(size->begin() + 2, size->end());
  const std::size_t rank = places.size();
  const std::optional<std::int64_t> count = ir::count(places);
  constexpr std::int64_t kMost = 1 << 24;  // more is no image, and would fill the memory
  if (!count || *count > kMost) return refuse_shapes(e, *size, {4});
  std::vector<double> points;
  for (Odometer at(places, {}); !at.done(); at.next()) {
    for (std::size_t i = rank; i-- > 0;)
      points.push_back(position<double>(at.coordinates()[i], places[i], e.flag("align_corners")));
    points.push_back(1);
  }
  const Tensor exact =
      Tensor::of<double>({*count, static_cast<std::int64_t>(rank) + 1}, std::move(points));
  ASSIGN(Tensor base, convert(exact, theta.type()));
  const Term grid = Term(e, e.constant(std::move(base)), theta.type())
                        .then("MatMul", {theta.transposed({0, 2, 1})});
  Ints shape = {0};
  shape.insert(shape.end(), places.begin(), places.end());
  shape.push_back(static_cast<std::int64_t>(rank));
  e.set_output(0, grid.reshaped(e.indices(std::move(shape))));
  return {};
}

}  // namespace

extern const Operator affine_grid = {
    .name = "AffineGrid",
    .doc = "Sampling positions of an image after an affine map of its plane or space.",
    .since = 20,
    .inputs = {{"theta", 'T', kFloats}, {"size", 'S', kInt64}},
    .outputs = {{"grid", 'T', kFloats}},
    .attributes = {{"align_corners", 0}},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand,
};

}  // namespace godwit::ops::operators
