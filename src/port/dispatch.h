// Dispatch: which rules want to see which uses, literals and files, found without asking each rule.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "port/rule.h"

namespace godwit::port {

class Dispatch {
 public:
  Dispatch();
  /// Rules for the qualified name of a use, each once, in the order of their codes.
  std::vector<const Rule*> for_use(std::string_view name) const;
  std::vector<const Rule*> for_string(std::string_view content) const;
  std::vector<const Rule*> for_file(project::FileKind kind) const;

 private:
  using Rules = std::vector<const Rule*>;
  std::unordered_map<std::string_view, Rules> exact_;            // "torch.load"
  std::unordered_map<std::string_view, Rules> method_;           // "cuda" of ".cuda"
  std::vector<std::pair<std::string_view, const Rule*>> below_;  // "torch.cuda." of "torch.cuda.*"
  std::vector<std::pair<std::string_view, const Rule*>> words_;
};

/// Holds the values of a module that its guard keeps; for all modules before any rule runs.
void hold_values(const Subject& subject, World& world);

/// Runs every rule over one module.
void run_rules(const Subject& subject, World& world, const Dispatch& dispatch,
               std::vector<Change>& changes, std::vector<diag::Finding>& left);
void run_rules(const Script& script, World& world, const Dispatch& dispatch,
               std::vector<Change>& changes, std::vector<diag::Finding>& left);

}  // namespace godwit::port
