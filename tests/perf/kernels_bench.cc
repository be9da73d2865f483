// How fast the kernels are, as ratios of alternating runs: products against OpenBLAS, memory-bound
// kernels against memcpy, convolutions against oneDNN. Libraries that are not there are left out.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "kernels/conv.h"
#include "kernels/elementwise.h"
#include "kernels/engine.h"
#include "kernels/gemm.h"
#include "kernels/half.h"
#include "kernels/ordered.h"
#include "kernels/pool.h"
#include "kernels/rows.h"
#include "pairs.h"

namespace {

using namespace godwit;
using namespace godwit::kernels;

std::vector<float> random_values(std::size_t n) {
  static std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& value : values) value = normal(random);
  return values;
}

// OpenBLAS by its C interface, loaded at run time: the build needs none.
struct OpenBlas {
  using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                         float, float*, int);
  Sgemm sgemm = nullptr;
  void (*set_threads)(int) = nullptr;

  OpenBlas() {
    void* const library = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    sgemm = reinterpret_cast<Sgemm>(::dlsym(library, "cblas_sgemm"));
    set_threads = reinterpret_cast<void (*)(int)>(::dlsym(library, "openblas_set_num_threads"));
  }
};

perf::Clock clock_of(std::size_t threads) {
  return threads == 1 ? perf::Clock::kThread : perf::Clock::kWall;
}

struct Size {
  const char* name;
  std::size_t m, n, k;
};

void bench_gemm(const OpenBlas& blas, const Size& size, std::size_t threads) {
  const auto [name, m, n, k] = size;
  const std::vector<float> a = random_values(m * k), b = random_values(k * n);
  std::vector<float> c(m * n), d(m * n);
  const PackedMatrix packed(Side::kRight, k, n, {b.data(), n});
  Gemm call{.m = m, .n = n, .k = k, .a = {a.data(), k}, .b = {b.data(), n}};
  call.c = c.data();
  call.c_stride = n;
  const auto anchor = [&] {
    blas.sgemm(101, 111, 111, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), 1.0f,
               a.data(), static_cast<int>(k), b.data(), static_cast<int>(n), 0.0f, d.data(),
               static_cast<int>(n));
  };
  const perf::Pair plain = perf::compare(
      clock_of(threads), [&] { gemm(call); }, anchor);
  call.packed_b = &packed;
  const perf::Pair prepacked = perf::compare(
      clock_of(threads), [&] { gemm(call); }, anchor);
  const double gflop = 2e-3 * static_cast<double>(m * n * k);
  std::printf(
      "gemm %-22s %zu thread%s: %6.1f GFLOP/s, %.2f of OpenBLAS; packed weights %6.1f, %.2f\n",
      name, threads, threads == 1 ? " " : "s", gflop / plain.ours_us, plain.ratio,
      gflop / prepacked.ours_us, prepacked.ratio);
}

void use_threads(const OpenBlas& blas, std::size_t threads) {
  ::setenv("GODWIT_THREADS", format("{}", threads).c_str(), 1);
  if (blas.set_threads != nullptr) blas.set_threads(static_cast<int>(threads));
}

constexpr Size kSizes[] = {
    {"512^3", 512, 512, 512},
    {"1024^3", 1024, 1024, 1024},
    {"bert qkv 128x768x768", 128, 768, 768},
    {"bert up 128x3072x768", 128, 3072, 768},
    {"bert down 128x768x3072", 128, 768, 3072},
    {"bert scores 128x128x64", 128, 128, 64},
    {"one row 1x1000x2048", 1, 1000, 2048},
};

struct Layer {
  const char* name;
  ConvShape shape;
};

ConvShape square(std::size_t channels, std::size_t out_channels, std::size_t size,
                 std::size_t kernel, std::size_t stride, std::size_t groups = 1) {
  const std::size_t pad = kernel / 2;
  return {.channels = channels,
          .out_channels = out_channels,
          .groups = groups,
          .in = {1, size, size},
          .kernel = {1, kernel, kernel},
          .stride = {1, stride, stride},
          .pad_begin = {0, pad, pad},
          .pad_end = {0, pad, pad}};
}

const Layer kLayers[] = {
    {"stem 7x7/2 3-64 @224", square(3, 64, 224, 7, 2)},
    {"3x3 64-64 @56", square(64, 64, 56, 3, 1)},
    {"1x1 64-256 @56", square(64, 256, 56, 1, 1)},
    {"1x1 256-64 @56", square(256, 64, 56, 1, 1)},
    {"3x3 128-128 @28", square(128, 128, 28, 3, 1)},
    {"1x1 512-128 @28", square(512, 128, 28, 1, 1)},
    {"3x3/2 256-256 @28", square(256, 256, 28, 3, 2)},
    {"3x3 256-256 @14", square(256, 256, 14, 3, 1)},
    {"1x1 256-1024 @14", square(256, 1024, 14, 1, 1)},
    {"3x3 512-512 @7", square(512, 512, 7, 3, 1)},
    {"1x1 2048-512 @7", square(2048, 512, 7, 1, 1)},
    {"depthwise 3x3 144 @56", square(144, 144, 56, 3, 1, 144)},
};

