// Names of uses: the longest dotted chain that resolves, and each member of a typed receiver.
#include "project/uses.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::project {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

class UseFinder {
 public:
  explicit UseFinder(Evaluator& evaluator) : e_(evaluator) {}

  std::vector<Use> run() {
    const auto count = static_cast<NodeIndex>(e_.tree_.nodes().size());
    for (NodeIndex node = 0; node < count; ++node) {
      switch (e_.at(node).kind) {
        case Kind::kAttribute: attribute(node); break;
        case Kind::kIdentifier: identifier(node); break;
        // The names in these are no uses.
        case Kind::kImportStatement:
        case Kind::kImportFromStatement:
        case Kind::kFutureImport:
        case Kind::kGlobal:
        case Kind::kNonlocal: node = e_.at(node).past - 1; break;
        default: break;
      }
    }
    uses_.shrink_to_fit();
    return std::move(uses_);
  }

 private:
  void identifier(NodeIndex node) {
    if (!is_read(node)) return;
    const Value value = e_.eval(node);
    if (!value.is(Tag::kName)) return;
    // An attribute of it says more.
    const auto& self = e_.at(node);
    const bool goes_on = self.field == Field::kObject &&
                         e_.at(self.parent).kind == Kind::kAttribute &&
                         e_.dereference(value).is(Tag::kName);
    if (goes_on) return;
    const bool is_imported = (value.flags & Value::kImported) != 0;
    if (is_imported || (e_.symbol(value.id) == nullptr && !is_builtin_name(value.id))) {
      add(node, value.id, proof(value));
    }
  }

  void attribute(NodeIndex node) {
    const NodeIndex object = e_.child(node, Field::kObject);
    const NodeIndex word = e_.child(node, Field::kAttribute);
    if (object == kNoNode || word == kNoNode) return;
    const Value receiver = e_.eval(object);
    const Value worth = e_.dereference(receiver);
    const NameId name = e_.bindings_.words[word];
    const Member member = e_.member(worth, name);
    if (member.name == kNoName) {
      add(node, unknown_name(name), Proof::kUnknown);
      return;
    }
    const auto& self = e_.at(node);
    const bool goes_on = self.field == Field::kObject &&
                         e_.at(self.parent).kind == Kind::kAttribute && worth.is(Tag::kName) &&
                         e_.dereference(member.value).is(Tag::kName);
    if (goes_on) return;
    add(node, member.name, worth.is(Tag::kName) ? proof(worth) : Proof::kType);
  }

  static Proof proof(Value value) {
    if ((value.flags & Value::kRebound) != 0) return Proof::kRebound;
    return (value.flags & Value::kImported) != 0 ? Proof::kImport : Proof::kType;
  }

  bool is_builtin_name(NameId id) const { return e_.names_[id].starts_with("builtins."); }

  NameId unknown_name(NameId word) {
    if (word >= unknown_.size()) unknown_.resize(e_.names_.all().size() + 64, kNoName);
    if (unknown_[word] == kNoName)
      unknown_[word] = e_.names_.add_copy("." + std::string(e_.names_[word]));
    return unknown_[word];
  }

  // Whether the identifier is looked up, not bound or the word of something else.
  bool is_read(NodeIndex node) const {
    const auto& self = e_.at(node);
    const Kind parent = e_.at(self.parent).kind;
    switch (self.field) {
      case Field::kAttribute: return parent != Kind::kAttribute;
      case Field::kName: return false;  // of a definition, a keyword argument, a default parameter
      case Field::kAlias: return false;
      case Field::kLeft: return parent == Kind::kBinaryOperator;
      default: break;
    }
    return parent != Kind::kParameters && parent != Kind::kDottedName &&
           parent != Kind::kPatternList && parent != Kind::kTuplePattern &&
           parent != Kind::kAsPatternTarget &&
           !(parent == Kind::kTypedParameter && self.field == Field::kNone);
  }

  void add(NodeIndex node, NameId name, Proof proof) {
    Use use{.name = name,
            .kind = UseKind::kReference,
            .proof = proof,
            .scope = e_.scope_of(node),
            .node = node};
    const auto& self = e_.at(node);
    const NodeIndex parent = self.parent;
    const Kind kind = e_.at(parent).kind;
    if (kind == Kind::kCall && self.field == Field::kFunction) {
      use.kind = UseKind::kCall;
      use.call = parent;
      if (e_.at(e_.at(parent).parent).kind == Kind::kDecorator) use.kind = UseKind::kDecorator;
    } else if (kind == Kind::kDecorator) {
      use.kind = UseKind::kDecorator;
    } else if (kind == Kind::kArgumentList && e_.at(parent).field == Field::kSuperclasses) {
      use.kind = UseKind::kBase;
    } else if (is_target(node)) {
      use.kind = UseKind::kAssigned;
    }
    uses_.push_back(use);
  }

  bool is_target(NodeIndex node) const {
    const auto& self = e_.at(node);
    const Kind parent = e_.at(self.parent).kind;
    if (parent == Kind::kPatternList || parent == Kind::kTuplePattern) return true;
    return self.field == Field::kLeft &&
           (parent == Kind::kAssignment || parent == Kind::kAugmentedAssignment ||
            parent == Kind::kFor);
  }

  Evaluator& e_;
  std::vector<Use> uses_;
  std::vector<NameId> unknown_;  // ".word" by word
};

std::vector<Use> find_uses(Evaluator& evaluator) { return UseFinder(evaluator).run(); }

}  // namespace godwit::project
