// npu-smi: which NPUs there are and how they feel, from every layout of its table.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

constexpr std::size_t kMostNpus = 4096;

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (const std::string_view cell : split_list(line, '|')) {
    if (!trim(cell).empty()) cells.push_back(trim(cell));
  }
  return cells;
}

bool is_health(std::string_view word) {
  constexpr std::array<std::string_view, 5> kWords = {"OK", "Warning", "Alarm", "Critical",
                                                      "UNKNOWN"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view known) { return equals_ignoring_case(known, word); });
}

// Two lines per chip: "| 1  310P3 | OK | …", then "| 0  0 | 0000:01:00.0 | …". Process lines have a
// number where the health stands, headings a word where the id stands.
void read_table(std::string_view text, Environment& environment) {
  bool expects_chip = false;
  for (const std::string_view line : split(text, '\n')) {
    const auto cells = cells_of(line);
    if (cells.size() < 2) continue;
    const auto words = split_list(cells[0], ' ');
    if (words.empty() || !parse_integer(words[0])) continue;
    if (words.size() >= 2 && cells.size() >= 3 && is_health(cells[1]) &&
        environment.npus.size() < kMostNpus) {
      environment.npus.push_back({.card = std::string(words[0]),
                                  .name = std::string(words[1]),
                                  .health = std::string(cells[1]),
                                  .source = "npu-smi info"});
      expects_chip = true;
    } else if (expects_chip && contains(cells[1], ":")) {
      environment.npus.back().chip = words[0];
      expects_chip = false;
    }
  }
}

// "| npu-smi 25.2.0        Version: 25.2.0  |": the driver that answers.
std::string version_in(std::string_view text) {
  const std::size_t at = text.find("Version:");
  if (at == std::string_view::npos) return {};
  const auto words = split_list(text.substr(at + 8, 80), ' ');
  return words.empty() || !Version::parse(words[0]) ? std::string() : std::string(words[0]);
}

// A3 and newer print only "Ascend910"; the exact chip needs the NPU name of the board page.
void refine(const Machine& machine, Environment& environment) {
  const std::string card = environment.npus.front().card;
  const auto board = machine.output({"npu-smi", "info", "-t", "board", "-i", card});
  if (!board) return;
  const std::string product = value_of(*board, "Product Name", ':');
  if (!equals_ignoring_case(product, "NA")) {
    environment.npu_product.learn(product, format("npu-smi info -t board -i {}", card));
  }
  if (environment.npus.front().name != "Ascend910") return;
  const auto chip = machine.output({"npu-smi", "info", "-t", "board", "-i", card, "-c", "0"});
  const std::string name = chip ? value_of(*chip, "NPU Name", ':') : std::string();
  if (name.empty()) return;
  for (Npu& npu : environment.npus) npu.name = format("Ascend910_{}", name);
}

void read(const Machine& machine, Environment& environment) {
  environment.has_looked_for_npus = true;
  const auto told = machine.output({"npu-smi", "info"});
  if (!told) return;
  environment.driver.learn(version_in(*told), "npu-smi info");
  read_table(*told, environment);
  if (!environment.npus.empty()) return refine(machine, environment);
  const std::string_view text = trim(*told);
  environment.npu_smi_error.learn(text.substr(text.rfind('\n') + 1), "npu-smi info");
}

}  // namespace

extern const Reader npu_smi = {.name = "npu-smi", .stage = 1, .read = read};

}  // namespace godwit::doctor::readers
