// Loader roles: which loaders of a program train and which evaluate, from the loops that go through
// them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "port/batch_loops.h"
#include "port/training.h"

namespace godwit::port {

class LoaderRoles {
 public:
  /// `reached`: the functions that the program runs, by CallGraph.
  LoaderRoles(Flow& flow, const CallGraph& graph, const BatchLoops& loops,
              const std::vector<bool>& reached)
      : flow_(flow), graph_(graph), loops_(loops), reached_(reached) {}

  /// Fills trains, evaluates and keys of the loaders, the loader of each batch loop, and what is
  /// made by iter(); what cannot be told is a doubt.
  void assign(TrainingProgram& program);

 private:
  /// A loader that is a value of a dictionary, and the key it has there.
  struct Held {
    Loader* loader = nullptr;
    std::vector<SlotId> tables{};            // where the dictionary ends up
    NodeIndex key = kNoNode;                 // a text, or the variable of a comprehension
    std::optional<std::string_view> text{};  // the key; nothing: the variable
  };

  void list_tables(TrainingProgram& program);
  void read_loop(TrainingProgram& program, const Subject& subject, NodeIndex loop);
  void read_draw(TrainingProgram& program, const Subject& subject, NodeIndex call);
  bool read_table(const Subject& subject, NodeIndex source, NodeIndex loop);
  std::vector<Site> batch_loops_of(const Subject& subject, NodeIndex node) const;
  bool is_cycle(const Subject& subject, NodeIndex call) const;
  std::vector<Site> makers_of(const TrainingProgram& program, const Subject& subject,
                              NodeIndex drawn_from) const;
  void add_cycles(TrainingProgram& program, const Subject& subject, NodeIndex loop);
  bool take(TrainingProgram& program, const Subject& subject, NodeIndex source, const Site& loop);
  static void name_loader(TrainingProgram& program, const Site& loop, NodeIndex source);
  void add_sources(const Subject& subject, NodeIndex expression, int depth,
                   std::vector<NodeIndex>& out) const;
  bool is_held(const Loader& loader, SlotId slot);
  bool is_reached(const Subject& subject, NodeIndex node) const {
    return reached_[graph_.around(subject, node)];
  }

  Flow& flow_;
  const CallGraph& graph_;
  const BatchLoops& loops_;
  const std::vector<bool>& reached_;
  std::vector<Held> held_{};
};

}  // namespace godwit::port
