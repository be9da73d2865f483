// How fast ONNX models are scanned, as ratios: 100 MB of weights against copying the file once, and
// a graph of 10^5 nodes against the bytes that it has. tests/oracle compares the latter with
// onnx.load.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "facts/soc.h"
#include "formats/onnx/model.h"
#include "onnx_text.h"
#include "scan/onnx.h"

namespace {

using namespace godwit;

// CPU time of this process, best of several runs: other work on the machine counts least there.
template <class Work>
double best_ms(Work work) {
  double best = 1e9;
  for (int run = 0; run < 7; ++run) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
  }
  return best;
}

// Blocks of Conv and Relu with weights that make `bytes` in all.
std::string weights_model(std::size_t bytes) {
  std::string text = "input x: float[1,512,14,14]\n";
  std::string last = "x";
  const std::size_t block = 512 * 512 * 3 * 3 * 4;
  for (std::size_t i = 0; i * block < bytes; ++i) {
    text += format("init w{}: float[512,512,3,3]\nc{} = Conv({}, w{}) {{kernel_shape=[3,3]}}\n", i,
                   i, last, i);
    text += format("r{} = Relu(c{})\n", i, i);
    last = format("r{}", i);
  }
  return tests::OnnxText::to_bytes(text + "output " + last);
}

// A chain of `count` nodes with names as exporters give them, each with a type in value_info.
std::string nodes_model(std::size_t count) {
  std::string text = "input v0: float[1,64]\n";
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string out = format("/model/layers.{}/self_attn/Add_output_{}", i / 40, i);
    const std::string in =
        i == 1 ? "v0" : format("/model/layers.{}/self_attn/Add_output_{}", (i - 1) / 40, i - 1);
    text += format("value {}: float[1,64]\n{} = Add({}, v0)\n", out, out, in);
  }
  return tests::OnnxText::to_bytes(
      text + format("output /model/layers.{}/self_attn/Add_output_{}", count / 40, count));
}

}  // namespace

int main() {
  const auto target = facts::resolve_target("ascend310p");
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string big = (folder / "godwit_bench_weights.onnx").string();
  const std::string wide = (folder / "godwit_bench_nodes.onnx").string();
  if (!target || !write_file(big, weights_model(100'000'000)) ||
      !write_file(wide, nodes_model(100'000)))
    return 1;

  std::string copy;
  const double memcpy_ms = best_ms([&] {
    const auto file = MappedFile::open(big);
    copy.assign(file->bytes());
  });
  const double scan_ms = best_ms([&] { (void)scan::scan_onnx(big, *target); });
  std::printf("onnx, %.0f MB of weights: scan %.2f ms, %.3f of copying the file once (%.1f ms)\n",
              static_cast<double>(copy.size()) / 1e6, scan_ms, scan_ms / memcpy_ms, memcpy_ms);

  const double read_ms = best_ms([&] { (void)formats::onnx::read(std::filesystem::path(wide)); });
  const double judge_ms = best_ms([&] { (void)scan::scan_onnx(wide, *target); });
  const double megabytes = static_cast<double>(std::filesystem::file_size(wide)) / 1e6;
  std::printf(
      "onnx, 10^5 nodes in %.1f MB: read %.1f ms (%.0f MB/s), read and judge %.1f ms (%.2f of "
      "reading)\n",
      megabytes, read_ms, megabytes / read_ms * 1e3, judge_ms, judge_ms / read_ms);
  std::filesystem::remove(big);
  std::filesystem::remove(wide);
  return 0;
}
