// Values of what a statement binds: assignment, unpacking, loops, parameters and annotations.
#include "base/text.h"
#include "project/evaluator.h"

namespace godwit::project {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

Value Evaluator::assigned(NodeIndex statement, NodeIndex target) {
  switch (at(statement).kind) {
    case Kind::kAssignment: {
      const NodeIndex left = child(statement, Field::kLeft);
      const Value promised = annotation(child(statement, Field::kType));
      if (promised.is_known()) return promised;
      NodeIndex right = child(statement, Field::kRight);
      while (right != kNoNode && at(right).kind == Kind::kAssignment)
        right = child(right, Field::kRight);
      return right == kNoNode ? kNothingValue : unpack(eval(right), left, target);
    }
    case Kind::kAugmentedAssignment: return operators(statement);
    case Kind::kNamedExpression: return eval(child(statement, Field::kValue));
    case Kind::kFor:
    case Kind::kForInClause: {
      const Value items = element(eval(child(statement, Field::kRight)));
      return unpack(items, child(statement, Field::kLeft), target);
    }
    case Kind::kAsPattern: {
      // `with f(x) as y`: most context managers give themselves.
      if (at(at(statement).parent).kind != Kind::kWithItem) return kUnknownValue;
      const Value manager = eval(tree_.first_child(statement));
      return manager.is(Tag::kInstance) ? manager : kUnknownValue;
    }
    default: return kUnknownValue;
  }
}

// From the pattern down to the target, one position per level.
Value Evaluator::unpack(Value value, NodeIndex pattern, NodeIndex target) {
  while (pattern != target && value.is_known()) {
    std::size_t position = 0;
    bool after_star = false;
    NodeIndex next = kNoNode;
    for (NodeIndex part = pattern + 1; part < at(pattern).past; part = at(part).past) {
      if (at(part).kind == Kind::kComment) continue;
      if (part <= target && target < at(part).past) {
        next = part;
        break;
      }
      after_star = after_star || at(part).kind == Kind::kListSplat;
      ++position;
    }
    if (next == kNoNode) return kUnknownValue;
    if (at(pattern).kind == Kind::kParenthesized) {
      pattern = next;
      continue;
    }
    const bool is_star = at(next).kind == Kind::kListSplat;
    if (is_star) return list_of(element(value));
    value = after_star ? element(value) : item(value, position);
    pattern = next;
  }
  return value;
}

Value Evaluator::item(Value value, std::size_t index) {
  if (value.is(Tag::kTuple)) {
    const std::vector<Value>& items = tuples_[value.id];
    return index < items.size() ? items[index] : kUnknownValue;
  }
  return element(value);
}

Value Evaluator::element(Value value) {
  value = dereference(value);
  switch (value.tag) {
    case Tag::kList: return tuples_[value.id].front();
    case Tag::kTuple: {
      Value common = kNothingValue;
      for (const Value& part : std::vector<Value>(tuples_[value.id])) common = join(common, part);
      return common;
    }
    case Tag::kBatch:
    case Tag::kNothing:
    case Tag::kNone: return value;
    case Tag::kInstance:
      if (value.id == known::kTensor || value.id == known::kStr) return value;
      if (value.id == known::kSize) return instance(known::kInt);
      if (value.id == known::kLoader) {
        return (value.flags & Value::kCustomItems) != 0 ? kUnknownValue : Value{Tag::kBatch};
      }
      // ModuleList, Sequential and their like hold modules.
      if (is_container_of_modules(value.id)) return instance(known::kModule);
      return kUnknownValue;
    default: return kUnknownValue;
  }
}

bool Evaluator::is_container_of_modules(NameId class_name) {
  for (const std::string_view container : {"torch.nn.ModuleList", "torch.nn.Sequential"}) {
    if (derives_from(class_name, names_.add_view(container))) return true;
  }
  return false;
}

// --- parameters

// In this order: self, the annotation, what all call sites in the project agree on, and last what
// the body does with it: an argument of an operator that takes nothing but tensors is a tensor.
Value Evaluator::parameter(const Binding& bound) {
  const ScopeId owner = bindings_.scopes[bound.scope].parent;
  if (bound.detail == 0 && bindings_.infos[bound.scope].self == bound.name) {
    const Value own = own_name(owner);
    return bindings_.infos[bound.scope].is_class_method ? own : instance(own.id);
  }
  const NodeIndex node = bound.statement;
  if (at(node).kind == Kind::kListSplat || at(node).kind == Kind::kDictSplat) return kUnknownValue;
  const Value promised = annotation(child(node, Field::kType));
  if (promised.is_known()) return promised;
  const auto index = static_cast<std::uint32_t>(&bound - bindings_.bindings.data());
  const Value called = from_call_sites(bound, index);
  if (called.is_known()) return called;
  return tensor_parameters[index] ? instance(known::kTensor) : kUnknownValue;
}

Value Evaluator::from_call_sites(const Binding& bound, std::uint32_t index) {
  is_open_ = true;
  const auto& all = program_.summaries[data_.index].parameters;
  const auto found = all.find(index);
  if (found == all.end()) return kUnknownValue;
  Value value = kNothingValue;
  for (const Value& given : found->second) value = join(value, from_program(given));
  const NodeIndex fallback = child(bound.statement, Field::kValue);
  return fallback == kNoNode ? value : join(value, eval(fallback));
}

// --- annotations

Value Evaluator::annotation(NodeIndex node) {
  if (node == kNoNode || depth_ >= kMostDepth) return kUnknownValue;
  ++depth_;
  const Value value = annotation_at(node);
  --depth_;
  return value;
}

Value Evaluator::annotation_at(NodeIndex node) {
  while (at(node).kind == Kind::kType || at(node).kind == Kind::kParenthesized) {
    node = tree_.first_child(node);
    if (node == kNoNode) return kUnknownValue;
  }
  switch (at(node).kind) {
    case Kind::kIdentifier:
    case Kind::kAttribute: return instance_of(dereference(eval(node)));
    case Kind::kString: {
      const std::string_view text = tree_.text(node);
      const bool is_short = text.size() > 2 && (text[0] == '"' || text[0] == '\'');
      return is_short ? annotation_text(text.substr(1, text.size() - 2)) : kUnknownValue;
    }
    case Kind::kNone: return kNoneValue;
    case Kind::kSubscript:
    case Kind::kOther: return generic(node);  // generic_type, union_type
    case Kind::kBinaryOperator: {
      Value value = kNothingValue;
      for (NodeIndex part = node + 1; part < at(node).past; part = at(part).past) {
        value = join(value, annotation(part));
      }
      return value;
    }
    default: return kUnknownValue;
  }
}

// `Optional[X]`, `Union[X, None]`, `List[X]`, `Tuple[X, Y]`; the first child is the word.
Value Evaluator::generic(NodeIndex node) {
  std::vector<Value> parts;
  const NodeIndex head = tree_.first_child(node);
  if (head != kNoNode) {
    for (NodeIndex part = at(head).past; part < at(node).past;) {
      const bool is_wrapper = at(part).kind == Kind::kTypeParameter;
      if (!is_wrapper) parts.push_back(annotation(part));
      part = is_wrapper ? part + 1 : at(part).past;
    }
  }
  if (head == kNoNode || parts.empty()) return kUnknownValue;
  std::string_view word = tree_.text(head);
  word = word.substr(word.rfind('.') + 1);
  if (word == "Optional" || word == "Union" || word == "Annotated" || word == "Final") {
    Value value = kNothingValue;
    for (const Value& part : parts) value = join(value, part);
    return word == "Annotated" ? parts.front() : value;
  }
  if (word == "List" || word == "list" || word == "Sequence" || word == "Iterable" ||
      word == "Iterator") {
    return list_of(parts.front());
  }
  if (word == "Tuple" || word == "tuple") return tuple_of(std::move(parts));
  if (word == "Dict" || word == "dict" || word == "Mapping") return instance(known::kDict);
  return kUnknownValue;
}

// A forward reference: "torch.Tensor", "Net".
Value Evaluator::annotation_text(std::string_view text) {
  Value value = kUnknownValue;
  bool is_first = true;
  for (const std::string_view word : split(text, '.')) {
    const NameId id = names_.add_view(word);
    if (is_first) {
      const std::uint32_t last = bindings_.last.find(0, id);
      value = last != kNoIndex ? variable(last) : unbound(id);
      is_first = false;
    } else {
      value = member(value, id).value;
    }
  }
  return instance_of(dereference(value));
}

// A class named in an annotation, or called.
Value Evaluator::instance_of(Value value) {
  if (!value.is(Tag::kName)) return kUnknownValue;
  const std::string_view text = names_[value.id];
  if (text.starts_with("builtins.")) {
    const NameId plain = names_.find(text.substr(9));
    const bool is_type = plain != kNoName && plain >= known::kStr && plain <= known::kDict;
    return is_type ? instance(plain) : kUnknownValue;
  }
  if (const Symbol* const own = symbol(value.id)) {
    return own->kind == SymbolKind::kClass ? instance(value.id) : kUnknownValue;
  }
  const ApiType& known_type = api(value.id);
  if (known_type.is_class) {
    return derives_from(value.id, known::kTensor) ? instance(known::kTensor) : instance(value.id);
  }
  if (known_type.is_known()) return kUnknownValue;
  const std::string_view word = text.substr(text.rfind('.') + 1);
  const bool looks_like_class = !word.empty() && word.front() >= 'A' && word.front() <= 'Z';
  const bool is_special = text.starts_with("typing.") || text.starts_with("collections.");
  return looks_like_class && !is_special ? instance(value.id) : kUnknownValue;
}

}  // namespace godwit::project
