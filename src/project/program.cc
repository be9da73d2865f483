// Finds what an import means inside the project, and follows re-exports to their origin.
#include "project/program.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::project {
namespace {

constexpr int kMostHops = 32;  // of a re-export; cycles end here

std::string joined(std::string_view base, std::string_view rest) {
  std::string whole;
  whole.reserve(base.size() + rest.size() + 1);
  whole.append(base);
  if (!base.empty() && !rest.empty()) whole += '.';
  return whole.append(rest);
}

std::string_view parent_of(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
}

std::string_view first_word(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

}  // namespace

void Program::link() {
  for (std::uint32_t i = 0; i < modules.size(); ++i) {
    // A package wins over a module of the same name, as in Python.
    auto& module = dotted(modules[i]->dotted).module;
    if (!module || modules[i]->is_package) module = i;
  }
  for (const Module::Data* const module : modules) {
    auto& targets = import_targets.emplace_back();
    for (const RawImport& raw : module->bindings.raw)
      targets.push_back(import_target(*module, raw));
  }
  for (std::uint32_t i = 0; i < modules.size(); ++i) add_symbols(i);
  summaries.resize(modules.size());
}

Program::Dotted& Program::dotted(std::string_view name) {
  const NameId id = dotted_names_.add_copy(name);
  if (id == dotted_.size()) dotted_.emplace_back();
  return dotted_[id];
}

const Program::Dotted* Program::find_dotted(std::string_view name) const {
  const NameId id = dotted_names_.find(name);
  return id == kNoName ? nullptr : &dotted_[id];
}

std::optional<std::uint32_t> Program::module_of(std::string_view name) const {
  const Dotted* const found = find_dotted(name);
  return found == nullptr ? std::nullopt : found->module;
}

const Symbol* Program::find(std::string_view qualified) const {
  const Dotted* const found = find_dotted(qualified);
  return found == nullptr || !found->symbol ? nullptr : &*found->symbol;
}

void Program::add_symbols(std::uint32_t index) {
  const Module::Data& module = *modules[index];
  if (module_of(module.dotted) != index) return;
  const Bindings& all = module.bindings;
  std::string whole;
  const auto add = [&](std::string_view scope, std::string_view word, Symbol symbol) {
    whole.assign(module.dotted);
    for (const std::string_view part : {scope, word}) {
      if (!whole.empty() && !part.empty()) whole += '.';
      whole += part;
    }
    std::optional<Symbol>& known = dotted(whole).symbol;
    // The last binding counts, but a definition or import is not hidden by a fallback after it.
    if (!known || known->kind == SymbolKind::kVariable || known->kind == SymbolKind::kAttribute)
      known = symbol;
  };
  for (std::uint32_t i = 0; i < all.bindings.size(); ++i) {
    const Binding& binding = all.bindings[i];
    const Scope& scope = all.scopes[binding.scope];
    if (scope.kind != Scope::Kind::kModule && scope.kind != Scope::Kind::kClass) continue;
    const std::string_view word = module.names[binding.name];
    const std::string_view holder =
        binding.scope == 0 ? std::string_view() : module.names[scope.name];
    Symbol symbol{index, SymbolKind::kVariable, i};
    switch (binding.kind) {
      case BindingKind::kImport: symbol = {index, SymbolKind::kImport, binding.detail}; break;
      case BindingKind::kFunction: symbol = {index, SymbolKind::kFunction, binding.detail}; break;
      case BindingKind::kClass: symbol = {index, SymbolKind::kClass, binding.detail}; break;
      default: break;
    }
    add(holder, word, symbol);
  }
  for (std::uint32_t i = 0; i < all.attributes.size(); ++i) {
    const AttributeBinding& attribute = all.attributes[i];
    add(module.names[all.scopes[attribute.scope].name], module.names[attribute.name],
        {index, SymbolKind::kAttribute, i});
  }
}

// --- imports

std::string Program::import_target(const Module::Data& module, const RawImport& raw) const {
  if (raw.level == 0 && !raw.rest.empty()) {
    std::string whole = absolute(module, joined(raw.module, raw.rest), {});
    // `import pkg.mod` in the files of pkg itself is found as "mod": the bound name is the root.
    if (whole == raw.rest) return std::string(raw.module);
    if (whole.ends_with(raw.rest)) whole.resize(whole.size() - raw.rest.size() - 1);
    return whole;
  }
  if (raw.level == 0) return joined(absolute(module, raw.module, raw.member), raw.member);
  std::string_view base = module.dotted;
  for (std::uint32_t up = module.is_package ? 1 : 0; up < raw.level; ++up) base = parent_of(base);
  return joined(joined(base, raw.module), raw.member);
}

bool Program::is_in_project(std::string_view prefix, std::string_view name,
                            std::string_view member) const {
  const std::string whole = joined(prefix, name);
  if (has_module(joined(prefix, first_word(name)))) return true;
  // A folder without __init__.py counts only for a file that it holds: an installed package would
  // win.
  return has_module(whole) || (!member.empty() && has_module(joined(whole, member)));
}

// Scripts see the folder they lie in, packages see the root; so folders from the file up to the
// root are tried, those that are packages themselves after the others.
std::string Program::absolute(const Module::Data& module, std::string_view name,
                              std::string_view member) const {
  std::vector<std::string_view> plain;
  std::vector<std::string_view> packages;
  for (std::string_view folder = parent_of(module.dotted); !folder.empty();
       folder = parent_of(folder)) {
    (has_module(folder) ? packages : plain).push_back(folder);
  }
  plain.push_back({});
  for (const std::string_view usual : {"src", "lib", "python"}) plain.push_back(usual);
  // A file torch.py inside a package is never what `import torch` means.
  if (first_word(name) != "torch") plain.insert(plain.end(), packages.begin(), packages.end());
  for (const std::string_view folder : plain) {
    // `import random` in examples/random.py means the library, or the file would import itself.
    if (is_in_project(folder, name, member) && joined(folder, name) != module.dotted) {
      return joined(folder, name);
    }
  }
  if (first_word(name) == root_name && name.size() > root_name.size()) {
    const std::string_view rest = name.substr(root_name.size() + 1);
    if (is_in_project({}, rest, member)) return std::string(rest);
  }
  return std::string(name);
}

// --- re-exports

std::string Program::canonical(std::string_view qualified) const {
  std::string name(qualified);
  for (int hop = 0; hop < kMostHops; ++hop) {
    std::size_t known = 0;  // bytes of `name` that are a module of the project
    std::size_t next = name.find('.');
    std::string moved;
    for (std::size_t end = std::min(next, name.size());; end = std::min(next, name.size())) {
      const std::string_view prefix(name.data(), end);
      const Symbol* const symbol = find(prefix);
      if (symbol != nullptr && symbol->kind == SymbolKind::kImport) {
        const std::string& target = import_targets[symbol->module][symbol->index];
        // `from . import layers` names the module itself.
        if (target != prefix) {
          moved = target + name.substr(end);
          break;
        }
      } else if (symbol != nullptr) {
        return name;
      }
      if (has_module(prefix)) known = end;
      if (end == name.size()) break;
      next = name.find('.', end + 1);
    }
    if (moved.empty() && known > 0 && known < name.size()) {
      const std::string_view rest = std::string_view(name).substr(known + 1);
      const std::string found =
          from_star(std::string_view(name).substr(0, known), first_word(rest));
      if (!found.empty()) moved = found + std::string(rest.substr(first_word(rest).size()));
    }
    if (moved.empty() || moved == name) return name;
    name = std::move(moved);
  }
  return std::string(qualified);
}

// What star imports of this module's own bring, level by level.
std::string Program::from_star(std::string_view module, std::string_view name) const {
  std::vector<std::string_view> pending{module};
  for (std::size_t i = 0; i < pending.size() && i < 64; ++i) {
    const auto index = module_of(pending[i]);
    if (!index) continue;
    const Module::Data& data = *modules[*index];
    for (std::size_t k = data.bindings.imports.size(); k-- > 0;) {
      const Import& import = data.bindings.imports[k];
      if (!import.is_star || import.scope != 0) continue;
      const std::string_view target = import_targets[*index][k];
      const std::string whole = joined(target, name);
      if (find(whole) != nullptr) return whole;
      if (std::find(pending.begin(), pending.end(), target) == pending.end())
        pending.push_back(target);
    }
  }
  return {};
}

}  // namespace godwit::project
