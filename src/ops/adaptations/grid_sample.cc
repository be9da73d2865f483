// Opset 20 renamed the modes.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"bilinear", "linear"},
                                                                      {"bicubic", "cubic"}};
  std::string mode(e.text("mode"));
  for (const auto& [old_name, new_name] : kNames) {
    if (mode == (target >= 20 ? old_name : new_name)) mode = target >= 20 ? new_name : old_name;
  }
  e.edit().set("mode", std::move(mode));
  return false;
}

}  // namespace

extern const Adaptation grid_sample = {.op = "GridSample", .breaks = {20}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
