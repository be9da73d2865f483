// The names under which values are printed and written: their own, unless two would be confused.
#pragma once

#include <string>
#include <vector>

#include "ir/model.h"

namespace godwit::ir {

/// ONNX tells values by name: within a graph and those around it a name may be made once, and it
/// must not be empty. Values that break this get a number behind their name.
class Naming {
 public:
  explicit Naming(const Model& model);
  /// Empty for kNone: an operand that is left out.
  const std::string& of(ValueId value) const;

 private:
  std::vector<std::string> changed_;  // per value; empty: its own name stands
  const Model& model_;
};

}  // namespace godwit::ir
