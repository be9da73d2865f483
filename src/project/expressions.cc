// Values of calls, operators, subscripts and literals that hold others.
#include "base/text.h"
#include "project/evaluator.h"

namespace godwit::project {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

namespace {

constexpr std::size_t kMostItems = 64;  // of a literal that are looked at

}  // namespace

NodeIndex Evaluator::argument(NodeIndex call, std::string_view keyword, int position) const {
  const NodeIndex list = call == kNoNode ? kNoNode : child(call, Field::kArguments);
  if (list == kNoNode) return kNoNode;
  if (at(list).kind == Kind::kGeneratorExpression) return position == 0 ? list : kNoNode;
  int index = 0;
  for (NodeIndex node = list + 1; node < at(list).past; node = at(node).past) {
    if (at(node).kind == Kind::kKeywordArgument) {
      const NodeIndex word = child(node, Field::kName);
      if (word != kNoNode && !keyword.empty() && tree_.text(word) == keyword) {
        return child(node, Field::kValue);
      }
    } else if (at(node).kind == Kind::kListSplat || at(node).kind == Kind::kDictSplat) {
      index = -1000;  // positions after it are not known
    } else if (at(node).kind != Kind::kComment && index++ == position) {
      return node;
    }
  }
  return kNoNode;
}

Value Evaluator::call(NodeIndex node) {
  const NodeIndex callee = child(node, Field::kFunction);
  if (callee == kNoNode) return kUnknownValue;
  const Value function = dereference(eval(callee));
  switch (function.tag) {
    case Tag::kName: return call_name(node, function);
    case Tag::kInstance: return call_instance(function);
    case Tag::kNothing: return kNothingValue;
    default: return kUnknownValue;
  }
}

Value Evaluator::call_name(NodeIndex node, Value function) {
  if (names_[function.id] == "builtins.super") return super_of(node);
  if (const Symbol* const own = symbol(function.id)) {
    if (own->kind == SymbolKind::kFunction) return returns_of(*own);
    return own->kind == SymbolKind::kClass ? instance(function.id) : kUnknownValue;
  }
  const ApiType& known_type = api(function.id);
  if (known_type.function != nullptr) return from_text(*known_type.function, node);
  Value made = instance_of(function);
  if (made.is_instance(known::kLoader) || derives_from(made.id, known::kLoader)) {
    const bool has_own = argument(node, "collate_fn", 6) != kNoNode;
    made = {Tag::kInstance, static_cast<std::uint8_t>(has_own ? Value::kCustomItems : 0),
            known::kLoader};
  }
  return made;
}

// Calling a module runs its forward; other objects run __call__.
Value Evaluator::call_instance(Value function) {
  const bool is_module = is_module_class(function.id);
  const Member method =
      member_of_instance(function.id, names_.add_view(is_module ? "forward" : "__call__"));
  if (method.name != kNoName) {
    if (const Symbol* const own = symbol(method.name)) {
      return own->kind == SymbolKind::kFunction ? returns_of(*own) : kUnknownValue;
    }
  }
  if (!is_module) return kUnknownValue;
  for (NameId id = function.id;;) {
    if (const Symbol* const own = symbol(id)) {
      const std::vector<NameId> bases = bases_of(*own);
      if (bases.size() != 1 || bases.front() == id) return kUnknownValue;
      id = bases.front();
      if (id == function.id) return kUnknownValue;
      continue;
    }
    const TypeText* const result = api(id).instance;
    return result != nullptr ? from_text(*result, kNoNode) : kUnknownValue;
  }
}

Value Evaluator::super_of(NodeIndex node) {
  for (ScopeId scope = scope_of(node); scope != 0; scope = bindings_.scopes[scope].parent) {
    if (bindings_.scopes[scope].kind != Scope::Kind::kClass) continue;
    const Symbol* const own = symbol(own_name(scope).id);
    if (own == nullptr || own->kind != SymbolKind::kClass) return kUnknownValue;
    const std::vector<NameId> bases = bases_of(*own);
    return bases.empty() ? kUnknownValue : instance(bases.front());
  }
  return kUnknownValue;
}

// --- results as the table writes them

Value Evaluator::from_text(const TypeText& type, NodeIndex node) {
  if (!type.items.empty()) {
    std::vector<Value> items;
    for (const TypeText& part : type.items) items.push_back(from_text(part, node));
    return type.name == "list" ? list_of(items.front()) : tuple_of(std::move(items));
  }
  bool is_special = false;
  const Value value = special(type.name, node, is_special);
  return is_special ? value : instance(names_.add_view(type.name));
}

Value Evaluator::special(std::string_view name, NodeIndex node, bool& is_special) {
  is_special = true;
  const auto first = [&](int position) { return eval(argument(node, {}, position)); };
  if (name == "unknown" || name == "object") return kUnknownValue;
  if (node != kNoNode) {
    if (name == "self") return eval(child(child(node, Field::kFunction), Field::kObject));
    if (name == "arg0") return first(0);
    if (name == "item0") return element(first(0));
    if (name == "zip") {
      std::vector<Value> items;
      for (int i = 0; argument(node, {}, i) != kNoNode && i < 16; ++i)
        items.push_back(element(first(i)));
      return items.empty() ? kUnknownValue : list_of(tuple_of(std::move(items)));
    }
    // torch.max(x) is a tensor, torch.max(x, dim) a pair, torch.max(x, y) a tensor again.
    if (name == "reduced") return reduced(node);
    if (name == "where") return instance(known::kTensor);
    if (name == "size")
      return instance(argument(node, "dim", 0) == kNoNode ? known::kSize : known::kInt);
    if (name == "astype")
      return instance(argument(node, "dtype", 0) == kNoNode ? known::kStr : known::kTensor);
  }
  for (const std::string_view other :
       {"self", "arg0", "item0", "zip", "reduced", "where", "size", "astype", "number"}) {
    if (name == other) return kUnknownValue;
  }
  is_special = false;
  return kUnknownValue;
}

Value Evaluator::reduced(NodeIndex node) {
  const NodeIndex object = child(child(node, Field::kFunction), Field::kObject);
  const bool is_method = object != kNoNode && dereference(eval(object)).is_instance(known::kTensor);
  const NodeIndex dim = argument(node, "dim", is_method ? 0 : 1);
  if (dim == kNoNode) return instance(known::kTensor);
  const Value by = eval(dim);
  if (by.is_instance(known::kTensor)) return by;
  if (!by.is_instance(known::kInt)) return kUnknownValue;
  return tuple_of({instance(known::kTensor), instance(known::kTensor)});
}

// --- subscripts and operators

Value Evaluator::subscript(NodeIndex node) {
  const Value value = dereference(eval(child(node, Field::kValue)));
  const NodeIndex index = child(node, Field::kSubscript);
  if (index == kNoNode) return kUnknownValue;
  const bool is_slice = at(index).kind == Kind::kSlice;
  switch (value.tag) {
    case Tag::kTuple: {
      const auto position = parse_integer(tree_.text(index));
      if (position && *position >= 0) return item(value, static_cast<std::size_t>(*position));
      if (tree_.text(index) == "-1")
        return tuples_[value.id].empty() ? kUnknownValue : tuples_[value.id].back();
      return is_slice ? kUnknownValue : element(value);
    }
    case Tag::kList: return is_slice ? value : element(value);
    case Tag::kBatch:
    case Tag::kNothing: return value;
    case Tag::kInstance:
      if (is_slice && is_container_of_modules(value.id)) return value;
      return is_slice && value.id == known::kSize ? value : element(value);
    default: return kUnknownValue;
  }
}

// A tensor in an operation makes its result one.
Value Evaluator::operators(NodeIndex node) {
  std::vector<NodeIndex> parts;
  for (NodeIndex part = node + 1; part < at(node).past && parts.size() < 8; part = at(part).past) {
    if (at(part).kind != Kind::kComment) parts.push_back(part);
  }
  if (parts.empty()) return kUnknownValue;
  switch (at(node).kind) {
    case Kind::kBooleanOperator: {
      Value value = kNothingValue;
      for (const NodeIndex part : parts) value = join(value, eval(part));
      return value;
    }
    case Kind::kConditionalExpression:
      return parts.size() == 3 ? join(eval(parts[0]), eval(parts[2])) : kUnknownValue;
    case Kind::kComparisonOperator: return comparison(parts);
    default: break;
  }
  return arithmetic(parts);
}

Value Evaluator::comparison(const std::vector<NodeIndex>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto begin = at(parts[i - 1]).end;
    const std::string_view sign =
        trim(data_.source.text().substr(begin, at(parts[i]).begin - begin));
    if (contains(sign, "in") || contains(sign, "is")) return instance(known::kBool);
  }
  bool is_certain = true;
  for (const NodeIndex part : parts) {
    const Value value = dereference(eval(part));
    if (value.is_instance(known::kTensor)) return value;
    is_certain = is_certain && (value.is(Tag::kInstance) || value.is(Tag::kNone));
  }
  return is_certain ? instance(known::kBool) : kUnknownValue;
}

