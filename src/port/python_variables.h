// Environment variables as a Python module reads and sets them through os.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "port/subject.h"

namespace godwit::port {

struct PythonVariable {
  NodeIndex literal = kNoNode;  // of the name
  std::string_view name{};
  bool is_set = false;
  std::optional<std::string_view> value{};  // of a set, when it is a literal
};

std::vector<PythonVariable> python_variables(const Subject& subject);

}  // namespace godwit::port
