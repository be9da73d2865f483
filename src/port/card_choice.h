// Card choice: places of a module that name one card by its number, which several processes cannot
// share.
#pragma once

#include <set>
#include <vector>

#include "port/training.h"

namespace godwit::port {

/// Adds a doubt for each place that would put all processes on the same card, or on one that is
/// not theirs. `cuda:0` as a text is none: it becomes the card of the process.
class CardChoice {
 public:
  CardChoice(const std::vector<Subject>& subjects, Flow& flow);
  void add_doubts(const Subject& subject, std::vector<Doubt>& doubts);

 private:
  void add_calls(const Subject& subject, std::vector<Doubt>& doubts);

  Flow& flow_;
  std::set<SlotId> numbers_;  // Slots::whole of what holds a whole number
};

}  // namespace godwit::port