Value Evaluator::arithmetic(const std::vector<NodeIndex>& parts) {
  Value first = kUnknownValue;
  bool is_same = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Value value = dereference(eval(parts[i]));
    if (value.is_instance(known::kTensor)) return instance(known::kTensor);
    if (value.is_instance(known::kStr)) return value;  // "cuda:%d" % rank, "cuda:" + x
    if (i == 0) first = value;
    is_same = is_same && value.same(first);
  }
  const bool is_plain = first.is_instance(known::kInt) || first.is_instance(known::kFloat) ||
                        first.is(Tag::kNothing) || first.is(Tag::kList);
  if (!is_same || !is_plain) return kUnknownValue;
  return first.is_instance(known::kInt) && parts.size() > 1 ? integer_result(parts) : first;
}

// Of two integers only a true division is none.
Value Evaluator::integer_result(const std::vector<NodeIndex>& parts) {
  const auto begin = at(parts[0]).end;
  const std::string_view sign = trim(data_.source.text().substr(begin, at(parts[1]).begin - begin));
  return instance(sign == "/" || sign == "/=" ? known::kFloat : known::kInt);
}

// --- literals

Value Evaluator::sequence(NodeIndex node) {
  std::vector<Value> items;
  for (NodeIndex part = node + 1; part < at(node).past; part = at(part).past) {
    if (at(part).kind == Kind::kComment) continue;
    if (at(part).kind == Kind::kListSplat || items.size() >= kMostItems) {
      return at(node).kind == Kind::kList ? list_of(kUnknownValue) : kUnknownValue;
    }
    items.push_back(eval(part));
  }
  if (at(node).kind != Kind::kList) return tuple_of(std::move(items));
  Value common = kNothingValue;
  for (const Value& value : items) common = join(common, value);
  return list_of(items.empty() ? kUnknownValue : common);
}

Value Evaluator::comprehension(NodeIndex node) {
  const NodeIndex body = child(node, Field::kBody);
  return list_of(eval(body == kNoNode ? tree_.first_child(node) : body));
}

}  // namespace godwit::project
