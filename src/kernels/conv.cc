// Prepares convolutions, cuts them into tasks and runs these on all threads.
#include "kernels/conv.h"

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "kernels/conv_loops.h"
#include "kernels/panels.h"

namespace godwit::kernels {
namespace {

// Pixels that a task gathers at a time: with a block of weights they fill the second-level cache. A
// third more, where that spares a short strip for which all weights would be read again.
constexpr std::size_t kStripPixels = 192;
static_assert(kStripPixels / 3 * 4 <= kGatherPixels);

// Panels of a strip.
std::size_t stretched(std::size_t strip) { return strip + strip / 3; }

std::size_t strips_of(std::size_t panels, std::size_t strip) {
  const std::size_t strips = divide_up(panels, strip);
  const bool stretches = strips > 1 && divide_up(panels, strips - 1) <= stretched(strip);
  return stretches ? strips - 1 : strips;
}

// Without kernel, stride and pads an image is one row of pixels.
ConvShape flattened(ConvShape shape) {
  constexpr ConvShape::Axes kOnes{1, 1, 1};
  constexpr ConvShape::Axes kNone{};
  if (shape.kernel == kOnes && shape.stride == kOnes && shape.pad_begin == kNone &&
      shape.pad_end == kNone) {
    shape.in = {1, 1, shape.in_pixels()};
  }
  return shape;
}

std::size_t padded_pixels(const ConvShape& s) {
  std::size_t pixels = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    pixels *= s.in[axis] + s.pad_begin[axis] + s.pad_end[axis];
  }
  return pixels;
}

// Copies a plane into one whose padding is written out.
void pad_plane(const ConvShape& s, const float* in, float* padded) {
  const std::size_t width = s.in[2] + s.pad_begin[2] + s.pad_end[2];
  const std::size_t height = s.in[1] + s.pad_begin[1] + s.pad_end[1];
  std::fill(padded, padded + padded_pixels(s), 0.0f);
  for (std::size_t row = 0; row < s.in[0] * s.in[1]; ++row, in += s.in[2]) {
    const std::size_t z = row / s.in[1] + s.pad_begin[0];
    const std::size_t y = row % s.in[1] + s.pad_begin[1];
    std::copy(in, in + s.in[2], padded + (z * height + y) * width + s.pad_begin[2]);
  }
}

}  // namespace

std::size_t ConvShape::out(std::size_t axis) const {
  const std::size_t padded = in[axis] + pad_begin[axis] + pad_end[axis];
  const std::size_t extent = (kernel[axis] - 1) * dilation[axis] + 1;
  return padded < extent ? 0 : (padded - extent) / stride[axis] + 1;
}

Conv::Conv(const ConvShape& shape, const float* weights, const std::optional<Summation>& order)
    : shape_(flattened(shape)),
      order_(order),
      is_depthwise_(shape.group_channels() == 1 && shape.group_outputs() == 1) {
  const std::size_t k = shape_.group_channels() * shape_.taps();
  depth_ = block_depth(k, order);
  if (order) {
    // One product for each tap: nothing is added up before it joins the sum.
    is_depthwise_ &= order->order != Order::kExact && order->accumulator == Narrowing{};
    // Blocks of K would cut a shorter sixteen.
    if (shape_.group_channels() % kFractal != 0) depth_ = std::max<std::size_t>(1, k);
  }
  if (is_depthwise_) {
    taps_.assign(weights, weights + shape_.out_channels * k);
  } else {
    pack(weights);
  }
}

void Conv::pack(const float* weights) {
  const std::size_t channels = shape_.group_channels(), taps = shape_.taps();
  const std::size_t k = channels * taps;
  const std::size_t rows = shape_.group_outputs();
  std::vector<float> ordered(rows * k);
  for (std::size_t group = 0; group < shape_.groups; ++group) {
    const float* const own = weights + group * rows * k;
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t at = place_along_k(shape_, order_.has_value(), i / taps, i % taps);
      for (std::size_t row = 0; row < rows; ++row) ordered[row * k + at] = own[row * k + i];
    }
    weights_.emplace_back(Side::kLeft, rows, k, MatrixView{ordered.data(), k}, depth_);
  }
}

// Fewer where blocks of K are longer.
std::size_t Conv::strip_panels() const {
  const std::size_t columns = PackedPanels(weights_[0], Side::kLeft).loops->panel_columns;
  const std::size_t panels = kStripPixels / columns * kDepth / std::max(kDepth, depth_);
  return std::max<std::size_t>(1, panels);
}

