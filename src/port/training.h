// Training: what a project trains, with what, and where: batch loops, loaders, models, optimizers.
//
// Nothing is guessed: what is not shown becomes a doubt with its place, and a program with a doubt
// is not taken to several cards.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "port/call_graph.h"

namespace godwit::port {

/// Why a program stays on one card. `variant` names the message of P070.
struct Doubt {
  const Subject* subject = nullptr;
  NodeIndex node = kNoNode;
  std::string_view variant{};
  std::string name{};
};

/// A loop over batches.
struct BatchLoop {
  const Subject* subject = nullptr;
  NodeIndex loop = kNoNode;
  NodeIndex loader = kNoNode;  // the expression that is iterated, without enumerate and the like
  bool draws = false;          // rounds are counted, and each takes its batch by next()
  NodeIndex epoch = kNoNode;   // the variable of an epoch loop around it in the same function
  NodeIndex model = kNoNode;   // the trained model as the loop names it, when it names one only
};

struct Site {
  const Subject* subject = nullptr;
  NodeIndex node = kNoNode;
};

struct Loader {
  const Subject* subject = nullptr;
  NodeIndex call = kNoNode;  // DataLoader(...)
  bool trains = false, evaluates = false;
  std::vector<Site> readers{};  // loops that evaluate with it
  // Of {x: DataLoader(…) for x in …}: the variable, and the key whose loader trains.
  NodeIndex key = kNoNode;
  std::string trained_key{};
  std::vector<std::string> read_keys{};  // of loops that only read; "": any
};

/// A model without DataParallel: where its optimizer is made.
struct SingleModel {
  const Subject* subject = nullptr;
  NodeIndex model = kNoNode;      // the expression in front of .parameters()
  NodeIndex statement = kNoNode;  // that makes the optimizer
};

/// The program of one entry script, and what it trains.
struct TrainingProgram {
  const Subject* entry = nullptr;
  NodeIndex start = kNoNode;              // the statement in front of which the group is joined
  std::vector<const Subject*> modules{};  // that it imports, itself included
  std::vector<BatchLoop> loops{};
  std::vector<Loader> loaders{};
  std::vector<SingleModel> models{};
  std::vector<Site> parallel{};   // nn.DataParallel(...)
  std::vector<Site> iterators{};  // iter(loader) of loops that draw their batches by next()
  std::vector<Site> cycles{};     // the loader in cycle(loader), which goes through it for ever
  std::vector<Site> sums{};       // losses that add up over a batch
  std::vector<Doubt> doubts{};
  bool trains = false;
  bool is_distributed = false;  // it joins a process group itself
};

/// All programs of the project; those that do not train have their modules only. Asks the flow, so
/// it must run before that is frozen.
std::vector<TrainingProgram> find_training(const project::Project& project,
                                           const std::vector<Subject>& subjects, Flow& flow);

}  // namespace godwit::port
