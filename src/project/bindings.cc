// One pass over the flat tree: scopes and conditional regions are two stacks, the rest is a switch.
#include "project/bindings.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::project {
namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::Node;
using syntax::NodeIndex;
using syntax::Tree;

struct Target {
  BindingKind kind = BindingKind::kAssigned;
  NodeIndex statement = 0;
  NodeIndex from = 0;
  NodeIndex region = kNoNode;  // kNoNode: where the pass stands
};

class Binder {
 public:
  Binder(const Tree& tree, Names& names) : tree_(tree), names_(names) {}

  Bindings run() {
    const auto count = static_cast<NodeIndex>(tree_.nodes().size());
    out_.words.assign(count, kNoName);
    add_scope(Scope::Kind::kModule, 0, kNoName, {.body = 0, .past = count});
    enter_scope(0);
    for (NodeIndex node = 0; node < count; ++node) {
      while (node >= open_.back().past) open_.pop_back();
      while (node >= regions_.back().past) regions_.pop_back();
      while (!pending_.empty() && out_.infos[pending_.back()].body == node) {
        enter_scope(pending_.back());
        pending_.pop_back();
      }
      visit(node);
    }
    // They stay for long: what growing reserved is a third of them.
    out_.bindings.shrink_to_fit();
    out_.attributes.shrink_to_fit();
    out_.scopes.shrink_to_fit();
    out_.infos.shrink_to_fit();
    return std::move(out_);
  }

 private:
  struct Open {
    std::uint32_t id;
    NodeIndex past;
  };

  const Node& at(NodeIndex node) const { return tree_[node]; }
  ScopeId scope() const { return open_.back().id; }

  NameId word(NodeIndex identifier) {
    NameId& id = out_.words[identifier];
    if (id == kNoName) id = names_.add_view(tree_.text(identifier));
    return id;
  }

  void visit(NodeIndex node) {
    switch (at(node).kind) {
      case Kind::kIdentifier: word(node); break;
      case Kind::kBlock: block(node); break;
      case Kind::kAssignment: assignment(node); break;
      case Kind::kAugmentedAssignment:
        bind_targets(tree_.child(node, Field::kLeft),
                     {BindingKind::kAugmented, node, at(node).past});
        break;
      case Kind::kNamedExpression:
        bind_targets(tree_.child(node, Field::kName),
                     {BindingKind::kAssigned, node, at(node).past});
        break;
      case Kind::kFunctionDefinition:
      case Kind::kClassDefinition:
      case Kind::kLambda: definition(node); break;
      case Kind::kListComprehension:
      case Kind::kSetComprehension:
      case Kind::kDictComprehension:
      case Kind::kGeneratorExpression:
        enter_scope(add_scope(Scope::Kind::kComprehension, node, kNoName,
                              {.body = node, .past = at(node).past}));
        break;
      case Kind::kFor: loop(node); break;
      case Kind::kForInClause:
        bind_targets(tree_.child(node, Field::kLeft), {BindingKind::kLoop, node, 0});
        break;
      case Kind::kAsPattern: as_pattern(node); break;
      case Kind::kCasePattern: case_pattern(node); break;
      case Kind::kImportStatement:
      case Kind::kImportFromStatement: import(node); break;
      case Kind::kGlobal:
      case Kind::kNonlocal: global(node); break;
      case Kind::kReturn:
        function_info([&](ScopeInfo& info) { info.returns.push_back(node); });
        break;
      case Kind::kYield: function_info([](ScopeInfo& info) { info.is_generator = true; }); break;
      case Kind::kIf: main_guard(node); break;
      default: break;
    }
  }

  ScopeId add_scope(Scope::Kind kind, NodeIndex node, NameId name, ScopeInfo info) {
    const auto id = static_cast<ScopeId>(out_.scopes.size());
    const ScopeId parent = open_.empty() ? 0 : scope();
    out_.scopes.push_back({kind, node, parent, name});
    out_.infos.push_back(std::move(info));
    return id;
  }

