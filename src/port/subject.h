// Subject: one module as the rules see it: its tree, its scopes and what each name in it is bound
// to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "project/module.h"
#include "syntax/tree.h"

namespace godwit::port {

using project::Module;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

/// Scopes by number; 0 is the module. Class bodies are scopes, as in Python.
using ScopeNumber = std::uint32_t;

class Subject {
 public:
  Subject(const Module& module, std::uint32_t index);

  const Module& module() const { return *module_; }
  const syntax::Tree& tree() const { return module_->tree(); }
  const syntax::Node& operator[](NodeIndex node) const { return tree()[node]; }
  std::string_view text(NodeIndex node) const { return tree().text(node); }
  std::uint32_t index() const { return index_; }

  ScopeNumber scope_of(NodeIndex node) const { return scope_of_[node]; }
  /// The function, class or lambda node of a scope; kNoNode for the module.
  NodeIndex scope_node(ScopeNumber scope) const { return scopes_[scope].node; }
  ScopeNumber parent(ScopeNumber scope) const { return scopes_[scope].parent; }
  bool is_class(ScopeNumber scope) const { return scopes_[scope].is_class; }
  /// The scope opened by a function or class definition.
  ScopeNumber opened_by(NodeIndex definition) const;
  /// The scope that binds `name` as seen from `from`, or nothing: a builtin or a star import.
  std::optional<ScopeNumber> binder(std::string_view name, ScopeNumber from) const;

  /// Qualified name of the function of a call: "torch.load", "torch.Tensor.to", ".to" for a method
  /// of something unknown; empty when nothing is known, as for f()().
  std::string_view callee(NodeIndex call) const;
  /// The use whose whole dotted name is this node, or null.
  const project::Use* use_at(NodeIndex node) const;

  /// `torch.backends.cudnn` as such, not through a name of its own.
  bool is_written_in_full(NodeIndex dotted) const { return text(dotted).starts_with("torch."); }
  /// The first name of a dotted expression is bound by an import.
  bool is_imported(NodeIndex expression) const;

  std::vector<NodeIndex> children(NodeIndex node) const;
  /// Number of the node among its siblings, from 0; kFarPosition past the 1,024th, where no
  /// argument has a meaning by its number and counting for each would take squared time.
  int position(NodeIndex node) const;
  static constexpr int kFarPosition = 1 << 20;
  /// Source text between the end of `a` and the begin of `b`: operators and commas.
  std::string_view between(NodeIndex a, NodeIndex b) const;
  bool is_in(NodeIndex node, NodeIndex ancestor) const {
    return node >= ancestor && node < tree()[ancestor].past;
  }

 private:
  using Words = std::vector<std::string_view>;  // sorted once all are there
  struct Scope {
    NodeIndex node = kNoNode;
    ScopeNumber parent = 0;
    bool is_class = false;
    Words bound{};
    Words global{};
  };
  void number_scopes();
  void bind_names();
  void sort_names();
  void bind(NodeIndex target, ScopeNumber scope);
  void bind_parameters(NodeIndex parameters, ScopeNumber scope);

  const Module* module_;
  std::uint32_t index_;
  std::vector<Scope> scopes_;
  std::vector<ScopeNumber> scope_of_;
  std::unordered_set<std::string_view> imported_;
  std::unordered_map<NodeIndex, ScopeNumber> opened_;
  // The uses of the module stand in the order of their nodes; these are those that are called.
  std::vector<std::pair<NodeIndex, std::uint32_t>> by_call_;
};

}  // namespace godwit::port
