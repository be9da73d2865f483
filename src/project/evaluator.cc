// Values of names and nodes: memory, cycles, and the dispatch over kinds of nodes.
#include "project/evaluator.h"

#include <algorithm>
#include <utility>

#include "project/builtins.h"

namespace godwit::project {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

namespace {

constexpr int kNoCycle = 1 << 20;
constexpr std::size_t kMostReaching = 64;  // bindings of one variable or attribute

}  // namespace

Evaluator::Evaluator(Module::Data& data, const Program& program)
    : data_(data),
      program_(program),
      tree_(data.tree),
      bindings_(data.bindings),
      names_(data.names),
      own_dotted_(data.names.add_view(data.dotted)) {
  tensor_parameters.assign(bindings_.bindings.size(), false);
  const std::size_t nodes = tree_.nodes().size();
  memo_.resize(nodes + bindings_.attributes.size() + 2 * bindings_.bindings.size());
  forget();
}

void Evaluator::forget() {
  memo_.forget(Value::kOpen);
  steps_left_ = 30 * std::uint64_t{tree_.nodes().size()} + 100'000;
  lowest_busy_ = kNoCycle;
}

template <class Compute>
Value Evaluator::remember(std::size_t cell, Compute compute) {
  const Value seen = memo_[cell];
  if (seen.is(Tag::kBusy)) {
    lowest_busy_ = std::min(lowest_busy_, static_cast<int>(seen.id));
    return kNothingValue;
  }
  if (!seen.is(Tag::kUnset)) {
    is_open_ = is_open_ || (seen.flags & Value::kOpen) != 0;
    return seen;
  }
  if (depth_ >= kMostDepth) return kUnknownValue;
  // Out of steps, imports and their members are still known; what is bound otherwise is not.
  if (steps_left_ == 0 && cell >= tree_.nodes().size()) return kUnknownValue;
  if (steps_left_ > 0) --steps_left_;
  const int depth = ++depth_;
  memo_.set(cell, {Tag::kBusy, 0, static_cast<std::uint32_t>(depth)});
  const int outer = lowest_busy_;
  lowest_busy_ = kNoCycle;
  const bool was_open = std::exchange(is_open_, false);
  Value value = compute();
  for (int round = 0; lowest_busy_ == depth; ++round) {
    // The value rests on itself: it holds when computing with it gives it again.
    memo_.set(cell, value);
    lowest_busy_ = kNoCycle;
    const Value again = join(value, compute());
    if (again.same(value)) break;
    value = round < 3 ? again : kUnknownValue;
    lowest_busy_ = round < 3 ? std::min(lowest_busy_, depth) : kNoCycle;
  }
  if (value.id > Memo::kMostId) value = kUnknownValue;
  if (is_open_) value.flags |= Value::kOpen;
  is_open_ = is_open_ || was_open;
  // What rests on a cycle further out is not final.
  memo_.set(cell, lowest_busy_ < depth ? Value{} : value);
  lowest_busy_ = std::min(outer, lowest_busy_);
  --depth_;
  return value;
}

Value Evaluator::eval(NodeIndex node) {
  if (node == kNoNode) return kUnknownValue;
  return remember(node, [&] { return compute(node); });
}

Value Evaluator::compute(NodeIndex node) {
  switch (at(node).kind) {
    case Kind::kIdentifier: return identifier(node);
    case Kind::kAttribute: {
      const NodeIndex word = child(node, Field::kAttribute);
      if (word == kNoNode) return kUnknownValue;
      return member(eval(child(node, Field::kObject)), bindings_.words[word]).value;
    }
    case Kind::kCall: return call(node);
    case Kind::kSubscript: return subscript(node);
    case Kind::kString:
    case Kind::kConcatenatedString: return instance(known::kStr);
    case Kind::kInteger: return instance(known::kInt);
    case Kind::kFloat: return instance(known::kFloat);
    case Kind::kTrue:
    case Kind::kFalse:
    case Kind::kNotOperator: return instance(known::kBool);
    case Kind::kNone: return kNoneValue;
    case Kind::kDictionary:
    case Kind::kDictComprehension: return instance(known::kDict);
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kExpressionList: return sequence(node);
    case Kind::kListComprehension:
    case Kind::kGeneratorExpression: return comprehension(node);
    case Kind::kParenthesized: return eval(tree_.first_child(node));
    case Kind::kNamedExpression: return eval(child(node, Field::kValue));
    case Kind::kBinaryOperator:
    case Kind::kBooleanOperator:
    case Kind::kUnaryOperator:
    case Kind::kComparisonOperator:
    case Kind::kConditionalExpression: return operators(node);
    case Kind::kType: return eval(tree_.first_child(node));
    default: return kUnknownValue;
  }
}

// --- agreement

Value Evaluator::join(Value a, Value b) {
  if (a.is(Tag::kNothing) || a.is(Tag::kUnset)) return b;
  if (b.is(Tag::kNothing) || b.is(Tag::kUnset)) return a;
  // None has no members: where one is used, the other value is there.
  if (a.is(Tag::kNone)) return b;
  if (b.is(Tag::kNone)) return a;
  if (a.same(b)) return a.with(b.flags);
  const bool a_imported = (a.flags & Value::kImported) != 0;
  const bool b_imported = (b.flags & Value::kImported) != 0;
  if (a_imported) return a.with(Value::kRebound);
  if (b_imported) return b.with(Value::kRebound);
  if (a.is(Tag::kTuple) && b.is(Tag::kTuple) && tuples_[a.id].size() == tuples_[b.id].size()) {
    std::vector<Value> items = tuples_[a.id];
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = join(items[i], tuples_[b.id][i]);
    return tuple_of(std::move(items));
  }
  if (a.is(Tag::kList) && b.is(Tag::kList)) {
    return list_of(join(tuples_[a.id].front(), tuples_[b.id].front()));
  }
  if (!a.is(Tag::kInstance) || !b.is(Tag::kInstance)) return kUnknownValue;
  for (const NameId base : {known::kModule, known::kOptimizer, known::kScheduler, known::kTensor}) {
    if (derives_from(a.id, base) && derives_from(b.id, base)) return instance(base);
  }
  return kUnknownValue;
}

Value Evaluator::tuple_of(std::vector<Value> items) {
  std::uint64_t hash = items.size();
  for (const Value& value : items) {
    hash = (hash ^ (std::uint64_t{value.id} << 8 | static_cast<std::uint8_t>(value.tag))) *
           0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  const auto [place, is_new] = tuple_ids_.emplace(hash, static_cast<std::uint32_t>(tuples_.size()));
  if (is_new) tuples_.push_back(std::move(items));
  return {Tag::kTuple, 0, place->second};
}

Value Evaluator::list_of(Value value) {
  const Value tuple = tuple_of({value});
  return {Tag::kList, 0, tuple.id};
}

// --- names

// Sweeps go forward, so the answer is mostly that of the node before.
ScopeId Evaluator::scope_of(NodeIndex node) {
  const auto& entered = bindings_.entered;
  const auto starts_after = [&](std::size_t i) {
    return i >= entered.size() || bindings_.infos[entered[i]].body > node;
  };
  if (starts_after(near_scope_)) near_scope_ = 0;
  for (int step = 0; step < 4 && !starts_after(near_scope_ + 1); ++step) ++near_scope_;
  if (!starts_after(near_scope_ + 1)) {
    const auto after = std::upper_bound(
        entered.begin(), entered.end(), node,
        [&](NodeIndex value, ScopeId id) { return value < bindings_.infos[id].body; });
    near_scope_ = static_cast<std::size_t>(after - entered.begin()) - 1;
  }
  ScopeId id = entered[near_scope_];
  while (id != 0 && node >= bindings_.infos[id].past) id = bindings_.scopes[id].parent;
  return id;
}

Value Evaluator::identifier(NodeIndex node) {
  const NameId word = bindings_.words[node];
  if (word == kNoName) return kUnknownValue;
  const ScopeId own = scope_of(node);
  bool runs_here = true;  // not a function or lambda that runs later
  for (ScopeId scope = own;; scope = bindings_.scopes[scope].parent) {
    const bool is_seen = scope == own || bindings_.scopes[scope].kind != Scope::Kind::kClass;
    const std::uint32_t last = is_seen ? bindings_.last.find(scope, word) : kNoIndex;
    if (last != kNoIndex) {
      const Binding& only = bindings_.bindings[last];
      if (only.before == kNoIndex) return binding(only);
      Reached reached;
      reaching(node, scope, runs_here, last, reached);
      if (reached.is_full()) return kUnknownValue;
      Value value = kNothingValue;
      for (std::size_t i = reached.count; i-- > 0;) {
        value = join(value, binding(bindings_.bindings[reached.items[i]]));
      }
      return value;
    }
    if (scope == 0) return unbound(word);
    const Scope::Kind kind = bindings_.scopes[scope].kind;
    runs_here = runs_here && (kind == Scope::Kind::kComprehension || kind == Scope::Kind::kClass);
  }
}

// Neither bound here nor there: a star import brings it, or Python itself has it.
Value Evaluator::unbound(NameId word) {
  if (const auto found = stars_.find(word); found != stars_.end()) return found->second;
  Value value = kUnknownValue;
  const std::string_view text = names_[word];
  const std::string brought = program_.from_star(data_.dotted, text);
  if (!brought.empty()) {
    value = name(canonical(names_.add_copy(brought)), Value::kImported);
  } else if (is_builtin(text)) {
    value = name(names_.join(known::kBuiltins, word));
  } else {
    value = outside_star(word);
  }
  stars_.emplace(word, value);
  return value;
}

// With one star import of an outside module the name can come from nowhere else.
Value Evaluator::outside_star(NameId word) {
  Value value = kUnknownValue;
  for (std::size_t i = 0; i < bindings_.imports.size(); ++i) {
    const Import& import = bindings_.imports[i];
    if (!import.is_star || program_.has_module(names_[import.target])) continue;
    const std::uint8_t more = value.is(Tag::kName) ? Value::kRebound : 0;
    value =
        name(names_.join(import.target, word), static_cast<std::uint8_t>(Value::kImported | more));
  }
  return value;
}

Value Evaluator::own_name(ScopeId scope) {
  const NameId inner = bindings_.scopes[scope].name;
  return name(names_.join(own_dotted_, inner));
}

Value Evaluator::binding(const Binding& bound) {
  switch (bound.kind) {
    case BindingKind::kImport:
      return name(bindings_.imports[bound.detail].target, Value::kImported);
    case BindingKind::kFunction:
    case BindingKind::kClass: return own_name(bound.detail);
    default: break;
  }
  const auto index = static_cast<std::size_t>(&bound - bindings_.bindings.data());
  const std::size_t cell = memo_.size() - bindings_.bindings.size() + index;
  const Value value = remember(cell, [&] {
    return bound.kind == BindingKind::kParameter ? parameter(bound)
                                                 : assigned(bound.statement, bound.node);
  });
  // The name of an import that was assigned on is known through the assignment.
  if (!value.is(Tag::kName)) return value;
  return {Tag::kName, Value::kTyped, value.id};
}

Value Evaluator::variable(std::uint32_t last) {
  const std::size_t cell = tree_.nodes().size() + bindings_.attributes.size() + last;
  return remember(cell, [&] {
    Value value = kNothingValue;
    std::size_t seen = 0;
    for (std::uint32_t i = last; i != kNoIndex; i = bindings_.bindings[i].before) {
      if (++seen > kMostReaching) return kUnknownValue;
      value = join(binding(bindings_.bindings[i]), value);
    }
    return value;
  });
}

Value Evaluator::attribute_binding(std::uint32_t last) {
  return remember(tree_.nodes().size() + last, [&] {
    Value value = kNothingValue;
    std::size_t seen = 0;
    for (std::uint32_t i = last; i != kNoIndex; i = bindings_.attributes[i].before) {
      if (++seen > kMostReaching) return kUnknownValue;
      const AttributeBinding& bound = bindings_.attributes[i];
      value = join(assigned(bound.statement, bound.node), value);
    }
    return value;
  });
}

Value Evaluator::returns(std::uint32_t scope) {
  const NodeIndex node = bindings_.scopes[scope].node;
  if (steps_left_ == 0) return kUnknownValue;
  return remember(node, [&] {
    const ScopeInfo& info = bindings_.infos[scope];
    const Value promised = annotation(child(node, Field::kReturnType));
    if (promised.is_known()) return promised;
    if (info.is_generator) return kUnknownValue;
    Value value = kNothingValue;
    for (const NodeIndex statement : info.returns) {
      const NodeIndex result = tree_.first_child(statement);
      value = join(value, result == kNoNode ? kNoneValue : eval(result));
    }
    return info.returns.empty() ? kNoneValue : value;
  });
}

}  // namespace godwit::project
