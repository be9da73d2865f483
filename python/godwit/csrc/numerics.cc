// Rounding and saturation. Results are first only looked at, because nearly none has to be mended.
#include "numerics.h"

#include <array>
#include <limits>

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/nan_to_num.h>
#include <torch/library.h>

#include "alias.h"
#include "loops.h"

namespace godwit {

ChipNumerics chip_numerics;

namespace {

using at::Tensor;

constexpr int64_t kGrain = 1 << 15;
constexpr double kHalfMost = 65504;
constexpr double kFloatMost = std::numeric_limits<float>::max();

template <class Loop>
int64_t sum_over(int64_t count, const Loop& loop) {
  if (count <= kGrain) return loop(0, count);
  std::atomic<int64_t> sum{0};
  at::parallel_for(0, count, kGrain, [&](int64_t from, int64_t to) { sum += loop(from, to); });
  return sum;
}

bool saturates(c10::ScalarType type) { return type == at::kHalf || type == at::kFloat; }

int64_t saturate_dense(const Tensor& host) {
  const int64_t count = host.numel();
  if (host.scalar_type() == at::kHalf) {
    auto* const codes = static_cast<uint16_t*>(host.mutable_data_ptr());
    return sum_over(count, [&](int64_t from, int64_t to) {
      return loops::saturate_half(codes + from, to - from);
    });
  }
  auto* const values = static_cast<uint32_t*>(host.mutable_data_ptr());
  return sum_over(count, [&](int64_t from, int64_t to) {
    return loops::saturate_float(values + from, to - from);
  });
}

void saturate(const Operator& op, const Tensor& host) {
  if (!saturates(host.scalar_type()) || host.numel() == 0) return;
  if (C10_UNLIKELY(!host.is_non_overlapping_and_dense())) {
    const double most = host.scalar_type() == at::kHalf ? kHalfMost : kFloatMost;
    at::nan_to_num_(const_cast<Tensor&>(host), 0.0, most, -most);
  } else if (const int64_t mended = saturate_dense(host)) {
    op.saturated.fetch_add(mended, std::memory_order_relaxed);
  }
}

// Reads of a saturating chip meet no infinity: what the host filled in is clamped on the way.
Tensor saturated_copy(const Operator& op, const Tensor& host) {
  if (!chip_numerics.saturates || !saturates(host.scalar_type())) return host;
  Tensor copy = host.clone();
  saturate(op, copy);
  return copy;
}

// Memory that a thread's products read again and again: fresh pages would cost more than the
// rounding.
Tensor scratch_like(const Tensor& like) {
  constexpr int64_t kMost = 1 << 24;
  static thread_local std::array<Tensor, 3> kept;
  const int64_t count = like.numel();
  if (count > kMost) return at::empty_like(like);
  for (Tensor& one : kept) {
    if (one.defined() && one.storage().use_count() > 1) continue;
    if (!one.defined() || one.numel() < count) one = at::empty({count}, like.options());
    return on_storage(one.storage(), like, c10::DispatchKey::CPU, 0);
  }
  return at::empty_like(like);
}

CubeInput cube_input(const Operator& op) {
  return op.numerics == Numerics::kConvolution ? chip_numerics.convolution : chip_numerics.matmul;
}

Tensor round_float(const Tensor& host, CubeInput how) {
  if (how == CubeInput::kFp32) return host;
  const Tensor from = host.is_non_overlapping_and_dense() ? host : host.contiguous();
  const Tensor to = scratch_like(from);
  const auto* const in = static_cast<const float*>(from.data_ptr());
  auto* const out = static_cast<float*>(to.data_ptr());
  at::parallel_for(0, from.numel(), kGrain, [&](int64_t begin, int64_t end) {
    const auto* const x = in + begin;
    if (how == CubeInput::kFp16)
      loops::round_to_fp16(x, out + begin, end - begin, chip_numerics.saturates);
    else
      loops::round_to_hf32(x, out + begin, end - begin, chip_numerics.ties_to_even);
  });
  return to;
}

void clamp_to_half(const Operator& op, const Tensor& wide) {
  if (!chip_numerics.saturates) return;
  auto* const values = static_cast<float*>(wide.mutable_data_ptr());
  const int64_t mended = sum_over(wide.numel(), [&](int64_t from, int64_t to) {
    return loops::clamp_to_half(values + from, to - from);
  });
  op.saturated.fetch_add(mended, std::memory_order_relaxed);
}

bool is_product(const Operator& op) {
  return op.numerics == Numerics::kMatmul || op.numerics == Numerics::kConvolution;
}

}  // namespace

Tensor round_operand(const Operator& op, size_t index, const Tensor& host) {
  if (op.numerics == Numerics::kSoftmax) return saturated_copy(op, host);
  if (host.scalar_type() == at::kHalf) return host.to(at::kFloat);
  if (host.scalar_type() != at::kFloat || op.is_accumulator[index]) return host;
  return round_float(host, cube_input(op));
}

Tensor widen_written(const Operator& op, const Tensor& host) {
  return is_product(op) && host.scalar_type() == at::kHalf ? host.to(at::kFloat) : Tensor();
}

void narrow_written(const Operator& op, const Tensor& wide, const Tensor& host) {
  if (wide.is_non_overlapping_and_dense()) clamp_to_half(op, wide);
  if (host.sizes() != wide.sizes()) const_cast<Tensor&>(host).resize_(wide.sizes());
  host.copy_(wide);
}

void saturate_result(const Operator& op, const Tensor& host) {
  if (C10_LIKELY(!chip_numerics.on || !chip_numerics.saturates) || op.numerics == Numerics::kMoves)
    return;
  saturate(op, host);
}

void saturate_stored(const Operator& op, const Tensor& host) { saturate(op, host); }

Tensor store_result(const Operator& op, const Tensor& result, c10::ScalarType type) {
  if (C10_LIKELY(!chip_numerics.on)) return result;
  if (is_product(op) && type == at::kHalf && result.scalar_type() == at::kFloat) {
    if (result.is_non_overlapping_and_dense()) clamp_to_half(op, result);
    return result.to(at::kHalf);
  }
  saturate_result(op, result);
  return result;
}

namespace {

CubeInput parse(const std::string& cell) {
  return cell == "fp16" ? CubeInput::kFp16 : cell == "hf32" ? CubeInput::kHf32 : CubeInput::kFp32;
}

void configure(bool on, bool saturates, const std::string& matmul, const std::string& convolution,
               bool ties_to_even) {
  chip_numerics = {on, saturates, parse(matmul), parse(convolution), ties_to_even};
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def(
      "set_numerics(bool on, bool saturates, str matmul, str convolution, bool ties_to_even) -> ()",
      [](bool on, bool saturates, std::string matmul, std::string convolution, bool ties) {
        godwit::configure(on, saturates, matmul, convolution, ties);
      });
}