std::size_t Conv::scratch(std::size_t threads) const {
  // A vector may read past the end of a padded plane.
  if (is_depthwise_) return threads * (padded_pixels(shape_) + 64);
  const std::size_t columns = PackedPanels(weights_[0], Side::kLeft).loops->panel_columns;
  return threads * stretched(strip_panels()) * columns * depth_;
}

void Conv::run(const float* in, float* out, const Epilogue& epilogue, float* scratch) const {
  if (shape_.batch * shape_.out_channels * shape_.out_pixels() == 0) return;
  if (shape_.group_channels() * shape_.taps() == 0) return run_empty(out, epilogue);
  if (is_depthwise_) return run_depthwise(in, out, epilogue, scratch);
  run_product(in, out, epilogue, scratch);
}

// No products: the epilogue of zeros.
void Conv::run_empty(float* out, const Epilogue& epilogue) const {
  const std::size_t pixels = shape_.out_pixels();
  Losses losses;
  for (std::size_t plane = 0; plane < shape_.batch * shape_.out_channels; ++plane) {
    std::fill_n(out + plane * pixels, pixels, 0.0f);
    conv_loops().finish(out + plane * pixels, pixels, epilogue, plane % shape_.out_channels,
                        plane * pixels, losses);
  }
  if (epilogue.losses != nullptr) *epilogue.losses += losses;
}

void Conv::run_depthwise(const float* in, float* out, const Epilogue& epilogue,
                         float* scratch) const {
  const ConvLoops& loops = conv_loops();
  const std::size_t plane = shape_.in_pixels();
  const std::size_t pixels = shape_.out_pixels();
  std::mutex mutex;
  Losses losses;
  parallel_for(shape_.batch * shape_.channels, [&](std::size_t index, std::size_t worker) {
    float* const padded = scratch + worker * (padded_pixels(shape_) + 64);
    const std::size_t channel = index % shape_.channels;
    pad_plane(shape_, in + index * plane, padded);
    loops.depthwise(shape_, padded, taps_.data() + channel * shape_.taps(), out + index * pixels);
    if (epilogue.is_empty()) return;
    Losses own;
    loops.finish(out + index * pixels, pixels, epilogue, channel, index * pixels, own);
    const std::lock_guard lock(mutex);
    losses += own;
  });
  if (epilogue.losses != nullptr) *epilogue.losses += losses;
}

namespace {

// A part of one group of one image: some panels of pixels, some of output channels.
struct Part {
  std::size_t plane;   // image * groups + group
  std::size_t q0, q1;  // panels of pixels
  std::size_t p0, p1;  // panels of channels
};

class Products {
 public:
  Products(const ConvShape& shape, const std::vector<PackedMatrix>& weights,
           const std::optional<Summation>& order, const float* in, float* out,
           const Epilogue& epilogue)
      : shape_(shape), weights_(weights), order_(order), in_(in), out_(out), epilogue_(epilogue) {}

  void run(float* scratch, std::size_t strip, std::size_t scratch_step) {
    const PackedPanels first(weights_[0], Side::kLeft);
    const std::size_t panels = divide_up(pixels_, columns_);
    const std::size_t planes = shape_.batch * shape_.groups;
    // Too few strips for the threads: cut the channels, as long as a part pays for its gathering,
    // then the strips.
    const std::size_t wanted = thread_count() == 1 ? 1 : 3 * thread_count();
    std::size_t strips = strips_of(panels, strip);
    const std::size_t cuts = std::clamp<std::size_t>(divide_up(wanted, planes * strips), 1,
                                                     std::max<std::size_t>(1, first.count() / 8));
    if (planes * strips * cuts < wanted) {
      strip = std::clamp<std::size_t>(planes * panels * cuts / wanted, 1, strip);
      strips = divide_up(panels, strip);
    }
    const std::size_t rows = divide_up(first.count(), cuts);
    parallel_for(planes * strips * cuts, [&](std::size_t index, std::size_t worker) {
      const std::size_t at = index / cuts % strips;
      const std::size_t p0 = std::min(index % cuts * rows, first.count());
      const Part part{.plane = index / (cuts * strips),
                      .q0 = at * panels / strips,
                      .q1 = (at + 1) * panels / strips,
                      .p0 = p0,
                      .p1 = std::min(p0 + rows, first.count())};
      run_part(part, scratch + worker * scratch_step);
    });
    if (epilogue_.losses != nullptr) *epilogue_.losses += losses_;
  }

