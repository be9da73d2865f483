// Symbols: what each symbol and field number of the Python grammar is to us, looked up once.
#pragma once

#include <cstdint>
#include <vector>

#include "syntax/kinds.h"

namespace godwit::syntax {

/// Indexed by the grammar's own numbers.
struct Symbols {
  std::vector<Kind> kinds{};
  std::vector<std::uint8_t> is_recorded{};  // named, and not a piece that no rule asks for
  std::vector<Field> fields{};
};

const Symbols& python_symbols();

}  // namespace godwit::syntax