  void enter_scope(ScopeId id) {
    open_.push_back({id, out_.infos[id].past});
    out_.entered.push_back(id);
    regions_.push_back({out_.infos[id].body, out_.infos[id].past});
  }

  // The body of a `with` always runs, the others may not.
  void block(NodeIndex node) {
    switch (at(at(node).parent).kind) {
      case Kind::kIf:
      case Kind::kElif:
      case Kind::kElse:
      case Kind::kFor:
      case Kind::kWhile:
      case Kind::kTry:
      case Kind::kExcept:
      case Kind::kCaseClause: regions_.push_back({node, at(node).past}); break;
      default: break;
    }
  }

  template <class Change>
  void function_info(Change change) {
    for (ScopeId id = scope(); id != 0; id = out_.scopes[id].parent) {
      if (out_.scopes[id].kind == Scope::Kind::kFunction) return change(out_.infos[id]);
    }
  }

  void main_guard(NodeIndex node) {
    const NodeIndex condition = tree_.child(node, Field::kCondition);
    if (condition == kNoNode || scope() != 0) return;
    const std::string_view text = tree_.text(condition);
    if (contains(text, "__name__") && contains(text, "__main__")) out_.is_entry_script = true;
  }

  void add(NodeIndex identifier, const Target& target, std::uint32_t detail = kNoIndex,
           ScopeId where = kNoIndex) {
    const NameId name = word(identifier);
    if (where == kNoIndex) where = scope();
    if (const std::uint32_t other = redirected_.find(where, name); other != kNoIndex) where = other;
    const auto index = static_cast<std::uint32_t>(out_.bindings.size());
    out_.bindings.push_back(
        {.kind = target.kind,
         .name = name,
         .scope = where,
         .node = identifier,
         .statement = target.statement,
         .region = target.region == kNoNode ? regions_.back().id : target.region,
         .from = target.from,
         .detail = detail,
         .before = out_.last.find(where, name)});
    out_.last.set(where, name, index);
  }

  // Identifiers inside patterns are bound; `a.b` and `a[i]` are not names.
  void bind_targets(NodeIndex pattern, const Target& target) {
    if (pattern == kNoNode) return;
    for (NodeIndex node = pattern; node < at(pattern).past;) {
      switch (at(node).kind) {
        case Kind::kIdentifier:
          add(node, target);
          ++node;
          break;
        case Kind::kPatternList:
        case Kind::kTuplePattern:
        case Kind::kListSplat:
        case Kind::kParenthesized:
        case Kind::kAsPatternTarget:
        case Kind::kTuple:
        case Kind::kList:
        case Kind::kExpressionList: ++node; break;
        case Kind::kAttribute:
          attribute(node, target);
          node = at(node).past;
          break;
        default: node = at(node).past; break;
      }
    }
  }

  void attribute(NodeIndex node, const Target& target) {
    const NodeIndex object = tree_.child(node, Field::kObject);
    const NodeIndex member = tree_.child(node, Field::kAttribute);
    if (object == kNoNode || member == kNoNode || at(object).kind != Kind::kIdentifier) return;
    const NameId name = word(object);
    for (ScopeId id = scope(); id != 0; id = out_.scopes[id].parent) {
      if (out_.infos[id].self != name) continue;
      const ScopeId owner = out_.scopes[id].parent;
      const auto index = static_cast<std::uint32_t>(out_.attributes.size());
      out_.attributes.push_back({owner, word(member), node, target.statement,
                                 out_.last_attribute.find(owner, word(member))});
      out_.last_attribute.set(owner, word(member), index);
      return;
    }
  }

  void assignment(NodeIndex node) {
    bind_targets(tree_.child(node, Field::kLeft), {BindingKind::kAssigned, node, at(node).past});
  }

  void loop(NodeIndex node) {
    const NodeIndex body = tree_.child(node, Field::kBody);
    if (body == kNoNode) return;
    bind_targets(tree_.child(node, Field::kLeft), {BindingKind::kLoop, node, body, body});
  }

