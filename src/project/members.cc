// Attributes: of modules and classes by name, of instances along their base classes.
#include "project/evaluator.h"

#include <algorithm>

namespace godwit::project {

using syntax::Field;
using syntax::kNoNode;
using syntax::NodeIndex;

namespace {

constexpr std::size_t kMostClasses = 64;  // looked at for one attribute

// Members that tensors share with lists, dictionaries or strings: they say nothing about a batch.
bool is_container_member(std::string_view word) {
  for (const std::string_view shared :
       {"index", "values", "keys", "items", "get", "copy", "count", "sort", "split", "pop",
        "update", "append", "data", "type", "size"}) {
    if (word == shared) return true;
  }
  return false;
}

}  // namespace

// --- what is known of a name, asked once

NameId Evaluator::canonical(NameId id) {
  if (id >= canonical_.size()) canonical_.resize(names_.all().size() + 64, kNoName);
  if (canonical_[id] == kNoName) {
    const NameId found = names_.add_copy(program_.canonical(names_[id]));
    if (found >= canonical_.size()) canonical_.resize(names_.all().size() + 64, kNoName);
    canonical_[id] = found;
    canonical_[found] = found;
  }
  return canonical_[id];
}

const Symbol* Evaluator::symbol(NameId id) {
  if (id >= symbols_.size()) {
    symbols_.resize(names_.all().size() + 64, nullptr);
    has_symbol_.resize(symbols_.size(), false);
  }
  if (!has_symbol_[id]) {
    has_symbol_[id] = true;
    symbols_[id] = program_.find(names_[id]);
  }
  return symbols_[id];
}

const ApiType& Evaluator::api(NameId id) {
  static const ApiType kNothingKnown;
  if (id >= apis_.size()) apis_.resize(names_.all().size() + 64, nullptr);
  if (apis_[id] == nullptr) {
    const ApiType found = find_api_type(names_[id]);
    apis_[id] = found.is_known() ? &known_apis_.emplace_back(found) : &kNothingKnown;
  }
  return *apis_[id];
}

std::vector<NameId> Evaluator::bases_of(const Symbol& class_symbol) {
  std::vector<NameId> result;
  const auto& all = program_.summaries[class_symbol.module].bases;
  if (class_symbol.index >= all.size()) return result;
  for (const NameId base : all[class_symbol.index]) result.push_back(own_id(base));
  return result;
}

bool Evaluator::derives_from(NameId class_name, NameId base) {
  const std::uint64_t key = (std::uint64_t{class_name} << 32) | base;
  if (const auto found = derives_.find(key); found != derives_.end()) return found->second;
  std::vector<NameId> pending{class_name};
  bool result = false;
  for (std::size_t i = 0; i < pending.size() && i < kMostClasses && !result; ++i) {
    const NameId id = pending[i];
    if (id == base) {
      result = true;
    } else if (const Symbol* const own = symbol(id)) {
      if (own->kind == SymbolKind::kClass) {
        for (const NameId next : bases_of(*own)) pending.push_back(next);
      }
    } else if (const ApiType& known_type = api(id); !known_type.base.empty()) {
      pending.push_back(names_.add_view(known_type.base));
    }
  }
  derives_.emplace(key, result);
  return result;
}

std::vector<std::vector<NameId>> Evaluator::bases() {
  std::vector<std::vector<NameId>> result(bindings_.scopes.size());
  for (ScopeId id = 0; id < bindings_.scopes.size(); ++id) {
    if (bindings_.scopes[id].kind != Scope::Kind::kClass) continue;
    const NodeIndex list = child(bindings_.scopes[id].node, Field::kSuperclasses);
    if (list == kNoNode) continue;
    for (NodeIndex node = list + 1; node < at(list).past; node = at(node).past) {
      const Value value =
          at(node).kind == syntax::Kind::kKeywordArgument ? kUnknownValue : eval(node);
      if (value.is(Tag::kName)) result[id].push_back(value.id);
    }
  }
  return result;
}

void Evaluator::know_bases() {
  derives_.clear();
  memo_.forget(0);
}

// --- attributes

Value Evaluator::foreign(const IndexedValues& values, std::uint32_t index) {
  is_open_ = true;
  const auto found = std::lower_bound(
      values.begin(), values.end(), index,
      [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
  const bool is_there = found != values.end() && found->first == index;
  return is_there ? from_program(found->second) : kUnknownValue;
}

// A variable of a module or class, or an attribute that methods set; functions and classes are
// names.
Value Evaluator::symbol_value(const Symbol& found, NameId id) {
  const bool is_own = found.module == data_.index;
  const Summary& summary = program_.summaries[found.module];
  switch (found.kind) {
    case SymbolKind::kVariable:
      return is_own ? variable(last_of(found.index)) : foreign(summary.variables, found.index);
    case SymbolKind::kAttribute:
      return is_own ? attribute_binding(last_attribute_of(found.index))
                    : foreign(summary.attributes, found.index);
    default: return name(id, Value::kTyped);
  }
}

std::uint32_t Evaluator::last_of(std::uint32_t index) const {
  const Binding& binding = bindings_.bindings[index];
  return bindings_.last.find(binding.scope, binding.name);
}

std::uint32_t Evaluator::last_attribute_of(std::uint32_t index) const {
  const AttributeBinding& attribute = bindings_.attributes[index];
  return bindings_.last_attribute.find(attribute.scope, attribute.name);
}

Value Evaluator::dereference(Value value) {
  for (int hop = 0; value.is(Tag::kName) && hop < 8; ++hop) {
    const Symbol* const found = symbol(value.id);
    if (found == nullptr) {
      const ApiType& known_type = api(value.id);
      if (known_type.value != nullptr) return from_text(*known_type.value, kNoNode);
      return value;
    }
    if (found->kind != SymbolKind::kVariable && found->kind != SymbolKind::kAttribute) return value;
    const Value worth = symbol_value(*found, value.id);
    if (worth.same(value)) return kUnknownValue;
    value = worth;
  }
  return value;
}

Member Evaluator::member(Value object, NameId word) {
  object = dereference(object);
  switch (object.tag) {
    case Tag::kName: return member_of_name(object, word);
    case Tag::kInstance: return member_of_instance(object.id, word);
    case Tag::kList: return member_of_instance(known::kList, word);
    case Tag::kTuple: return member_of_instance(known::kTuple, word);
    case Tag::kBatch: {
      const NameId id = names_.join(known::kTensor, word);
      const bool is_tensor = lists_api(names_[id]) && !is_container_member(names_[word]);
      return is_tensor ? member_of_instance(known::kTensor, word) : Member{};
    }
    case Tag::kNothing: return {kNothingValue, kNoName};
    default: return {};
  }
}

Member Evaluator::member_of_name(Value object, NameId word) {
  const Symbol* const found = symbol(object.id);
  if (found != nullptr && found->kind == SymbolKind::kClass) {
    bool is_open = false;
    Member result = member_of_class(object.id, word, is_open);
    if (result.name == kNoName)
      result = {name(names_.join(object.id, word)), names_.join(object.id, word)};
    result.value.flags = object.flags;
    return result;
  }
  const NameId id = canonical(names_.join(object.id, word));
  return {name(id, object.flags), id};
}

Member Evaluator::member_of_instance(NameId class_name, NameId word) {
  bool is_open = false;
  Member result = member_of_class(class_name, word, is_open);
  if (result.name == kNoName && !is_open) return {};
  return result;
}

// Along the base classes, the project's own first. `is_open`: a base is not known, so the attribute
// may come from there.
Member Evaluator::member_of_class(NameId class_name, NameId word, bool& is_open) {
  std::vector<NameId> pending{class_name};
  NameId unknown_base = kNoName;
  for (std::size_t i = 0; i < pending.size() && i < kMostClasses; ++i) {
    const NameId owner = pending[i];
    const NameId id = names_.join(owner, word);
    if (const Symbol* const own = symbol(owner);
        own != nullptr && own->kind == SymbolKind::kClass) {
      if (const Symbol* const found = symbol(id)) return own_member(*found, id);
      for (const NameId base : bases_of(*own)) pending.push_back(base);
      continue;
    }
    const ApiType& known_type = api(id);
    if (known_type.value != nullptr) return {from_text(*known_type.value, kNoNode), id};
    if (known_type.function != nullptr) return {name(id, Value::kTyped), id};
    const ApiType& owner_type = api(owner);
    if (!owner_type.base.empty()) {
      pending.push_back(names_.add_view(owner_type.base));
    } else if (owner != known::kModule && owner != known::kObject) {
      if (unknown_base == kNoName) unknown_base = id;
    }
  }
  if (unknown_base == kNoName) return {};
  is_open = true;
  return {name(unknown_base, Value::kTyped), unknown_base};
}

Member Evaluator::own_member(const Symbol& found, NameId id) {
  Member result{symbol_value(found, id), id};
  if (found.kind != SymbolKind::kFunction) return result;
  const Module::Data& owner = *program_.modules[found.module];
  if (owner.bindings.infos[found.index].is_property) result.value = returns_of(found);
  return result;
}

Value Evaluator::returns_of(const Symbol& function) {
  if (function.module == data_.index) return returns(function.index);
  return foreign(program_.summaries[function.module].returns, function.index);
}

// --- between modules

Value Evaluator::to_program(Value value, Program& program) {
  value.flags &= static_cast<std::uint8_t>(~Value::kOpen);
  switch (value.tag) {
    case Tag::kName:
    case Tag::kInstance: {
      if (value.id >= program_ids_.size()) program_ids_.resize(names_.all().size() + 64, kNoName);
      NameId& id = program_ids_[value.id];
      if (id == kNoName) id = program.names.add_copy(names_[value.id]);
      return {value.tag, value.flags, id};
    }
    case Tag::kTuple:
    case Tag::kList: {
      std::vector<Value> items;
      // One level: deeper containers stay inside their module.
      for (const Value& part : tuples_[value.id]) {
        const bool is_flat = !part.is(Tag::kTuple) && !part.is(Tag::kList);
        items.push_back(is_flat ? to_program(part, program) : kUnknownValue);
      }
      program.tuples.push_back(std::move(items));
      return {value.tag, value.flags, static_cast<std::uint32_t>(program.tuples.size() - 1)};
    }
    default: return value;
  }
}

NameId Evaluator::own_id(NameId id) {
  const auto [place, is_new] = own_ids_.emplace(id, kNoName);
  if (is_new) place->second = names_.add_view(program_.names[id]);
  return place->second;
}

Value Evaluator::from_program(Value value) {
  switch (value.tag) {
    case Tag::kName:
    case Tag::kInstance: return {value.tag, value.flags, own_id(value.id)};
    case Tag::kTuple:
    case Tag::kList: {
      std::vector<Value> items;
      for (const Value& part : program_.tuples[value.id]) items.push_back(from_program(part));
      const Value own = tuple_of(std::move(items));
      return {value.tag, value.flags, own.id};
    }
    default: return value;
  }
}

}  // namespace godwit::project
