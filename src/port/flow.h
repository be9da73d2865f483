// Flow: where a value goes in a project, and whether it can be shown to be a device or a backend.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "port/positions.h"
#include "port/slots.h"
#include "port/subject.h"
#include "project/project.h"

namespace godwit::port {

/// Where the value of an expression ends up.
struct Landing {
  enum class Where : std::uint8_t {
    kNowhere,   // a statement of its own, an operator: nothing is known
    kSlots,     // assigned, passed to a function of the project, returned, a default
    kPosition,  // an argument whose role is known
    kCompared,  // an operand of == != in, or of startswith
    kForeign,   // an argument of a call that is not known
    kKey,       // a dictionary key or an index
  };
  Where where = Where::kNowhere;
  NodeIndex top = kNoNode;  // the whole expression: 'cuda:%d' % i, ('cuda' if a else 'cpu')
  NodeIndex at = kNoNode;   // the call, comparison or statement
  std::vector<SlotId> slots{};
  const Position* position = nullptr;
  std::string_view name{};  // callee or target, for reports
  bool is_tested = false;   // chosen by a test of torch.cuda.is_available()
};

/// The value flow of a whole project, by name and without regard to order: values that can meet
/// are one group (slots.h). Attributes are told apart by name only, and so are keys.
class Flow {
 public:
  Flow(const project::Project& project, const std::vector<Subject>& subjects,
       const Positions& positions);

  Landing land(const Subject& subject, NodeIndex value);
  /// True when the expression's value is shown to be a device or backend.
  bool means(const Subject& subject, NodeIndex expression, Meaning meaning);
  /// The same for a literal by where it lands.
  bool is_shown(const Subject& subject, const Landing& landing, NodeIndex value, Meaning meaning);
  /// What the expression can hold means this; nothing happens where no slot is known.
  void mark(const Subject& subject, NodeIndex expression, Meaning meaning) {
    slots_.mark(slot(subject, expression), meaning);
  }
  /// The literal stays as it is, and with it all values that it can meet.
  void hold(const Subject& subject, NodeIndex literal);
  /// The value also meets a module that must stay as it is.
  bool is_held(const Subject& subject, const Landing& landing, NodeIndex value);
  /// Slot of an expression, or kNoSlot: f(), 'text' + x and others have none.
  SlotId slot(const Subject& subject, NodeIndex expression);
  /// The attribute that a command-line option fills: "dist-backend" is args.dist_backend.
  SlotId option_slot(std::string_view option);
  SlotId attribute(std::string_view name) {
    return slots_.at({.kind = Slots::Kind::kAttribute, .name = name});
  }
  /// The key of a table or the attribute of this name holds such a value and is held by nothing:
  /// what a configuration file gives by this key is one too.
  bool is_shown_by_key(std::string_view key, Meaning meaning);
  const project::Module* module(std::string_view dotted) const { return project_.find(dotted); }
  /// A dotted name below a module of the project.
  bool is_of_project(std::string_view dotted) const;
  /// A class of the project defines a method or property of this name.
  bool has_method(std::string_view name) const { return by_method_.contains(name); }
  const Slots& slots() const { return slots_; }
  /// Functions of the project that a call may run: the one it names, and those it is handed.
  std::vector<std::pair<const Subject*, NodeIndex>> called(const Subject& subject,
                                                           NodeIndex call) const;
  /// All is joined and held: from now on the answers are fixed and threads may ask together.
  void freeze() {
    slots_.freeze();
    is_frozen_ = true;
  }

 private:
  struct Function {
    const Subject* subject = nullptr;
    NodeIndex node = kNoNode;
    bool is_method = false;
    std::vector<std::string_view> parameters{};
  };
  struct Climb {
    NodeIndex top;
    bool is_tested;
  };

  void list_functions();
  void add_function(const Subject& subject, NodeIndex node);
  void join_all(const Subject& subject);
  void join_value(const Subject& subject, NodeIndex value);
  void join_items(const Subject& subject, NodeIndex call);
  void join_tested(const Subject& subject, NodeIndex string);
  void join_property(const Subject& subject, NodeIndex decorated);
  Climb climb(const Subject& subject, NodeIndex value) const;
  NodeIndex step(const Subject& subject, NodeIndex at) const;
  void land_argument(const Subject& subject, Landing& landing, NodeIndex call,
                     std::string_view keyword, int index);
  bool land_special(const Subject& subject, Landing& landing, NodeIndex call,
                    std::string_view callee, std::string_view keyword, int index);
  bool land_loop(const Subject& subject, Landing& landing, NodeIndex call, int index);
  void land_spawned(const Subject& subject, Landing& landing, NodeIndex call, int index);
  void land_parameters(const Subject& subject, Landing& landing, NodeIndex call,
                       std::string_view keyword, int index);
  void land_assignment(const Subject& subject, Landing& landing, NodeIndex assignment);
  std::vector<const Function*> functions_of(const Subject& subject, NodeIndex call) const;
  std::vector<const Function*> functions_named(const Subject& subject, NodeIndex function,
                                               std::string_view name) const;
  SlotId parameter(const Function& function, std::string_view name);
  SlotId variable(const Subject& subject, std::string_view name, ScopeNumber from);
  SlotId returned(const Function& function, std::string_view item = {});
  SlotId qualified(std::string_view full);
  SlotId subscript_slot(const Subject& subject, NodeIndex subscript);
  SlotId call_slot(const Subject& subject, NodeIndex call);

  const project::Project& project_;
  const std::vector<Subject>& subjects_;
  const Positions& positions_;
  Slots slots_;
  std::vector<Function> functions_;
  std::unordered_map<std::string, std::size_t> by_name_;  // "models.net.build", classes by __init__
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_method_;
  std::unordered_set<std::string> classes_;  // "config.Options"
  std::deque<std::string> options_;          // names that no source text holds
  bool is_frozen_ = false;
};

}  // namespace godwit::port
