// From a tensor of any kind to its sketch: what must be copied is copied, large tensors are shared
// among threads.
#include "record_sketch.h"

#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "record_numbers.h"

namespace godwit::record {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;  // bytes that are hashed as one; never changes

struct Sums {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0, squares = 0;
  std::int64_t finite = 0, zero = 0, nan = 0, positive = 0, negative = 0, saturated = 0;

  void add(const Sums& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    sum += other.sum;
    squares += other.squares;
    finite += other.finite;
    zero += other.zero;
    nan += other.nan;
    positive += other.positive;
    negative += other.negative;
    saturated += other.saturated;
  }
};

template <class Real>
void count_special(const Real* values, std::size_t count, Sums& sums) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(values[i])) ++sums.nan;
    if (std::isinf(values[i])) ++(values[i] > 0 ? sums.positive : sums.negative);
  }
}

template <class Real>
void add_block(const Real* values, std::size_t count, Sums& sums, Hash* hash = nullptr) {
  BlockSums block = sum_block(values, count, hash);
  // Squares of 1e20 overflow a float, squares of 1e-23 vanish; sums of them are taken again wider.
  const double largest = std::max(std::abs(block.min), std::abs(block.max));
  if (block.finite > 0 && (largest > 1e15 || (largest != 0 && largest < 1e-15))) {
    block.sum = block.squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double value = values[i];
      if (!std::isfinite(value)) continue;
      block.sum += value;
      block.squares += value * value;
    }
  }
  sums.min = std::min(sums.min, block.min);
  sums.max = std::max(sums.max, block.max);
  sums.sum += block.sum;
  sums.squares += block.squares;
  sums.finite += block.finite;
  sums.zero += block.zero;
  if (block.finite < static_cast<std::int64_t>(count)) count_special(values, count, sums);
}

template <class Value>
void widen(const Value* from, double* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(from[i]);
}

template <class Value>
void add_wide(const void* data, std::size_t count, Sums& sums, Hash& hash) {
  double block[kBlock];
  const Value* const values = static_cast<const Value*>(data);
  widen(values, block, count);
  add_block(block, count, sums);
  hash_block(values, count * sizeof *values, hash);
}

template <class Value>
void add_plain(const void* data, std::size_t count, Sums& sums, Hash& hash) {
  add_block(static_cast<const Value*>(data), count, sums, &hash);
}

template <bool half>
void add_narrow(const void* data, std::size_t count, Sums& sums, Hash& hash) {
  float block[kBlock];
  const std::uint16_t* const values = static_cast<const std::uint16_t*>(data);
  (half ? widen_half : widen_bfloat)(values, block, count);
  add_block(block, count, sums);
  if (half) sums.saturated += count_saturated_halves(values, count);
  hash_block(values, count * sizeof *values, hash);
}

// Of at most kBlock values.
using Add = void (*)(const void*, std::size_t, Sums&, Hash&);

Add add_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return add_plain<float>;
    case at::kDouble: return add_plain<double>;
    case at::kHalf: return add_narrow<true>;
    case at::kBFloat16: return add_narrow<false>;
    case at::kLong: return add_wide<std::int64_t>;
    case at::kInt: return add_wide<std::int32_t>;
    case at::kShort: return add_wide<std::int16_t>;
    case at::kChar: return add_wide<std::int8_t>;
    case at::kByte: return add_wide<std::uint8_t>;
    case at::kBool: return add_wide<std::uint8_t>;
    default: return nullptr;
  }
}

struct Chunk {
  Sums sums;
  std::uint64_t hash = 0;
};

// Statistics and hash a block at a time, while it is in the first-level cache.
Chunk take_chunk(Add add, const char* data, std::size_t size, std::size_t width) {
  Chunk out;
  Hash hash;
  for (std::size_t at = 0; at < size; at += kBlock * width)
    add(data + at, std::min(kBlock, (size - at) / width), out.sums, hash);
  out.hash = finish(hash, size);
  return out;
}

