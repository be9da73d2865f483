// Bindings: what every scope of a file binds, where, and on which condition; made in one pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "project/module.h"
#include "project/names.h"
#include "project/pair_map.h"
#include "syntax/tree.h"

namespace godwit::project {

enum class BindingKind : std::uint8_t {
  kImport,
  kFunction,
  kClass,
  kAssigned,
  kAugmented,
  kParameter,
  kLoop,
  kWith,
  kOther,
};

/// One place that gives a name a value.
struct Binding {
  BindingKind kind = BindingKind::kOther;
  NameId name = 0;
  ScopeId scope = 0;
  syntax::NodeIndex node = 0;       // the bound identifier
  syntax::NodeIndex statement = 0;  // the assignment, definition, loop, parameter … that binds it
  syntax::NodeIndex region = 0;     // the branch or loop body it lies in; may not run
  syntax::NodeIndex from = 0;       // the first node at which it holds
  std::uint32_t detail = kNoIndex;  // the import, the scope of a function or class, the position
                                    // of a parameter
  std::uint32_t before = kNoIndex;  // the binding of this name in this scope before it
};

/// `self.name = value` in a method.
struct AttributeBinding {
  ScopeId scope = 0;  // of the class
  NameId name = 0;
  syntax::NodeIndex node = 0;  // the target: self.name
  syntax::NodeIndex statement = 0;
  std::uint32_t before = kNoIndex;
};

struct ScopeInfo {
  syntax::NodeIndex body = 0, past = 0;  // nodes that look names up here
  NameId self = kNoName;                 // first parameter of a method
  bool is_class_method = false;
  bool is_static = false;
  bool is_property = false;
  bool is_generator = false;
  std::uint32_t first_parameter = kNoIndex;  // bindings; parameters lie side by side
  std::uint32_t parameter_count = 0;
  std::vector<syntax::NodeIndex> returns{};  // return statements
};

/// An import as written; the target is found when all files are known.
struct RawImport {
  std::string_view module;  // "torch.nn", without the dots of a relative import
  std::string_view member;  // what `from` takes; empty otherwise
  std::string_view rest;    // "nn" of `import torch.nn`, which binds torch
  std::uint32_t level = 0;  // dots of a relative import
};

struct Bindings {
  std::vector<Scope> scopes{};
  std::vector<ScopeInfo> infos{};  // one per scope
  std::vector<Binding> bindings{};
  std::vector<AttributeBinding> attributes{};
  std::vector<Import> imports{};
  std::vector<RawImport> raw{};    // one per import
  std::vector<NameId> words{};     // name of each identifier node, else kNoName
  PairMap last{};                  // (scope, name) to the last binding
  PairMap last_attribute{};        // (scope of a class, name)
  std::vector<ScopeId> entered{};  // scopes in the order of their bodies
  bool is_entry_script = false;

  /// The scope in which the names of a node are looked up.
  ScopeId scope_of(syntax::NodeIndex node) const;
};

Bindings bind(const syntax::Tree& tree, Names& names);

}  // namespace godwit::project
