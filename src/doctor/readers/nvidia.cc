// The CUDA side: nvidia-smi, nvcc and the version file of the CUDA toolkit.
#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

// One line per GPU: "NVIDIA A100-SXM4-80GB, 81920 MiB, 535.129.03".
void read_gpus(const Machine& machine, Environment& environment) {
  const auto told = machine.output(
      {"nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"});
  if (!told) return;
  for (const std::string_view line : split(*told, '\n')) {
    const auto cells = split(line, ',');
    if (cells.size() != 3 || !Version::parse(cells[2])) continue;
    environment.gpus.push_back({std::string(trim(cells[0])), std::string(trim(cells[1]))});
    environment.nvidia_driver.learn(cells[2], "nvidia-smi");
  }
}

// "Cuda compilation tools, release 12.1, V12.1.105"
void read_nvcc(const Machine& machine, Environment& environment) {
  const std::string told = machine.output({"nvcc", "--version"}).value_or("");
  const std::size_t at = told.find(", V");
  if (at == std::string::npos) return;
  const auto words = split_list(std::string_view(told).substr(at + 3, 40), '\n');
  if (!words.empty() && Version::parse(words[0]))
    environment.nvcc.learn(words[0], "nvcc --version");
}

// version.json since CUDA 11.1: {"cuda": {"name": "CUDA SDK", "version": "12.1.1"}, …}
void read_toolkit(const Machine& machine, Environment& environment) {
  constexpr std::string_view kNew = "/usr/local/cuda/version.json";
  constexpr std::string_view kOld = "/usr/local/cuda/version.txt";
  const std::string json = machine.read(kNew).value_or("");
  const std::size_t section = json.find("\"cuda\"");
  const std::size_t key =
      json.find("\"version\"", section == std::string::npos ? json.size() : section);
  if (key != std::string::npos) {
    const auto parts = split(std::string_view(json).substr(key + 9, 60), '"');
    if (parts.size() > 1 && Version::parse(parts[1])) environment.cuda.learn(parts[1], kNew);
  }
  const std::string text = machine.read(kOld).value_or("");
  for (const std::string_view word : split_list(text, ' ')) {
    if (Version::parse(trim(word))) environment.cuda.learn(word, kOld);
  }
  environment.cuda.learn(environment.nvcc.value, environment.nvcc.source);
}

void read(const Machine& machine, Environment& environment) {
  read_gpus(machine, environment);
  read_nvcc(machine, environment);
  read_toolkit(machine, environment);
}

}  // namespace

extern const Reader nvidia = {.name = "nvidia", .read = read};

}  // namespace godwit::doctor::readers
