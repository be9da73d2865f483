// Role: what an expression is for where it stands: an argument, a default, one side of a
// comparison.
#pragma once

#include <cstdint>
#include <string_view>

#include "project/module.h"

namespace godwit::scan {

enum class RoleKind : std::uint8_t {
  kOther,
  kArgument,  // f(x): `name` is the text of f
  kKeyword,   // f(name=x)
  kAssigned,  // name = x, name: T = x
  kDefault,   // def f(name=x)
  kValue,     // {name: x}, name as in the source without quotes
  kKey,       // {x: ...}
  kCompared,  // x == y, x in y
  kChoice,    // an item of a list, tuple or set
};

struct Role {
  RoleKind kind = RoleKind::kOther;
  std::string_view name{};
  bool in_conditional = false;  // a branch of `a if c else b`; the role is that of the whole
  syntax::NodeIndex conditional = syntax::kNoNode;
};

/// Parentheses, conditional expressions and `or`/`and` are looked through.
Role role_of(const project::Module& module, syntax::NodeIndex node);

/// Names that carry a dtype or a precision: "torch_dtype", "mixed_precision", "amp_type" …
bool names_dtype(std::string_view name);
/// Names that carry a device: "device", "device_type", "map_location", "dev" …
bool names_device(std::string_view name);

/// True when the role hands the value on: argument, keyword, assignment, default, dictionary value.
bool is_in_effect(const Role& role);

}  // namespace godwit::scan
