// Rows of api/arguments.tsv against the arguments of a call.
#include "scan/arguments.h"

#include <algorithm>

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::scan {
namespace {

constexpr std::string_view kNotWrittenOut = "?";

// The literal, empty when the argument is absent.
std::string_view value_of(const project::Module& module, syntax::NodeIndex call,
                          std::string_view argument, int position) {
  for (const project::Argument& each : module.arguments(call)) {
    if (each.is_starred) return kNotWrittenOut;
  }
  const syntax::NodeIndex node = module.argument(call, argument, position);
  if (node == syntax::kNoNode) return {};
  return module.literal(node).value_or(kNotWrittenOut);
}

// "aten::upsample_bilinear2d_backward.grad_input" → "upsample_bilinear2d"
std::string_view forward_name(std::string_view overload) {
  const std::size_t space = overload.find("::");
  if (space != std::string_view::npos) overload.remove_prefix(space + 2);
  overload = overload.substr(0, overload.find('.'));
  constexpr std::string_view kBackward = "_backward";
  if (overload.ends_with(kBackward)) overload.remove_suffix(kBackward.size());
  return overload;
}

}  // namespace

std::optional<std::vector<std::string_view>> reached_operators(std::string_view api,
                                                               const project::Module& module,
                                                               syntax::NodeIndex call) {
  const auto table = facts::table("api/arguments.tsv", {"api"});
  if (!table || call == syntax::kNoNode) return std::nullopt;
  const auto rows = (*table)->find((*table)->column("api"), api);
  if (rows.empty()) return std::nullopt;
  const auto cell = [&](std::uint32_t row, std::string_view column) {
    return facts::cell(**table, row, column);
  };
  const auto position = parse_integer(cell(rows.front(), "position")).value_or(-1);
  const std::string_view value =
      value_of(module, call, cell(rows.front(), "argument"), static_cast<int>(position));
  for (const std::uint32_t row : rows) {
    if (cell(row, "value") == value) return split_list(cell(row, "reaches"));
  }
  return std::nullopt;
}

std::vector<std::string> offenders_among(const facts::EagerVerdict& verdict,
                                         const std::vector<std::string_view>& reached) {
  std::vector<std::string> out;
  for (const std::string& offender : verdict.offenders) {
    const std::string_view name = forward_name(offender);
    if (std::find(reached.begin(), reached.end(), name) != reached.end()) out.push_back(offender);
  }
  return out;
}

}  // namespace godwit::scan
