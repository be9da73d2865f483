// Runs a model again and again by the fast plan, once for each line on its input, and prints the
// microseconds of each run: tests/perf/models_bench.py drives it beside another runtime.
// Usage: plan_runner MODEL FOLDER [PROFILE [ORDER]]   inputs: FOLDER/input_N.pb; outputs go to
// FOLDER/ours_N.f32; PROFILE and ORDER as of `godwit run`
#include <fmt/core.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "base/file.h"
#include "diag/finding.h"
#include "exec/plan.h"
#include "exec/session.h"
#include "formats/onnx/decode.h"
#include "formats/onnx/import.h"

namespace godwit::tests {
namespace {

using ir::Datum;

// A figure of this process in bytes: "VmHWM", the most that lay in memory, or "VmRSS", what does.
std::uint64_t resident(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == name + ":" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

Status run(const std::string& path, const std::filesystem::path& folder,
           const std::string& profile_name, const std::string& order) {
  ASSIGN(const exec::Profile profile, exec::resolve_profile(profile_name, {.order = order}));
  const std::uint64_t before = resident("VmRSS");
  ASSIGN(ir::Model model, formats::onnx::load(path));
  std::vector<Datum> inputs;
  for (std::size_t i = 0; i < model.main().inputs.size(); ++i) {
    ASSIGN(std::string bytes, read_file(folder / fmt::format("input_{}.pb", i)));
    auto kept = std::make_shared<const std::string>(std::move(bytes));
    ASSIGN(const ir::Tensor tensor, formats::onnx::parse_tensor(*kept, kept, "input"));
    ASSIGN(ir::Tensor aligned, tensor.aligned());
    inputs.emplace_back(std::move(aligned));
  }
  model = exec::with_input_sizes(std::move(model), inputs);
  std::unique_ptr<exec::Npu> npu;
  if (profile.chip) npu = std::make_unique<exec::Npu>(model, *profile.chip, profile.options);
  ASSIGN(exec::Plan plan, exec::Plan::make(model, {.npu = npu.get()}));
  ASSIGN(const std::vector<Datum> outputs, plan.run(inputs));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ir::Tensor& out = outputs[i].tensor;
    TRY(write_file(folder / fmt::format("ours_{}.f32", i),
                   {reinterpret_cast<const char*>(out.data()), out.bytes()}));
  }
  const auto weights = static_cast<double>(std::filesystem::file_size(path));
  const double least = weights + static_cast<double>(plan.memory().bytes);
  fmt::print(
      "{} of {} steps lowered, {} bytes of activations, bound {}, peak {:.2f} x weights and "
      "activations\n",
      plan.lowered_steps(), plan.steps(), plan.memory().bytes, plan.memory().lower_bound,
      static_cast<double>(resident("VmHWM") - before) / least);
  fmt::print("ready\n");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    TRY(plan.run(inputs));
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    fmt::print("{:.1f}\n", took.count());
    std::fflush(stdout);
  }
  return {};
}

}  // namespace
}  // namespace godwit::tests

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) return 2;
  const auto status =
      godwit::tests::run(argv[1], argv[2], argc > 3 ? argv[3] : "fp32", argc > 4 ? argv[4] : "");
  if (!status) fmt::print(stderr, "{}\n", godwit::diag::render(status.error()));
  return status ? 0 : 1;
}
