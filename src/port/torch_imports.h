// Imports of torch: beside them stand those of torch_npu and of the device helper.
#pragma once

#include <map>

#include "port/rule.h"

namespace godwit::port {

/// First import of torch and whether torch_npu is there already, per scope.
struct ScopeImports {
  NodeIndex torch = kNoNode;
  bool has_npu = false;
};

std::map<ScopeNumber, ScopeImports> torch_imports(const Subject& subject);

/// Imports the device helper when edits so far name it.
void import_helper(const Subject& subject, const World& world, Changes& changes);

}  // namespace godwit::port
