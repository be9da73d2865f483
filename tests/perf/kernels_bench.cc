// How fast the kernels are, as ratios of alternating runs: products against OpenBLAS, memory-bound
// kernels against memcpy, convolutions against oneDNN. Libraries that are not there are left out.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "kernels/gemm.h"
#include "kernels/half.h"
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
  const perf::Pair plain = perf::compare([&] { gemm(call); }, anchor);
  call.packed_b = &packed;
  const perf::Pair prepacked = perf::compare([&] { gemm(call); }, anchor);
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

}  // namespace

int main() {
  const OpenBlas blas;
  for (const std::size_t threads : {1, 2}) {
    use_threads(blas, threads);
    for (const Size& size : kSizes) {
      if (blas.sgemm != nullptr) bench_gemm(blas, size, threads);
    }
  }
  return 0;
}
