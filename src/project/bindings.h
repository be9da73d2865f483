// Bindings: what every scope of a file binds, where, and on which condition; made in one pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "project/module.h"
#include "project/names.h"
#include "syntax/tree.h"

namespace godwit::project {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFu;

enum class BindingKind : std::uint8_t {
  kImport, kFunction, kClass, kAssigned, kAugmented, kParameter, kLoop, kWith, kOther,
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
  std::uint32_t detail = kNoIndex;     // the import, the scope of a function or class, the position
                                    // of a parameter
  std::uint32_t before = kNoIndex;     // the binding of this name in this scope before it
};

/// `self.name = value` in a method.
struct AttributeBinding {
  ScopeId scope = 0;                // of the class
  NameId name = 0;
  syntax::NodeIndex node = 0;       // the target: self.name
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
  std::string_view module;        // "torch.nn", without the dots of a relative import
  std::string_view member;        // what `from` takes; empty otherwise
  std::string_view rest;          // "nn" of `import torch.nn`, which binds torch
  std::uint32_t level = 0;        // dots of a relative import
};

/// From a pair of small numbers to an index.
class PairMap {
 public:
  PairMap() : slots_(256) {}
  std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t key = (std::uint64_t{a} << 32) | b;
    for (std::size_t slot = mix(key) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot].value == kNoIndex || slots_[slot].key == key) return slots_[slot].value;
    }
  }
  void set(std::uint32_t a, std::uint32_t b, std::uint32_t value);

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = kNoIndex;
  };
  static std::size_t mix(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return key ^ (key >> 32);
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

struct Bindings {
  std::vector<Scope> scopes{};
  std::vector<ScopeInfo> infos{};           // one per scope
  std::vector<Binding> bindings{};
  std::vector<AttributeBinding> attributes{};
  std::vector<Import> imports{};
  std::vector<RawImport> raw{};             // one per import
  std::vector<NameId> words{};              // name of each identifier node, else kNoName
  PairMap last{};                           // (scope, name) to the last binding
  PairMap last_attribute{};                 // (scope of a class, name)
  std::vector<ScopeId> entered{};           // scopes in the order of their bodies
  bool is_entry_script = false;

  /// The scope in which the names of a node are looked up.
  ScopeId scope_of(syntax::NodeIndex node) const;
};

Bindings bind(const syntax::Tree& tree, Names& names);

}  // namespace godwit::project