 private:
  void run_part(const Part& part, float* panels) {
    const PackedPanels a(weights_[part.plane % shape_.groups], Side::kLeft);
    Losses losses;
    for (std::size_t k0 = 0; k0 < a.k; k0 += a.depth) {
      const std::size_t some = std::min(a.depth, a.k - k0);
      gather(part, k0, some, panels);
      for (std::size_t p = part.p0; p < part.p1; ++p) {
        for (std::size_t q = part.q0; q < part.q1; ++q) {
          const Tile tile = tile_at(a, part, p, q, k0);
          const bool is_last = k0 + some == a.k;
          if (is_last) prefetch_residual(epilogue_, tile, static_cast<std::size_t>(tile.c - out_));
          multiply({some, a.panel(p, k0, some), a.width, panels + (q - part.q0) * some * columns_,
                    columns_},
                   tile, losses);
          if (is_last) finish(a, part, p, q, tile, losses);
        }
      }
    }
    const std::lock_guard lock(mutex_);
    losses_ += losses;
  }

  void multiply(const PanelPair& panels, const Tile& tile, Losses& losses) const {
    if (!order_) {
      return loops_.multiply(panels.depth, panels.a, panels.a_step, panels.b, panels.b_step, tile);
    }
    // Whole sixteens of channels, then those of the channels that are left over; these are not
    // divided along K.
    const std::size_t left = shape_.group_channels() % kFractal;
    const std::size_t whole = (shape_.group_channels() - left) * shape_.taps();
    if (left == 0 || order_->order == Order::kExact) {
      return loops_.multiply_in_order(panels, kFractal, *order_, tile, losses);
    }
    PanelPair part = panels;
    Tile to = tile;
    part.depth = whole;
    if (part.depth != 0) {
      loops_.multiply_in_order(part, kFractal, *order_, to, losses);
      to.beta = 1;
    }
    part.a += part.depth * part.a_step;
    part.b += part.depth * part.b_step;
    part.depth = panels.depth - part.depth;
    loops_.multiply_in_order(part, left, *order_, to, losses);
  }

  void gather(const Part& part, std::size_t k0, std::size_t depth, float* panels) const {
    const std::size_t first = part.q0 * columns_;
    gathers_.gather(shape_,
                    {.image = in_ + part.plane * shape_.group_channels() * shape_.in_pixels(),
                     .first = first,
                     .count = std::min(part.q1 * columns_, pixels_) - first,
                     .k0 = k0,
                     .depth = depth,
                     .in_sixteens = order_.has_value()},
                    panels, columns_);
  }

  Tile tile_at(const PackedPanels& a, const Part& part, std::size_t p, std::size_t q,
               std::size_t k0) const {
    const std::size_t row = p * a.width;
    const std::size_t channel = part.plane * shape_.group_outputs() + row;
    return {.c = out_ + channel * pixels_ + q * columns_,
            .c_stride = pixels_,
            .rows = std::min(a.width, a.length - row),
            .columns = std::min(columns_, pixels_ - q * columns_),
            .beta = k0 == 0 ? 0.0f : 1.0f};
  }

  // The epilogue's rows are the channels of one image.
  void finish(const PackedPanels& a, const Part& part, std::size_t p, std::size_t q,
              const Tile& tile, Losses& losses) const {
    if (epilogue_.is_empty()) return;
    Epilogue own = epilogue_;
    const std::size_t image = part.plane / shape_.groups;
    if (own.residual != nullptr) own.residual += image * shape_.out_channels * pixels_;
    const std::size_t group = part.plane % shape_.groups * shape_.group_outputs();
    loops_.finish(tile, own, group + p * a.width, q * columns_, losses);
  }

  const ConvShape& shape_;
  const std::vector<PackedMatrix>& weights_;
  const std::optional<Summation>& order_;
  const float* const in_;
  float* const out_;
  const Epilogue& epilogue_;
  const GemmLoops& loops_ = *PackedPanels(weights_[0], Side::kLeft).loops;
  const ConvLoops& gathers_ = conv_loops();
  const std::size_t pixels_ = shape_.out_pixels();
  const std::size_t columns_ = loops_.panel_columns;
  std::mutex mutex_;
  Losses losses_;
};

}  // namespace

void Conv::run_product(const float* in, float* out, const Epilogue& epilogue,
                       float* scratch) const {
  Products(shape_, weights_, order_, in, out, epilogue)
      .run(scratch, strip_panels(), this->scratch(1));
}

}  // namespace godwit::kernels
