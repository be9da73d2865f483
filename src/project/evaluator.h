// Evaluator: what expressions of one module are, on demand and remembered.
//
// Every node has one value. A name is worth what its reaching bindings agree on; a cycle (x = f(x)
// in a loop) is first taken for nothing, and the result must then confirm itself. Recursion is
// bounded: past a depth, or past a number of steps, the answer is unknown.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "project/api_types.h"
#include "project/module_data.h"
#include "project/program.h"
#include "project/types.h"
#include "project/value.h"

namespace godwit::project {

/// An attribute looked up: its value, and the qualified name it goes by (kNoName: unknown).
struct Member {
  Value value = kUnknownValue;
  NameId name = kNoName;
};

class Evaluator {
 public:
  Evaluator(Module::Data& data, const Program& program);

  Value eval(syntax::NodeIndex node);
  /// The attribute `word` of a value; `flags` of a name are handed on.
  Member member(Value object, NameId word);
  /// A name that stands for a variable of the project is worth that variable.
  Value dereference(Value value);
  /// What iterating over a value gives.
  Value element(Value value);
  Value returns(std::uint32_t scope);
  Value attribute_binding(std::uint32_t last);
  Value variable(std::uint32_t last);
  /// The class or function scope of this module or another that a name stands for, or null.
  const Symbol* symbol(NameId name);
  const ApiType& api(NameId name);
  NameId canonical(NameId name);

  Type type_of_instance(NameId class_name);
  Type type_of_name(NameId id);
  bool is_module_class(NameId name) { return derives_from(name, known::kModule); }
  bool derives_from(NameId name, NameId base);

  /// Resolved bases of all classes of the module, for the summary.
  std::vector<std::vector<NameId>> bases();
  /// To be called once all bases are known: what was found without them does not count.
  void know_bases();
  /// This module's value in the program's numbers, and back.
  Value to_program(Value value, Program& program);
  Value from_program(Value value);

  /// Forgets what may change when other modules are known better; call between rounds.
  void forget();

  std::vector<bool> tensor_parameters{};  // by binding: the body hands it to a tensor operator

 private:
  friend class UseFinder;
  friend class CallSites;
  static constexpr int kMostDepth = 200;

  // evaluator.cc
  template <class Compute>
  Value remember(std::size_t cell, Compute compute);
  Value compute(syntax::NodeIndex node);
  Value join(Value a, Value b);
  Value identifier(syntax::NodeIndex node);
  Value unbound(NameId word);
  Value outside_star(NameId word);
  Value binding(const Binding& binding);
  Value own_name(ScopeId scope);
  // flow.cc
  struct Reached {  // bindings, the last first
    static constexpr std::size_t kMost = 64;
    std::array<std::uint32_t, kMost + 1> items;
    std::size_t count = 0;
    bool is_full() const { return count > kMost; }
    void add(std::uint32_t binding) { items[count++] = binding; }
  };
  void reaching(syntax::NodeIndex node, ScopeId scope, bool runs_here, std::uint32_t last,
                Reached& out);
  std::uint32_t last_before(syntax::NodeIndex node, std::uint32_t last);
  bool is_exclusive(const Binding& binding, syntax::NodeIndex node) const;
  void add_loop_carried(syntax::NodeIndex node, ScopeId scope, syntax::NodeIndex dominating,
                        std::uint32_t last, Reached& out) const;
  // targets.cc
  Value assigned(syntax::NodeIndex statement, syntax::NodeIndex target);
  Value unpack(Value value, syntax::NodeIndex pattern, syntax::NodeIndex target);
  Value item(Value value, std::size_t index);
  Value parameter(const Binding& binding);
  Value from_call_sites(const Binding& binding, std::uint32_t index);
  Value annotation(syntax::NodeIndex node);
  Value annotation_at(syntax::NodeIndex node);
  Value generic(syntax::NodeIndex node);
  Value annotation_text(std::string_view text);
  Value instance_of(Value value);
  bool is_container_of_modules(NameId class_name);
  // expressions.cc
  Value call(syntax::NodeIndex node);
  Value call_name(syntax::NodeIndex node, Value function);
  Value call_instance(Value function);
  Value super_of(syntax::NodeIndex node);
  Value from_text(const TypeText& type, syntax::NodeIndex call);
  Value special(std::string_view name, syntax::NodeIndex call, bool& is_special);
  Value reduced(syntax::NodeIndex call);
  Value comparison(const std::vector<syntax::NodeIndex>& parts);
  Value arithmetic(const std::vector<syntax::NodeIndex>& parts);
  Value integer_result(const std::vector<syntax::NodeIndex>& parts);
  Value subscript(syntax::NodeIndex node);
  Value operators(syntax::NodeIndex node);
  Value sequence(syntax::NodeIndex node);
  Value comprehension(syntax::NodeIndex node);
  syntax::NodeIndex argument(syntax::NodeIndex call, std::string_view keyword, int position) const;
  // members.cc
  Member member_of_name(Value object, NameId word);
  Member member_of_instance(NameId class_name, NameId word);
  Member member_of_class(NameId class_name, NameId word, bool& is_open);
  Member own_member(const Symbol& found, NameId id);
  Value returns_of(const Symbol& function);
  Value symbol_value(const Symbol& found, NameId id);
  std::uint32_t last_of(std::uint32_t binding) const;
  std::uint32_t last_attribute_of(std::uint32_t attribute) const;
  Value foreign(const IndexedValues& values, std::uint32_t index);
  std::vector<NameId> bases_of(const Symbol& class_symbol);
  NameId own_id(NameId program_id);

  Value name(NameId id, std::uint8_t flags = 0) const { return {Tag::kName, flags, id}; }
  Value instance(NameId id) const { return {Tag::kInstance, 0, id}; }
  Value list_of(Value item);
  Value tuple_of(std::vector<Value> items);
  ScopeId scope_of(syntax::NodeIndex node);
  const syntax::Node& at(syntax::NodeIndex node) const { return tree_[node]; }
  syntax::NodeIndex child(syntax::NodeIndex node, syntax::Field field) const {
    return tree_.child(node, field);
  }

  Module::Data& data_;
  const Program& program_;
  const syntax::Tree& tree_;
  const Bindings& bindings_;
  Names& names_;
  NameId own_dotted_;

  // By node; then attributes of classes, variables of modules and classes, single bindings.
  Memo memo_;
  Tuples tuples_;
  std::unordered_map<std::uint64_t, std::uint32_t> tuple_ids_;  // by hash of the items
  int depth_ = 0;
  int lowest_busy_ = 0;  // depth of the outermost cycle that was met
  std::uint64_t steps_left_ = 0;
  std::size_t near_scope_ = 0;  // place in Bindings::entered of the last answer
  bool is_open_ = false;        // what is being computed rests on other modules

  std::vector<NameId> canonical_;  // by name
  std::vector<bool> has_symbol_;   // by name: asked already
  std::vector<const Symbol*> symbols_;
  std::vector<const ApiType*> apis_;  // by name: null when not asked
  std::deque<ApiType> known_apis_;
  std::unordered_map<std::uint64_t, bool> derives_;  // class and base
  struct Chain {
    std::vector<std::uint32_t> bindings;    // of one name, the last first
    std::vector<syntax::NodeIndex> begins;  // the least `from` of each and those after it
  };
  std::unordered_map<std::uint32_t, Chain> long_chains_;  // by the last binding
  std::unordered_map<NameId, Value> stars_;
  std::vector<NameId> program_ids_;             // by name: its number in the program
  std::unordered_map<NameId, NameId> own_ids_;  // and back, for the few that are asked
};

}  // namespace godwit::project
