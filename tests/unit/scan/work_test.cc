// Work that grows with a text must grow in step with it: counted in bytes asked for, not in time.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>

#include "base/file.h"
#include "scan/scan.h"

namespace {
std::atomic<std::uint64_t> asked_for{0};
}

void* operator new(std::size_t bytes) {
  asked_for.fetch_add(bytes, std::memory_order_relaxed);
  void* const block = std::malloc(bytes == 0 ? 1 : bytes);
  if (block == nullptr) std::abort();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace godwit::scan {
namespace {

namespace fs = std::filesystem;

std::uint64_t bytes_for(const std::string& name, const std::string& text) {
  const fs::path file = fs::path(testing::TempDir()) / "work" / name;
  EXPECT_TRUE(write_file(file, text));
  Options options;
  options.target = *facts::resolve_target("ascend310p");
  const std::uint64_t before = asked_for;
  EXPECT_TRUE(scan(file, options));
  return asked_for - before;
}

std::string chain(std::size_t calls) {
  std::string text = "import torch\nx = torch.zeros(3, device='cuda')\ny = x";
  for (std::size_t i = 0; i < calls; ++i) text += ".cuda()";
  return text + "\n";
}

std::string words(std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += "\"bf16\": {\"enabled\": true}, ";
  return text + "\"end\": 0}\n";
}

TEST(ScanWork, GrowsInStepWithOneLine) {
  (void)bytes_for("warm.py", chain(10));  // tables are read once
  const std::uint64_t calls = bytes_for("a.py", chain(1000));
  EXPECT_LT(bytes_for("b.py", chain(4000)), 6 * calls);  // 16 times, were it quadratic
  (void)bytes_for("warm.json", words(2));
  const std::uint64_t settings = bytes_for("a.json", words(500));
  EXPECT_LT(bytes_for("b.json", words(2000)), 6 * settings);
}

}  // namespace
}  // namespace godwit::scan
