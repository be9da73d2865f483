// Cuts a product into blocks of K and tasks of M x N, packs what is not packed, and runs the tasks.
#include "kernels/gemm.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

#include "base/pages.h"
#include "base/parallel.h"
#include "kernels/panels.h"

namespace godwit::kernels {

Buffer::Buffer(std::size_t floats) : size_(floats) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kOwnPages = 1 << 16;
  // Rounded up, so that a vector may read past the last element.
  const std::size_t bytes = (floats * sizeof(float) / kAlignment + 2) * kAlignment;
  if (void* const pages = bytes < kOwnPages ? nullptr : take_pages(bytes)) {
    data_ = {static_cast<float*>(pages), Free{bytes}};
  } else {
    data_.reset(static_cast<float*>(::operator new(bytes, std::align_val_t{kAlignment})));
  }
}

void Buffer::Free::operator()(float* data) const {
  if (bytes != 0) return return_pages(data, bytes);
  ::operator delete(data, std::align_val_t{64});
}

namespace {

// Memory that a thread keeps for its next product.
float* scratch(std::size_t which, std::size_t floats) {
  thread_local Buffer kept[2];
  if (kept[which].size() < floats) kept[which] = Buffer(floats);
  return kept[which].data();
}

}  // namespace

std::size_t block_depth(std::size_t k, const std::optional<Summation>& order) {
  const std::size_t whole = std::max<std::size_t>(1, k);
  if (order && order->order == Order::kExact) return whole;
  const std::size_t even = divide_up(whole, divide_up(whole, kDepth));
  return divide_up(even, kFractal) * kFractal;
}

PackedMatrix::PackedMatrix(Side side, std::size_t rows, std::size_t columns, MatrixView values,
                           std::size_t depth)
    : rows_(rows), columns_(columns) {
  const bool left = side == Side::kLeft;
  const std::size_t k = left ? columns : rows;
  PackedPanels panels(gemm_loops(), side, left ? rows : columns, k,
                      depth == 0 ? block_depth(k) : depth);
  panels_ = Buffer(panels.floats());
  panels.data = panels_.data();
  PackedPanels::set(*this, panels);
  if (left) {
    panels.pack(values.data, values.row_stride, values.column_stride);
  } else {
    panels.pack(values.data, values.column_stride, values.row_stride);
  }
}

namespace {

// A product whose operands are packed, or whose B is read where it stands.
class Blocks {
 public:
  Blocks(const Gemm& call, const PackedPanels& a, const PackedPanels& b, std::size_t unpacked)
      : call_(call), a_(a), b_(b), unpacked_(unpacked), depth_(a.depth) {}

  void run() {
    const std::size_t threads = thread_count();
    // A block of A that the second-level cache holds, and a strip of B for each task.
    std::size_t rows = std::max<std::size_t>(1, 240 / a_.width);
    rows = divide_up(a_.count(), divide_up(a_.count(), rows));
    std::size_t columns = std::max<std::size_t>(1, 1024 / b_.width);
    const double flops = 2.0 * static_cast<double>(call_.m) * static_cast<double>(call_.n) *
                         static_cast<double>(call_.k);
    const bool serial = threads == 1 || flops < 4e5;
    if (!serial) {
      const std::size_t blocks = divide_up(a_.count(), rows);
      const std::size_t strips = divide_up(4 * threads, blocks);
      columns = std::min(columns, std::max<std::size_t>(1, divide_up(b_.count(), strips)));
    }
    const std::size_t across = divide_up(b_.count(), columns);
    const std::size_t down = divide_up(a_.count(), rows);
    const auto task = [&](std::size_t index, std::size_t) {
      const std::size_t p = index % down * rows;
      const std::size_t q = index / down * columns;
      block(p, std::min(p + rows, a_.count()), q, std::min(q + columns, b_.count()));
    };
    if (!serial) {
      parallel_for(across * down, task);
    } else {
      for (std::size_t index = 0; index < across * down; ++index) task(index, 0);
    }
    if (call_.epilogue.losses != nullptr) *call_.epilogue.losses += losses_;
  }

 private:
  // Panels [p0, p1) of A times [q0, q1) of B, over all of K.
  void block(std::size_t p0, std::size_t p1, std::size_t q0, std::size_t q1) {
    Losses losses;
    for (std::size_t k0 = 0; k0 < call_.k; k0 += depth_) {
      const std::size_t depth = std::min(depth_, call_.k - k0);
      for (std::size_t q = q0; q < q1; ++q) {
        const bool direct = q < unpacked_;
        const float* const b =
            direct ? call_.b.data + k0 * call_.b.row_stride + q * b_.width : b_.panel(q, k0, depth);
        const std::size_t b_step = direct ? call_.b.row_stride : b_.width;
        for (std::size_t p = p0; p < p1; ++p) {
          const Tile tile = tile_at(p, q, k0);
          const bool is_last = k0 + depth == call_.k;
          if (is_last) prefetch_residual(call_.epilogue, tile, offset_of(tile));
          multiply({depth, a_.panel(p, k0, depth), a_.width, b, b_step}, tile, losses);
          if (is_last) finish(tile, p, q, losses);
        }
      }
    }
    const std::lock_guard lock(mutex_);
    losses_ += losses;
  }

  std::size_t offset_of(const Tile& tile) const {
    return static_cast<std::size_t>(tile.c - call_.c);
  }

