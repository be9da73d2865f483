// os.environ[...], os.environ.get(...), os.getenv(...), 'X' in os.environ.
#include "port/python_variables.h"

namespace godwit::port {
namespace {

using project::Use;

std::optional<PythonVariable> named(const Subject& subject, NodeIndex literal) {
  if (literal == kNoNode) return std::nullopt;
  const auto name = subject.module().literal(literal);
  if (!name) return std::nullopt;
  return PythonVariable{.literal = literal, .name = *name};
}

std::optional<PythonVariable> subscripted(const Subject& subject, NodeIndex subscript) {
  auto found = named(subject, subject.tree().child(subscript, Field::kSubscript));
  if (!found) return std::nullopt;
  const NodeIndex parent = subject[subscript].parent;
  if (subject[parent].kind == Kind::kAugmentedAssignment) {
    found->is_set = true;
  } else if (subject[parent].kind == Kind::kAssignment &&
             subject[subscript].field == Field::kLeft) {
    found->is_set = true;
    const NodeIndex value = subject.tree().child(parent, Field::kRight);
    if (value != kNoNode) found->value = subject.module().literal(value);
  }
  return found;
}

std::optional<PythonVariable> called(const Subject& subject, const Use& use,
                                     std::string_view name) {
  const auto arguments = subject.module().arguments(use.call);
  if (arguments.empty()) return std::nullopt;
  auto found = named(subject, arguments[0].value);
  if (!found) return std::nullopt;
  if (name == "os.environ.setdefault" || name == "os.putenv") {
    found->is_set = true;
    if (arguments.size() > 1) found->value = subject.module().literal(arguments[1].value);
  }
  return found;
}

std::optional<PythonVariable> at_use(const Subject& subject, const Use& use) {
  const std::string_view name = subject.module().name(use.name);
  if (use.call != kNoNode && (name.starts_with("os.environ.") || name == "os.getenv" ||
                              name == "os.putenv" || name == "os.unsetenv")) {
    return called(subject, use, name);
  }
  if (name != "os.environ") return std::nullopt;
  const NodeIndex parent = subject[use.node].parent;
  if (subject[parent].kind == Kind::kSubscript) return subscripted(subject, parent);
  if (subject[parent].kind == Kind::kComparisonOperator)
    return named(subject, subject.tree().first_child(parent));
  return std::nullopt;
}

}  // namespace

std::vector<PythonVariable> python_variables(const Subject& subject) {
  std::vector<PythonVariable> all;
  for (const Use& use : subject.module().uses()) {
    if (auto found = at_use(subject, use)) all.push_back(std::move(*found));
  }
  return all;
}

}  // namespace godwit::port
