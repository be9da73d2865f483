// Looks the words of data/port/kernels.tsv up in the name; the longest word decides.
#include "port/kernel_work.h"

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::port {

std::optional<Substitute> substitute_of(std::string_view kernel) {
  const auto table = facts::table("port/kernels.tsv", {"words"});
  if (!table) return std::nullopt;
  const std::string name = to_lower(kernel);
  std::optional<Substitute> best;
  std::size_t longest = 0;
  for (std::size_t row = 0; row < (*table)->rows(); ++row) {
    for (const std::string_view word : split_list(facts::cell(**table, row, "words"))) {
      if (word.size() <= longest || !contains(name, word)) continue;
      longest = word.size();
      best = {.instead = std::string(facts::cell(**table, row, "instead")),
              .note = std::string(facts::cell_to_read(**table, row, "note"))};
    }
  }
  return best;
}

std::string days_of_a_kernel() {
  const auto table = facts::table("effort.tsv", {"item"});
  for (std::size_t row = 0; table && row < (*table)->rows(); ++row) {
    if (facts::cell(**table, row, "item") == "cuda_kernel")
      return replace_all(facts::cell(**table, row, "first_run"), "|", "–");
  }
  return "?";
}

}  // namespace godwit::port