  void multiply(const PanelPair& panels, const Tile& tile, Losses& losses) const {
    if (call_.order)
      return a_.loops->multiply_in_order(panels, kFractal, *call_.order, tile, losses);
    a_.loops->multiply(panels.depth, panels.a, panels.a_step, panels.b, panels.b_step, tile);
  }

  Tile tile_at(std::size_t p, std::size_t q, std::size_t k0) const {
    const std::size_t row = p * a_.width;
    const std::size_t column = q * b_.width;
    return {.c = call_.c + row * call_.c_stride + column,
            .c_stride = call_.c_stride,
            .rows = std::min(a_.width, call_.m - row),
            .columns = std::min(b_.width, call_.n - column),
            .alpha = call_.alpha,
            .beta = k0 == 0 ? call_.beta : 1.0f};
  }

  void finish(const Tile& tile, std::size_t p, std::size_t q, Losses& losses) const {
    if (call_.epilogue.is_empty()) return;
    a_.loops->finish(tile, call_.epilogue, p * a_.width, q * b_.width, losses);
  }

  const Gemm& call_;
  const PackedPanels a_;
  const PackedPanels b_;
  const std::size_t unpacked_;  // the first panels of B, read where they stand
  const std::size_t depth_;
  std::mutex mutex_;
  Losses losses_;
};

void finish_all(const Gemm& call) {
  if (call.epilogue.is_empty()) return;
  Losses losses;
  const Tile whole{.c = call.c, .c_stride = call.c_stride, .rows = call.m, .columns = call.n};
  gemm_loops().finish(whole, call.epilogue, 0, 0, losses);
  if (call.epilogue.losses != nullptr) *call.epilogue.losses += losses;
}

// K = 0: no products, but beta C and the epilogue.
void scale_only(const Gemm& call) {
  for (std::size_t r = 0; r < call.m; ++r) {
    float* const row = call.c + r * call.c_stride;
    for (std::size_t i = 0; i < call.n; ++i) row[i] = call.beta == 0 ? 0.0f : call.beta * row[i];
  }
  finish_all(call);
}

void gemm_one(const Gemm& call);

// The running sums of an order take C; so alpha, beta and the epilogue follow in a second step.
void scale_after(const Gemm& call) {
  const Buffer sums(call.m * call.n);
  Gemm plain = call;
  plain.c = sums.data();
  plain.c_stride = call.n;
  plain.alpha = 1;
  plain.beta = 0;
  plain.epilogue = {.losses = call.epilogue.losses};
  gemm_one(plain);
  for (std::size_t i = 0; i < call.m * call.n; ++i) {
    float& c = call.c[i / call.n * call.c_stride + i % call.n];
    const float x = call.alpha == 1 ? sums.data()[i] : call.alpha * sums.data()[i];
    c = call.beta == 0 ? x : call.beta * c + x;
  }
  finish_all(call);
}

void gemm_one(const Gemm& call) {
  if (call.m == 0 || call.n == 0) return;
  if (call.k == 0) return scale_only(call);
  if (call.order && (call.alpha != 1 || call.beta != 0)) return scale_after(call);
  const GemmLoops* loops = &gemm_loops();
  if (call.packed_a != nullptr) loops = PackedPanels(*call.packed_a, Side::kLeft).loops;
  if (call.packed_b != nullptr) loops = PackedPanels(*call.packed_b, Side::kRight).loops;
  std::size_t depth = block_depth(call.k, call.order);
  if (call.packed_a != nullptr) depth = PackedPanels(*call.packed_a, Side::kLeft).depth;
  if (call.packed_b != nullptr) depth = PackedPanels(*call.packed_b, Side::kRight).depth;
  PackedPanels a(*loops, Side::kLeft, call.m, call.k, depth);
  if (call.packed_a != nullptr) {
    a = PackedPanels(*call.packed_a, Side::kLeft);
  } else {
    a.data = scratch(0, a.floats());
    a.pack(call.a.data, call.a.row_stride, call.a.column_stride);
  }
  PackedPanels b(*loops, Side::kRight, call.n, call.k, depth);
  std::size_t unpacked = 0;
  if (call.packed_b != nullptr) {
    b = PackedPanels(*call.packed_b, Side::kRight);
  } else {
    // Few rows of A do not pay for packing B; only what does not fill a panel has to be.
    if (call.b.column_stride == 1 && a.count() <= 2) unpacked = call.n / b.width;
    b.data = unpacked == b.count() ? nullptr : scratch(1, b.floats());
    b.pack(call.b.data, call.b.column_stride, call.b.row_stride, unpacked);
  }
  Blocks(call, a, b, unpacked).run();
}

}  // namespace

void gemm(const Gemm& call) {
  if (call.batch == 1) return gemm_one(call);
  std::mutex mutex;
  Losses losses;
  const auto one = [&](std::size_t index, std::size_t) {
    Gemm single = call;
    Losses own;
    single.a.data += index * call.a_step;
    single.b.data += index * call.b_step;
    single.c += index * call.c_step;
    if (call.epilogue.residual != nullptr) single.epilogue.residual += index * call.c_step;
    single.epilogue.losses = &own;
    gemm_one(single);
    const std::lock_guard lock(mutex);
    losses += own;
  };
  if (call.batch >= thread_count()) {
    parallel_for(call.batch, one);
  } else {
    for (std::size_t index = 0; index < call.batch; ++index) one(index, 0);
  }
  if (call.epilogue.losses != nullptr) *call.epilogue.losses += losses;
}

}  // namespace godwit::kernels