void fill(Sketch& out, const Sums& sums) {
  out.finite = sums.finite;
  out.nan = sums.nan;
  out.positive_inf = sums.positive;
  out.negative_inf = sums.negative;
  out.zero = sums.zero;
  out.saturated = sums.saturated;
  if (sums.finite == 0) return;
  const double count = static_cast<double>(sums.finite);
  out.min = sums.min;
  out.max = sums.max;
  out.mean = sums.sum / count;
  out.norm = std::sqrt(sums.squares);
  out.rms = std::sqrt(sums.squares / count);
}

template <class Value>
void cast(const char* from, float* to, int count) {
  for (int k = 0; k < count; ++k) {
    Value value;
    std::memcpy(&value, from + static_cast<std::size_t>(k) * sizeof value, sizeof value);
    to[k] = static_cast<float>(value);
  }
}

template <bool half>
void widen_samples(const char* from, float* to, int count) {
  std::uint16_t codes[Sketch::kSamples];
  std::memcpy(codes, from, static_cast<std::size_t>(count) * sizeof *codes);
  (half ? widen_half : widen_bfloat)(codes, to, static_cast<std::size_t>(count));
}

using Cast = void (*)(const char*, float*, int);

Cast cast_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return cast<float>;
    case at::kDouble: return cast<double>;
    case at::kHalf: return widen_samples<true>;
    case at::kBFloat16: return widen_samples<false>;
    case at::kLong: return cast<std::int64_t>;
    case at::kInt: return cast<std::int32_t>;
    case at::kShort: return cast<std::int16_t>;
    case at::kChar: return cast<std::int8_t>;
    default: return cast<std::uint8_t>;
  }
}

// Gathered as they lie, then cast at once.
void take_samples(Sketch& out, const at::Tensor& values) {
  char raw[Sketch::kSamples * sizeof(double)];
  const char* const data = static_cast<const char*>(values.const_data_ptr());
  const std::size_t width = values.element_size();
  out.samples = static_cast<int>(std::min<std::int64_t>(out.count, Sketch::kSamples));
  for (int k = 0; k < out.samples; ++k) {
    const std::int64_t at =
        out.count <= Sketch::kSamples ? k : k * (out.count - 1) / (Sketch::kSamples - 1);
    std::memcpy(raw + static_cast<std::size_t>(k) * width,
                data + static_cast<std::size_t>(at) * width, width);
  }
  cast_of(values.scalar_type())(raw, out.sample.data(), out.samples);
}

// Our own operators are no part of what is recorded, of autograd or of a Python mode.
struct Quiet {
  c10::NoGradGuard no_grad;
  at::AutoDispatchBelowADInplaceOrView below_autograd;
  at::DisableRecordFunctionGuard no_record;
  c10::impl::ExcludeDispatchKeyGuard no_python{
      c10::DispatchKeySet({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot})};
  c10::impl::ExcludeDispatchKeyGuard no_autocast{c10::autocast_dispatch_keyset};
};

// Most tensors: their memory can be read as it is, which calls no operator.
bool is_plain(const at::Tensor& tensor) {
  return tensor.layout() == at::kStrided && tensor.device().is_cpu() && tensor.has_storage() &&
         !tensor.is_quantized() && !tensor._is_zerotensor() && !tensor.is_neg() &&
         !tensor.is_complex() && !tensor.is_nested() && tensor.is_contiguous();
}

// Sparse layouts by the values they hold; nested and quantised tensors have no plain ones.
at::Tensor plain_values(const at::Tensor& tensor) {
  if (tensor.is_quantized() || tensor.is_nested() || tensor.is_meta() || tensor._is_zerotensor())
    return {};
  switch (tensor.layout()) {
    case at::kStrided: return tensor;
    case at::kSparse: return tensor._values();
    case at::kSparseCsr:
    case at::kSparseCsc:
    case at::kSparseBsr:
    case at::kSparseBsc: return tensor.values();
    default: return {};
  }
}

}  // namespace

