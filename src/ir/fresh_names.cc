// Counting up per wanted name, so that a thousand values of one name cost no search each.
#include "ir/fresh_names.h"

#include "base/text.h"

namespace godwit::ir {

FreshNames::FreshNames(const Model& model) {
  for (const Value& value : model.values) taken_.insert(value.name);
  for (const Node& node : model.nodes) taken_.insert(node.name);
}

std::string FreshNames::fresh(std::string_view wanted) {
  std::string name(wanted);
  if (!name.empty() && taken_.insert(name).second) return name;
  std::uint32_t& last = last_[name];
  do {
    name = format("{}_{}", wanted, ++last);
  } while (!taken_.insert(name).second);
  return name;
}

}  // namespace godwit::ir
