// Rows of api/forms.tsv against the arguments of a call.
#include "scan/forms.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::scan {
namespace {

using syntax::kNoNode;
using syntax::NodeIndex;

const Table* forms() {
  const auto table = facts::table("api/forms.tsv", {"api"});
  return table ? *table : nullptr;
}

bool has_starred(const project::Module& module, NodeIndex call) {
  const auto arguments = module.arguments(call);
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const project::Argument& each) { return each.is_starred; });
}

// Of several names of one argument ("input|self") any; its place in the call comes first.
NodeIndex find_argument(const project::Module& module, NodeIndex call, std::string_view names,
                        int position) {
  for (const std::string_view name : split_list(names)) {
    const NodeIndex found = module.argument(call, name, position);
    if (found != kNoNode) return found;
  }
  return kNoNode;
}

bool is_value(const project::Module& module, NodeIndex argument, std::string_view value) {
  if (value == "<absent>") return argument == kNoNode;
  if (argument == kNoNode) return false;
  if (value == "<tensor>") return module.type_of(argument) == project::Type::kTensor;
  return replace_all(module.tree().text(argument), " ", "") == value;
}

}  // namespace

bool has_forms(std::string_view api) {
  const Table* const table = forms();
  return table != nullptr && !table->find(table->column("api"), api).empty();
}

std::string_view form_of(std::string_view api, const project::Module& module, NodeIndex call) {
  const Table* const table = forms();
  if (table == nullptr || call == kNoNode || has_starred(module, call)) return api;
  for (const std::uint32_t row : table->find(table->column("api"), api)) {
    const auto cell = [&](std::string_view column) { return facts::cell(*table, row, column); };
    const auto position = static_cast<int>(parse_integer(cell("position")).value_or(-1));
    const NodeIndex argument = find_argument(module, call, cell("argument"), position);
    if (is_value(module, argument, cell("value"))) return cell("stands_for");
  }
  return api;
}

}  // namespace godwit::scan