void bench_conv(const Layer& layer, std::size_t threads) {
  const ConvShape& s = layer.shape;
  const auto in = random_values(s.channels * s.in_pixels());
  const auto weights = random_values(s.out_channels * s.group_channels() * s.taps());
  const Conv conv(s, weights.data());
  const Buffer scratch(conv.scratch(threads));
  std::vector<float> out(s.out_channels * s.out_pixels());
  const auto anchor = engine::make_conv(s, weights.data(), nullptr);
  if (!anchor) return;
  const Buffer blocked_in(anchor->in().bytes() / sizeof(float));
  const Buffer blocked_out(anchor->out().bytes() / sizeof(float));
  std::fill_n(blocked_in.data(), blocked_in.size(), 1.0f);
  const perf::Pair pair = perf::compare(
      clock_of(threads), [&] { conv.run(in.data(), out.data(), {}, scratch.data()); },
      [&] { anchor->run(blocked_in.data(), blocked_out.data()); });
  const double gflop =
      2e-3 * static_cast<double>(s.out_channels * s.out_pixels() * s.group_channels() * s.taps());
  std::printf("conv %-22s %zu thread%s: %6.1f GFLOP/s, %.2f of oneDNN (%.1f)\n", layer.name,
              threads, threads == 1 ? " " : "s", gflop / pair.ours_us, pair.ratio,
              gflop / pair.anchor_us);
}

// Bytes moved (read and written) against those of a memcpy of the same values.
template <class Work>
void bench_memory(const char* name, std::size_t n, const Work& work) {
  const std::vector<float> from = random_values(n);
  std::vector<float> to(n), copy(n);
  const perf::Pair pair = perf::compare(
      perf::Clock::kThread, [&] { work(from.data(), to.data(), n); },
      [&] { std::memcpy(copy.data(), from.data(), n * sizeof(float)); });
  std::printf("%-27s %8zu values: %7.1f us, %.2f of memcpy\n", name, n, pair.ours_us, pair.ratio);
}

void bench_rows(std::size_t n) {
  const auto one = [](Unary op, Narrowing how) {
    return [=](const float* in, float* out, std::size_t count) {
      unary({.op = op, .in = in, .out = out, .n = count, .store = {how}});
    };
  };
  bench_memory("round to fp16, saturating", n, one(Unary::kIdentity, kSaturatingHalf));
  bench_memory("relu", n, one(Unary::kRelu, {}));
  bench_memory("exp", n, one(Unary::kExp, {}));
  bench_memory("gelu", n, one(Unary::kGelu, {}));
  bench_memory("gelu, to fp16", n, one(Unary::kGelu, kHalf));
  bench_memory("tanh", n, one(Unary::kTanh, {}));
  bench_memory("add", n, [](const float* in, float* out, std::size_t count) {
    binary({.x = {in}, .y = {in}, .out = out, .rows = 1, .columns = count});
  });
  bench_memory("softmax of 128", n, [](const float* in, float* out, std::size_t count) {
    softmax({.in = in, .out = out, .rows = count / 128, .columns = 128});
  });
  bench_memory("layer norm of 768", n, [](const float* in, float* out, std::size_t count) {
    normalize({.in = in, .out = out, .rows = count / 768, .columns = 768}, {});
  });
}

void bench_orders() {
  constexpr std::size_t kSize = 256;
  const auto a = random_values(kSize * kSize), b = random_values(kSize * kSize);
  std::vector<float> c(kSize * kSize), d(kSize * kSize);
  Gemm call{.m = kSize, .n = kSize, .k = kSize, .a = {a.data(), kSize}, .b = {b.data(), kSize}};
  call.c_stride = kSize;
  call.c = d.data();
  Gemm ordered = call;
  ordered.c = c.data();
  const struct {
    const char* name;
    Summation how;
  } orders[] = {{"sequential", {.order = Order::kSequential}},
                {"cube of 16", {.order = Order::kCube16}},
                {"cube of 16, fp16 sums", {.order = Order::kCube16, .accumulator = kHalf}},
                {"fp64", {.order = Order::kExact}}};
  for (const auto& order : orders) {
    ordered.order = order.how;
    const perf::Pair pair = perf::compare(
        perf::Clock::kThread, [&] { gemm(ordered); }, [&] { gemm(call); });
    std::printf("order %-21s 256^3: %.2f of gemm\n", order.name, pair.ratio);
  }
}

}  // namespace

// Without an argument at one and at two threads; with one at that many.
int main(int argc, char** argv) {
  const OpenBlas blas;
  const std::size_t only = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 0;
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    if (only != 0 && only != threads) continue;
    use_threads(blas, threads);
    for (const Size& size : kSizes) {
      if (blas.sgemm != nullptr) bench_gemm(blas, size, threads);
    }
    for (const Layer& layer : kLayers) bench_conv(layer, threads);
  }
  use_threads(blas, 1);
  bench_orders();
  for (const std::size_t n : {std::size_t{96} * 1024, std::size_t{16} << 20}) bench_rows(n);
  return 0;
}
