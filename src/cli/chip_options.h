// Chip options: how the chip of a run stores, rounds and adds, as run and verify take it.
#pragma once

#include <initializer_list>
#include <vector>

#include "cli/command.h"
#include "exec/session.h"

namespace godwit::cli {

/// `before`, the options of the chip, `after`.
std::vector<Option> with_chip_options(std::initializer_list<Option> before,
                                      std::initializer_list<Option> after);

exec::ChipWords chip_options(const Arguments& arguments);

}  // namespace godwit::cli
