// Card choice: places of a module that name one card by its number, which several processes cannot
// share.
#pragma once

#include <vector>

#include "port/training.h"

namespace godwit::port {

/// Adds a doubt for each place that would put all processes on the same card, or on one that is
/// not theirs. `cuda:0` as a text is none: it becomes the card of the process.
void add_card_doubts(const Subject& subject, std::vector<Doubt>& doubts);

}  // namespace godwit::port
