// Pooling of images of up to three spatial axes, global average pooling included.
#include "kernels/pool.h"
#include "exec/conv_shape.h"
#include "exec/lowering.h"
#include "kernels/rows.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Sizes;
namespace engine = kernels::engine;

Result<std::optional<kernels::PoolShape>> shape_of(const Part& part, const Sizes& image,
                                                   const Sizes& result) {
  if (image.size() < 3) return std::nullopt;
  ASSIGN(const ops::Window window, ops::read_window(part, part.integers("kernel_shape")));
  kernels::PoolShape out{.planes = static_cast<std::size_t>(image[0] * image[1])};
  out.counts_padding = part.flag("count_include_pad");
  if (!set_axes(window, ops::spatial(image), out)) return std::nullopt;
  for (std::size_t i = 0; i < window.rank(); ++i) {
    // A window that starts in the padding behind the image: by rule.
    const std::size_t axis = kMostAxes - window.rank() + i;
    const std::int64_t last = (result[i + 2] - 1) * window.strides[i];
    if (last >= image[i + 2] + window.begin(i, image[i + 2])) return std::nullopt;
    out.out[axis] = static_cast<std::size_t>(result[i + 2]);
  }
  return out;
}

// Where the image already lies in blocks, they are kept.
Result<Step> make_by_engine(const Part& part, const kernels::PoolShape& shape, bool is_max) {
  const engine::Layout layout = part.layouts().of(part.input(0));
  if (layout.is_any() || !part.layouts().may_be_blocked(part.output())) return Step();
  const auto channels = static_cast<std::size_t>((*part.sizes(part.input(0)))[1]);
  const auto pool = engine::make_pool(shape, channels, is_max, layout);
  if (!pool) return Step();
  part.layouts().set(part.output(), pool->out());
  ASSIGN(const ir::ValueId in, part.reads(part.input(0), layout));
  return Step(
      [pool = *pool, in, out = part.output(), store = part.store()](Frame& frame) -> Status {
        ASSIGN(float* const to, frame.write<float>(out));
        pool.run(frame.read<float>(in), to);
        if (!(store.how == kernels::Narrowing{}))
          kernels::narrow(to, to, pool.out().bytes() / sizeof(float), store.how);
        return {};
      });
}

Result<Step> make_global(const Part& part, const Sizes& image) {
  kernels::Rows call{
      .rows = static_cast<std::size_t>(image[0] * image[1]), .columns = 1, .store = part.store()};
  for (std::size_t i = 2; i < image.size(); ++i) call.columns *= static_cast<std::size_t>(image[i]);
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([call, in, out = part.output()](Frame& frame) mutable -> Status {
    ASSIGN(call.out, frame.write<float>(out));
    call.in = frame.read<float>(in);
    kernels::reduce_rows(kernels::Reduction::kMean, call);
    return {};
  });
}

Result<Step> make(const Part& part) {
  const auto image = part.sizes(part.input(0)), result = part.sizes(part.output());
  const bool is_plain = part.node().outputs.size() == 1 && part.is_fp32(part.input(0));
  if (!image || !result || !is_plain || image->size() < 3 || *ir::count(*image) == 0) return Step();
  if (part.op().name == "GlobalAveragePool") return make_global(part, *image);
  ASSIGN(const std::optional<kernels::PoolShape> shape, shape_of(part, *image, *result));
  if (!shape) return Step();
  const bool is_max = part.op().name == "MaxPool";
  ASSIGN(Step blocked, make_by_engine(part, *shape, is_max));
  if (blocked) return blocked;
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([shape = *shape, is_max, store = part.store(), in,
               out = part.output()](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    const float* const from = frame.read<float>(in);
    if (!is_max) {
      kernels::average_pool(shape, from, to, store);
      return {};
    }
    kernels::max_pool(shape, from, to);
    // A window of padding alone is an infinity, which the store may not know.
    const std::size_t made = shape.planes * shape.out[0] * shape.out[1] * shape.out[2];
    if (!(store.how == kernels::Narrowing{})) kernels::narrow(to, to, made, store.how);
    return {};
  });
}

}  // namespace

extern const Lowering pool = {
    .ops = {"MaxPool", "AveragePool", "GlobalAveragePool"},
    .make = make,
    // Averages are sums: those of the chip go by its own order.
    .make_on_chip =
        [](const Part& part) {
          const bool is_moved = part.op().name == "MaxPool" && part.keeps_bits();
          return is_moved ? make(part) : Result<Step>(Step());
        },
};

}  // namespace godwit::exec::lowerings
