// godwit migrate on a generated project of 20,000 lines: the first run, and the second, which has
// nothing to do; the anchor is reading and hashing the same files once, on one core.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "dossier/migrate.h"

namespace {

namespace fs = std::filesystem;
using namespace godwit;
using Clock = std::chrono::steady_clock;

constexpr int kFiles = 200, kLines = 100;

std::string module_text(int number) {
  std::string text = "import torch\nfrom torch import nn\n\n\n";
  for (int line = 4; line < kLines; line += 5) {
    text += format(
        "class Net{0}_{1}(nn.Module):\n    def forward(self, x):\n        y = "
        "torch.relu(x.cuda())\n        return y + torch.zeros(3, device='cuda:0')\n\n",
        number, line);
  }
  return text;
}

double seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

double hash_all(const fs::path& root) {
  const auto start = Clock::now();
  std::size_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const auto text = read_file(entry.path());
    if (text) bytes += sha256(*text).size();
  }
  return bytes ? seconds(start) : 0;
}

double run(const dossier::Request& request) {
  const auto start = Clock::now();
  const auto made = dossier::migrate(request);
  if (!made) std::fprintf(stderr, "%s", diag::render(made.error()).c_str());
  return made ? seconds(start) : -1;
}

}  // namespace

int main() {
  std::string name = (fs::temp_directory_path() / "godwit-bench-XXXXXX").string();
  const fs::path folder = ::mkdtemp(name.data());
  for (int i = 0; i < kFiles; ++i) {
    (void)write_file(folder / "project" / format("part{}", i % 20) / format("module{}.py", i),
                     module_text(i), Sync::kLater);
  }
  dossier::Request request{.path = folder / "project", .out = folder / "out"};
  request.options = {
      {"to", "ascend310p"}, {"chip", "Ascend310P3"}, {"mode", "auto"}, {"lang", "en"}};
  const double anchor = hash_all(folder / "project");
  const double first = run(request), second = run(request);
  std::printf("reading and hashing %d lines once   %8.4f s   1.0\n", kFiles * kLines, anchor);
  std::printf("first run                              %8.4f s   %.1f\n", first, first / anchor);
  std::printf("second run, nothing changed            %8.4f s   %.1f\n", second, second / anchor);
  fs::remove_all(folder);
  return first < 0 || second < 0 ? 1 : 0;
}