  void as_pattern(NodeIndex node) {
    const NodeIndex parent = at(node).parent;
    const bool is_with = at(parent).kind == Kind::kWithItem;
    const Target target{is_with ? BindingKind::kWith : BindingKind::kOther, node, at(node).past,
                        at(parent).kind == Kind::kExcept ? parent : kNoNode};
    for (NodeIndex child = node + 1; child < at(node).past; child = at(child).past) {
      if (at(child).field == Field::kAlias || at(child).kind == Kind::kAsPatternTarget) {
        bind_targets(child, target);
      }
    }
  }

  // A bare name in a pattern captures.
  void case_pattern(NodeIndex node) {
    const NodeIndex only = tree_.first_child(node);
    if (only == kNoNode || at(only).kind != Kind::kDottedName) return;
    if (at(only).past == only + 2) add(only + 1, {BindingKind::kOther, node, at(node).past});
  }

  void global(NodeIndex node) {
    ScopeId target = 0;
    if (at(node).kind == Kind::kNonlocal) target = out_.scopes[scope()].parent;
    for (NodeIndex child = node + 1; child < at(node).past; child = at(child).past) {
      if (at(child).kind == Kind::kIdentifier) redirected_.set(scope(), word(child), target);
    }
  }

  void definition(NodeIndex node) {
    const NodeIndex body = tree_.child(node, Field::kBody);
    if (body == kNoNode) return;
    const NodeIndex name = tree_.child(node, Field::kName);
    const bool is_class = at(node).kind == Kind::kClassDefinition;
    NameId qualified = kNoName;
    if (name != kNoNode) {
      const NameId outer = out_.scopes[scope()].name;
      qualified = outer == kNoName ? word(name) : names_.join(outer, word(name));
    }
    const auto kind = is_class                         ? Scope::Kind::kClass
                      : at(node).kind == Kind::kLambda ? Scope::Kind::kLambda
                                                       : Scope::Kind::kFunction;
    const ScopeId id = add_scope(kind, node, qualified, {.body = body, .past = at(body).past});
    if (name != kNoNode) {
      add(name, {is_class ? BindingKind::kClass : BindingKind::kFunction, node, at(node).past}, id);
    }
    if (!is_class) parameters(node, id);
    if (kind == Scope::Kind::kFunction) method(node, id);
    pending_.push_back(id);
  }

  void parameters(NodeIndex node, ScopeId id) {
    const NodeIndex list = tree_.child(node, Field::kParameters);
    if (list == kNoNode) return;
    ScopeInfo& info = out_.infos[id];
    info.first_parameter = static_cast<std::uint32_t>(out_.bindings.size());
    for (NodeIndex child = list + 1; child < at(list).past; child = at(child).past) {
      const NodeIndex name = parameter_name(child);
      if (name == kNoNode) continue;
      const Target target{BindingKind::kParameter, child, info.body, info.body};
      add(name, target, info.parameter_count++, id);
    }
  }

  NodeIndex parameter_name(NodeIndex parameter) const {
    switch (at(parameter).kind) {
      case Kind::kIdentifier: return parameter;
      case Kind::kDefaultParameter:
      case Kind::kTypedDefaultParameter: {
        const NodeIndex name = tree_.child(parameter, Field::kName);
        return name != kNoNode && at(name).kind == Kind::kIdentifier ? name : kNoNode;
      }
      case Kind::kListSplat:
      case Kind::kDictSplat:
      case Kind::kTypedParameter: {
        NodeIndex first = tree_.first_child(parameter);
        if (first != kNoNode && at(first).kind != Kind::kIdentifier)
          first = tree_.first_child(first);
        return first != kNoNode && at(first).kind == Kind::kIdentifier ? first : kNoNode;
      }
      default: return kNoNode;
    }
  }

