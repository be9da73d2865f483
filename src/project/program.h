// Program: what modules know of each other: dotted names, what each defines, and light summaries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "project/bindings.h"
#include "project/module_data.h"
#include "project/value.h"

namespace godwit::project {

enum class SymbolKind : std::uint8_t { kImport, kFunction, kClass, kVariable, kAttribute };

struct Symbol {
  std::uint32_t module = 0;
  SymbolKind kind = SymbolKind::kVariable;
  std::uint32_t index = 0;  // import, scope, scope, binding, attribute binding
};

/// Values by an index, in its order: written whole once a round, looked up by halving.
using IndexedValues = std::vector<std::pair<std::uint32_t, Value>>;

/// Values that leave a module, in the numbers of Program::names and Program::tuples.
struct Summary {
  IndexedValues returns{};     // by scope
  IndexedValues variables{};   // by binding (the last of its name)
  IndexedValues attributes{};  // by attribute binding (the last)
  // By binding: the distinct values of all call sites, so far as they are seen.
  std::unordered_map<std::uint32_t, std::vector<Value>> parameters{};
  std::vector<std::vector<NameId>> bases{};  // by scope
};

struct Program {
  std::string root_name;
  std::vector<const Module::Data*> modules{};
  std::vector<std::vector<std::string>> import_targets{};  // by module and import
  std::vector<Summary> summaries{};
  Names names{};
  Tuples tuples{};

  /// Finds all dotted names and import_targets of the modules.
  void link();

  /// "models.net" to its index in `modules`.
  std::optional<std::uint32_t> module_of(std::string_view dotted) const;
  bool has_module(std::string_view dotted) const { return module_of(dotted).has_value(); }
  /// "models.net.Net.forward"; null when the project defines no such name.
  const Symbol* find(std::string_view qualified) const;
  /// Follows re-exports: "models.Conv" to "torch.nn.Conv2d". An outside name comes back as it is.
  std::string canonical(std::string_view qualified) const;
  /// The name that `from module import *` brings, or empty.
  std::string from_star(std::string_view module, std::string_view name) const;

 private:
  struct Dotted {
    std::optional<std::uint32_t> module{};
    std::optional<Symbol> symbol{};
  };
  Dotted& dotted(std::string_view name);
  const Dotted* find_dotted(std::string_view name) const;

  std::string import_target(const Module::Data& module, const RawImport& raw) const;
  std::string absolute(const Module::Data& module, std::string_view name,
                       std::string_view member) const;
  bool is_in_project(std::string_view prefix, std::string_view name, std::string_view member) const;
  void add_symbols(std::uint32_t index);

  Names dotted_names_{};  // complete once linked: threads look up while `names` grows
  std::vector<Dotted> dotted_{};
};

}  // namespace godwit::project
