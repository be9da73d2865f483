// oneDNN, where it is installed: convolutions, products and pooling in its own blocked layouts. It
// is loaded when first asked for, so a program needs it neither to be built nor to run; whoever
// uses this interface keeps our own kernels as the way without it.
//
// Sums are in fp32 in an order of the library's choosing: never where an order is prescribed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "kernels/conv.h"
#include "kernels/gemm.h"
#include "kernels/pool.h"

namespace godwit::kernels::engine {

/// Whether oneDNN 2 can be used. The first call loads it (about 2 ms); `GODWIT_ONEDNN=off` forbids
/// it.
bool is_available();

/// "2.6.3", or empty.
std::string version();

/// Dimensions of an fp32 tensor and its order in memory. Images are batch, channels and two spatial
/// axes, or three where the first of ConvShape's axes is used.
class Layout {
 public:
  /// The engine chooses.
  Layout() = default;
  /// Dense, last dimension innermost.
  static Layout plain(std::span<const std::size_t> dims);

  bool is_any() const { return data_ == nullptr; }
  bool is_plain() const;
  /// How many channels lie side by side where an image lies as [batch, channels / block, pixels,
  /// block]: 1 for row-major, all of them for channels last; 0 for any other order, or one that
  /// fills channels up.
  std::size_t channel_block() const;
  /// What a tensor takes, padding of its blocks included; a whole number of floats.
  std::size_t bytes() const;
  friend bool operator==(const Layout& a, const Layout& b) { return a.equals(b); }

 private:
  friend struct LayoutAccess;
  bool equals(const Layout& other) const;
  std::shared_ptr<const struct LayoutData> data_;
};

/// What happens to each result before it is stored, in the order of the list.
struct PostOp {
  enum class Kind {
    kSum,   ///< adds what the output held before: the residual, in the output's layout
    kAdd,   ///< adds another tensor; dimensions of 1 are repeated
    kRelu,  ///< a: slope below 0
    kClip,  ///< between a and b
    kGelu,  ///< by erf
    kGeluTanh,
    kSilu,
    kSigmoid,
    kTanh,
  };
  Kind kind = Kind::kRelu;
  float a = 0;
  float b = 0;
  Layout other{};  ///< of kAdd
};

/// Something prepared for one shape. Any number of threads may run it at the same time.
class Primitive {
 public:
  const Layout& in() const { return in_; }
  const Layout& out() const { return out_; }

  /// `others` are the tensors of the kAdd post-ops in their order. Uses as many threads as
  /// thread_count() said when it was made.
  void run(const float* in, float* out, std::span<const float* const> others = {}) const;

 private:
  friend struct PrimitiveAccess;
  Layout in_;
  Layout out_;
  std::shared_ptr<const struct PrimitiveData> data_;
};

/// All of them: nothing, if the engine is not there or cannot do it. Weights and bias (may be null)
/// are copied into the layout that the engine wants.

/// Weights as for Conv. `in` and `out` may be left to the engine, which then chooses blocks.
std::optional<Primitive> make_conv(const ConvShape& shape, const float* weights, const float* bias,
                                   std::span<const PostOp> post = {}, const Layout& in = {},
                                   const Layout& out = {});

/// [m, k] times weights [k, n], both sides plain; bias of n values.
std::optional<Primitive> make_matmul(std::size_t m, std::size_t n, std::size_t k,
                                     const MatrixView& weights, const float* bias,
                                     std::span<const PostOp> post = {});

/// planes = batch * channels; `in` may be blocked, the output then is too.
std::optional<Primitive> make_pool(const PoolShape& shape, std::size_t channels, bool is_max,
                                   const Layout& in);

/// Copies from one order to another; of the same dimensions.
std::optional<Primitive> make_reorder(const Layout& from, const Layout& to);

}  // namespace godwit::kernels::engine
