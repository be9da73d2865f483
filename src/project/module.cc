// What rules ask of a module; the work was done when the project was opened.
#include "project/module_data.h"

#include <algorithm>

#include "base/text.h"
#include "project/evaluator.h"

namespace godwit::project {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

Module::Data::Data() {
  for (const std::string_view text : known::kTexts) names.add_view(text);
}
Module::Data::~Data() = default;

Module::Module(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;
Module::~Module() = default;

const File& Module::file() const { return data_->file; }
const syntax::Source& Module::source() const { return data_->source; }
const syntax::Tree& Module::tree() const { return data_->tree; }
std::string_view Module::dotted() const { return data_->dotted; }

bool Module::is_entry_script() const {
  return data_->bindings.is_entry_script || data_->source.bytes().starts_with("#!");
}

const Notebook& Module::notebook() const { return data_->notebook; }

int Module::cell(std::uint32_t offset) const {
  const Cell* const found = data_->notebook.cell(offset);
  return found == nullptr ? -1 : static_cast<int>(found->number);
}

std::uint32_t Module::line_in_cell(std::uint32_t offset) const {
  const Cell* const found = data_->notebook.cell(offset);
  const std::uint32_t line = data_->source.place(offset).line;
  return found == nullptr ? line : line - data_->source.place(found->begin).line + 1;
}

std::span<const Import> Module::imports() const { return data_->bindings.imports; }
std::span<const Scope> Module::scopes() const { return data_->bindings.scopes; }
std::span<const Use> Module::uses() const { return data_->uses; }
std::span<const std::string_view> Module::names() const { return data_->names.all(); }
std::string_view Module::name(NameId id) const { return data_->names[id]; }
ScopeId Module::scope_of(NodeIndex node) const { return data_->bindings.scope_of(node); }

std::vector<Argument> Module::arguments(NodeIndex call) const {
  std::vector<Argument> result;
  const syntax::Tree& tree = data_->tree;
  const NodeIndex list = tree.child(call, Field::kArguments);
  if (list == kNoNode) return result;
  if (tree[list].kind == Kind::kGeneratorExpression) return {{{}, list, false}};
  for (NodeIndex node = list + 1; node < tree[list].past; node = tree[node].past) {
    switch (tree[node].kind) {
      case Kind::kComment: break;
      case Kind::kListSplat:
      case Kind::kDictSplat: result.push_back({{}, tree.first_child(node), true}); break;
      case Kind::kKeywordArgument: {
        const NodeIndex word = tree.child(node, Field::kName);
        const NodeIndex value = tree.child(node, Field::kValue);
        if (word != kNoNode && value != kNoNode) result.push_back({tree.text(word), value, false});
        break;
      }
      default: result.push_back({{}, node, false}); break;
    }
  }
  return result;
}

NodeIndex Module::argument(NodeIndex call, std::string_view keyword, int position) const {
  int index = 0;
  bool is_certain = true;
  NodeIndex by_position = kNoNode;
  for (const Argument& argument : arguments(call)) {
    if (!argument.keyword.empty()) {
      if (argument.keyword == keyword) return argument.value;
    } else if (argument.is_starred) {
      is_certain = false;  // positions after it are not known
    } else if (is_certain && index++ == position) {
      by_position = argument.value;
    }
  }
  return by_position;
}

std::optional<std::string_view> Module::literal(NodeIndex node) const {
  const syntax::Tree& tree = data_->tree;
  if (node == kNoNode || tree[node].kind != Kind::kString) return std::nullopt;
  std::string_view text = tree.text(node);
  const std::size_t quote = text.find_first_of("'\"");
  if (quote == std::string_view::npos) return std::nullopt;
  for (const char prefix : text.substr(0, quote)) {
    if (prefix == 'f' || prefix == 'F') return std::nullopt;
  }
  text.remove_prefix(quote);
  const bool is_long = text.size() >= 6 && text[1] == text[0] && text[2] == text[0];
  const std::size_t marks = is_long ? 3 : 1;
  if (text.size() < 2 * marks || text.back() != text.front()) return std::nullopt;
  return text.substr(marks, text.size() - 2 * marks);
}

std::string_view Module::resolve(NodeIndex node) const {
  if (node == kNoNode) return {};
  const syntax::Tree& tree = data_->tree;
  if (tree[node].kind == Kind::kAttribute) {
    const NodeIndex object = tree.child(node, Field::kObject);
    const NodeIndex word = tree.child(node, Field::kAttribute);
    if (object == kNoNode || word == kNoNode) return {};
    const Member member =
        data_->evaluator->member(data_->evaluator->eval(object), data_->bindings.words[word]);
    return member.name == kNoName ? std::string_view() : data_->names[member.name];
  }
  if (tree[node].kind != Kind::kIdentifier) return {};
  const Value value = data_->evaluator->eval(node);
  return value.is(Tag::kName) ? data_->names[value.id] : std::string_view();
}

bool Module::is_docstring(NodeIndex node) const {
  const syntax::Tree& tree = data_->tree;
  if (tree[node].kind != Kind::kString && tree[node].kind != Kind::kConcatenatedString)
    return false;
  const NodeIndex statement = tree[node].parent;
  return statement != kNoNode && tree[statement].kind == Kind::kExpressionStatement &&
         tree[statement].past == tree[node].past;
}

Place Module::place(NodeIndex node) const { return place_of(data_->tree[node].begin); }

Place Module::place_of(std::uint32_t offset) const {
  if (data_->notebook.cells.empty()) return data_->source.place(offset);
  const std::int64_t byte = data_->notebook.json_offset(offset);
  Place place = data_->source.place(offset);
  place.line = line_in_cell(offset);
  place.byte = byte;
  return place;
}

// --- types

Type Module::type_of(NodeIndex node) const {
  Evaluator& evaluator = *data_->evaluator;
  const Value raw = evaluator.eval(node);
  const Value value = evaluator.dereference(raw);
  switch (value.tag) {
    case Tag::kNone: return Type::kNone;
    case Tag::kList: return Type::kList;
    case Tag::kTuple: return Type::kTuple;
    case Tag::kInstance: return evaluator.type_of_instance(value.id);
    case Tag::kName: return evaluator.type_of_name(value.id);
    default: return Type::kUnknown;
  }
}

std::string_view Module::class_of(NodeIndex node) const {
  const Value value = data_->evaluator->dereference(data_->evaluator->eval(node));
  return value.is(Tag::kInstance) ? data_->names[value.id] : std::string_view();
}

Type Evaluator::type_of_instance(NameId class_name) {
  using Pair = std::pair<NameId, Type>;
  for (const auto& [id, type] :
       {Pair{known::kTensor, Type::kTensor}, Pair{known::kModule, Type::kModule},
        Pair{known::kOptimizer, Type::kOptimizer}, Pair{known::kScheduler, Type::kScheduler},
        Pair{known::kLoader, Type::kLoader}, Pair{known::kDevice, Type::kDevice},
        Pair{known::kDtype, Type::kDtype}, Pair{known::kStr, Type::kString},
        Pair{known::kInt, Type::kInteger}, Pair{known::kFloat, Type::kFloat},
        Pair{known::kBool, Type::kBool}, Pair{known::kList, Type::kList},
        Pair{known::kTuple, Type::kTuple}, Pair{known::kDict, Type::kDict}}) {
    if (class_name == id || derives_from(class_name, id)) return type;
  }
  return Type::kObject;
}

Type Evaluator::type_of_name(NameId id) {
  if (const Symbol* const found = symbol(id)) {
    return found->kind == SymbolKind::kClass      ? Type::kClass
           : found->kind == SymbolKind::kFunction ? Type::kFunction
                                                  : Type::kUnknown;
  }
  if (program_.has_module(names_[id])) return Type::kNamespace;
  const ApiType& known_type = api(id);
  if (known_type.is_class) return Type::kClass;
  if (known_type.function != nullptr) return Type::kFunction;
  for (const Import& import : bindings_.imports) {
    if (import.target == id && import.node != kNoNode && import.bound != 0 &&
        at(import.statement).kind == Kind::kImportStatement) {
      return Type::kNamespace;
    }
  }
  return Type::kUnknown;
}

}  // namespace godwit::project