  void method(NodeIndex node, ScopeId id) {
    ScopeInfo& info = out_.infos[id];
    if (at(node).parent != kNoNode && at(at(node).parent).kind == Kind::kDecoratedDefinition) {
      const NodeIndex decorated = at(node).parent;
      for (NodeIndex child = decorated + 1; child < node; child = at(child).past) {
        const std::string_view text = trim(tree_.text(child).substr(1));
        info.is_static = info.is_static || text == "staticmethod";
        info.is_class_method = info.is_class_method || text == "classmethod";
        info.is_property = info.is_property || text.ends_with("property");
      }
    }
    const bool in_class = out_.scopes[out_.scopes[id].parent].kind == Scope::Kind::kClass;
    if (!in_class || info.is_static || info.parameter_count == 0) return;
    info.self = out_.bindings[info.first_parameter].name;
  }

  void import(NodeIndex node) {
    RawImport raw;
    const NodeIndex module = tree_.child(node, Field::kModuleName);
    if (module != kNoNode) {
      raw.module = tree_.text(module);
      while (raw.module.starts_with('.')) {
        ++raw.level;
        raw.module = trim(raw.module.substr(1));
      }
    }
    const bool is_from = at(node).kind == Kind::kImportFromStatement;
    for (NodeIndex child = node + 1; child < at(node).past; child = at(child).past) {
      if (at(child).kind == Kind::kWildcardImport) {
        add_import(node, child, raw, kNoNode);
      } else if (at(child).field == Field::kName) {
        imported_name(node, child, raw, is_from);
      }
    }
  }

  void imported_name(NodeIndex statement, NodeIndex node, RawImport raw, bool is_from) {
    NodeIndex name = node;
    NodeIndex bound = kNoNode;
    if (at(node).kind == Kind::kAliasedImport) {
      name = tree_.child(node, Field::kName);
      bound = tree_.child(node, Field::kAlias);
    }
    if (name == kNoNode || tree_.first_child(name) == kNoNode) return;
    if (is_from) {
      raw.member = tree_.text(name);
    } else {
      // `import a.b` binds a; `import a.b as c` binds c to a.b.
      raw.module = tree_.text(name);
      const std::size_t dot = raw.module.find('.');
      if (bound == kNoNode && dot != std::string_view::npos) {
        raw.rest = raw.module.substr(dot + 1);
        raw.module = raw.module.substr(0, dot);
      }
    }
    add_import(statement, node, raw, bound == kNoNode ? name + 1 : bound);
  }

  void add_import(NodeIndex statement, NodeIndex node, const RawImport& raw, NodeIndex bound) {
    const auto index = static_cast<std::uint32_t>(out_.imports.size());
    Import import;
    import.statement = statement;
    import.node = node;
    import.scope = scope();
    import.is_star = bound == kNoNode;
    import.is_guarded = regions_.back().id != out_.infos[scope()].body;
    if (bound != kNoNode) import.bound = word(bound);
    out_.imports.push_back(import);
    out_.raw.push_back(raw);
    if (bound != kNoNode) {
      add(bound, {BindingKind::kImport, statement, at(statement).past}, index);
    }
  }

  const Tree& tree_;
  Names& names_;
  Bindings out_;
  std::vector<Open> open_;        // scopes
  std::vector<Open> regions_;     // id: the node
  std::vector<ScopeId> pending_;  // scopes whose body is still to come
  PairMap redirected_;            // names that `global` and `nonlocal` send elsewhere
};

}  // namespace

ScopeId Bindings::scope_of(NodeIndex node) const {
  const auto after =
      std::upper_bound(entered.begin(), entered.end(), node,
                       [&](NodeIndex value, ScopeId id) { return value < infos[id].body; });
  ScopeId id = *(after - 1);  // the module's own body starts at node 0
  while (id != 0 && node >= infos[id].past) id = scopes[id].parent;
  return id;
}

Bindings bind(const Tree& tree, Names& names) { return Binder(tree, names).run(); }

}  // namespace godwit::project