const char* dtype_name(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return "float32";
    case at::kDouble: return "float64";
    case at::kHalf: return "float16";
    case at::kBFloat16: return "bfloat16";
    case at::kLong: return "int64";
    case at::kInt: return "int32";
    case at::kShort: return "int16";
    case at::kChar: return "int8";
    case at::kByte: return "uint8";
    case at::kBool: return "bool";
    case at::kComplexHalf: return "complex32";
    case at::kComplexFloat: return "complex64";
    case at::kComplexDouble: return "complex128";
    case at::kFloat8_e4m3fn: return "float8_e4m3fn";
    case at::kFloat8_e5m2: return "float8_e5m2";
    case at::kQInt8: return "qint8";
    case at::kQUInt8: return "quint8";
    case at::kQInt32: return "qint32";
    default: return c10::toString(type);
  }
}

const char* stored_name(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return "F32";
    case at::kDouble: return "F64";
    case at::kHalf: return "F16";
    case at::kBFloat16: return "BF16";
    case at::kLong: return "I64";
    case at::kInt: return "I32";
    case at::kShort: return "I16";
    case at::kChar: return "I8";
    case at::kByte: return "U8";
    case at::kBool: return "BOOL";
    case at::kFloat8_e4m3fn: return "F8_E4M3";
    case at::kFloat8_e5m2: return "F8_E5M2";
    default: return nullptr;
  }
}

const char* layout_name(const at::Tensor& tensor) {
  if (tensor.is_quantized()) return "quantized";
  if (tensor.is_nested()) return "nested";
  switch (tensor.layout()) {
    case at::kStrided: return nullptr;
    case at::kSparse: return "sparse_coo";
    case at::kSparseCsr: return "sparse_csr";
    case at::kSparseCsc: return "sparse_csc";
    case at::kSparseBsr: return "sparse_bsr";
    case at::kSparseBsc: return "sparse_bsc";
    default: return "opaque";
  }
}

at::Tensor host_values(const at::Tensor& tensor) {
  if (is_plain(tensor)) return tensor;
  const Quiet quiet;
  at::Tensor values = plain_values(tensor);
  if (!values.defined() || !values.has_storage()) return {};
  values = values.detach();
  if (values.is_neg()) values = values.resolve_neg();
  if (values.is_conj()) values = values.resolve_conj();
  if (values.is_complex()) values = at::view_as_real(values);
  if (!values.device().is_cpu()) values = values.to(at::kCPU);
  return values.contiguous();
}

Sketch sketch(const at::Tensor& values) {
  Sketch out;
  if (!values.defined()) return out;
  at::Tensor numbers = values;
  Add add = add_of(values.scalar_type());
  if (!add && at::isFloatingType(values.scalar_type())) {  // the 8-bit types
    const Quiet quiet;
    numbers = values.to(at::kFloat);
    add = add_plain<float>;
  }
  if (!add) return out;
  out.known = true;
  out.count = numbers.numel();
  const std::size_t width = numbers.element_size();
  const std::size_t total = static_cast<std::size_t>(out.count) * width;
  const auto chunks = static_cast<std::int64_t>((total + kChunk - 1) / kChunk);
  c10::SmallVector<Chunk, 4> parts(static_cast<std::size_t>(chunks));
  const char* const data = static_cast<const char*>(numbers.const_data_ptr());
  const auto take = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const std::size_t begin = static_cast<std::size_t>(i) * kChunk;
      const std::size_t size = std::min(kChunk, total - begin);
      parts[static_cast<std::size_t>(i)] = take_chunk(add, data + begin, size, width);
    }
  };
  if (chunks < 4) take(0, chunks);
  if (chunks >= 4) at::parallel_for(0, chunks, 4, take);
  Sums sums;
  out.hash = mix(total, 0);
  for (const Chunk& part : parts) {
    sums.add(part.sums);
    out.hash = mix(out.hash, part.hash);
  }
  fill(out, sums);
  take_samples(out, numbers);
  return out;
}

std::uint64_t hash_bytes(const void* data, std::size_t size) {
  std::uint64_t hash = mix(size, 0);
  for (std::size_t at = 0; at < size; at += kChunk) {
    const std::size_t chunk = std::min(kChunk, size - at);
    Hash made;
    hash_block(static_cast<const char*>(data) + at, chunk, made);
    hash = mix(hash, finish(made, chunk));
  }
  return hash;
}

}  // namespace godwit::record
