// Small tables of the words in use.
#include "port/precision.h"

#include <utility>

#include "base/text.h"

namespace godwit::port {
namespace {

constexpr std::pair<std::string_view, std::string_view> kValues[] = {
    {"bfloat16", "float16"},  {"torch.bfloat16", "torch.float16"},
    {"bf16", "fp16"},         {"bf16-mixed", "16-mixed"},
    {"bf16-true", "16-true"},
};

constexpr std::pair<std::string_view, std::string_view> kSwitches[] = {
    {"bf16", "fp16"},
    {"use_bf16", "use_fp16"},
    {"enable_bf16", "enable_fp16"},
    {"bf16_full_eval", "fp16_full_eval"},
};

template <std::size_t N>
std::string_view find(const std::pair<std::string_view, std::string_view> (&table)[N],
                      std::string_view word) {
  for (const auto& [from, to] : table) {
    if (from == word) return to;
  }
  return {};
}

}  // namespace

std::string_view without_bf16(std::string_view value) { return find(kValues, value); }

std::string_view switch_without_bf16(std::string_view key) { return find(kSwitches, key); }

bool names_precision(std::string_view name) {
  const std::string lower = to_lower(name.substr(name.rfind('.') + 1));
  return contains(lower, "dtype") || contains(lower, "precision") || lower == "amp_type";
}

}  // namespace godwit::port
