// Columns of blocks put back into an image; where blocks overlap, their elements add up.
#include "ops/arithmetic.h"
#include "ops/expect.h"
#include "ops/window.h"

namespace godwit::ops::operators {
namespace {

// [N, C * block, L] becomes [N, C, image …].
Status infer(Inference& n) {
  const auto image = n.content(1);
  const auto block = n.content(2);
  std::optional<Shape> out;
  if (image) {
    out = Shape{Dim::unknown(), Dim::unknown()};
    if (n.shape(0) && n.shape(0)->size() == 3) {
      out->front() = n.shape(0)->front();
      if (block) (*out)[1] = floor_div((*n.shape(0))[1], count(*block));
    }
    out->insert(out->end(), image->begin(), image->end());
  }
  n.set(0, n.element(0), std::move(out));
  return {};
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 3));
  ASSIGN(const Ints image, call.integers(1));
  ASSIGN(const Ints block, call.integers(2));
  if (image.size() != block.size() || image.empty() || !ir::count(image))
    return refuse_shapes(call, image, block);
  ASSIGN(const Window window, read_window(call, block));
  ASSIGN(const Sizes positions, window.positions(call, std::span<const std::int64_t>(image)));
  const auto elements = ir::count(block), blocks = ir::count(positions);
  const Sizes& dims = call.input(0).dims();
  if (!elements || !blocks || dims[1] % *elements) return refuse_shapes(call, dims, block);
  TRY(expect_sizes(call, 0, {dims[0], dims[1], *blocks}));
  Sizes made = {dims[0], dims[1] / *elements};
  made.insert(made.end(), image.begin(), image.end());
  ASSIGN(const std::span<T> y, call.make<T>(0, made));

  const std::span<const T> x = call.values<T>(0);
  const auto planes = static_cast<std::size_t>(made[0] * made[1]);
  const auto volume = static_cast<std::size_t>(product(image, 0, image.size()));
  const auto kernel = static_cast<std::size_t>(*elements);
  const auto length = static_cast<std::size_t>(*blocks);
  const auto stride = static_cast<std::size_t>(window.strides.back());
  std::size_t k = 0;
  for (Odometer at(block, {}); !at.done(); at.next(), ++k) {
    const std::vector<Run> covered = runs(window, at.coordinates(), image, positions);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (const Run& run : covered) {
        for (std::size_t i = 0; i < run.count; ++i) {
          T& to = y[plane * volume + run.image + i * stride];
          to = wrapping_add(to, x[(plane * kernel + k) * length + run.position + i]);
        }
      }
    }
  }
  return {};
}

}  // namespace

extern const Operator col2_im = {
    .name = "Col2Im",
    .doc = "Puts columns of blocks back into an image; overlapping blocks add up.",
    .since = 18,
    .inputs = {{"input", 'T', kClassic | kBfloat16},
               {"image_shape", 'I', kInt64},
               {"block_shape", 'I', kInt64}},
    .outputs = {{"output", 'T', kClassic | kBfloat16}},
    .attributes = {{"dilations"}, {"pads"}, {"strides"}},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = by_type(Numbers(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
