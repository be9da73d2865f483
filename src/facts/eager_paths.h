// The two paths of one row of api/aten.tsv, evaluated for a chip: inside of eager mode only.
#pragma once

#include <string>
#include <vector>

#include "facts/eager.h"
#include "facts/tables.h"

namespace godwit::facts {

/// What one path needs, and how much of it is there.
struct Path {
  std::string state = "none";          // none, yes, no, partial, aicpu, unknown
  std::vector<std::string> missing{};  // APIs or operators without a kernel
  std::vector<std::string> dtypes{};
  std::vector<Evidence> evidence{};
};

/// aclop: operators that are compiled on line. `state` says whether their kernels are registered.
Result<Path> aclop_path(const Table& aten, std::size_t row, const Soc& soc, const EagerOptions& o);

/// aclnn: `state` is the promise of the pages; `missing` are the APIs without a kernel.
Result<Path> aclnn_path(const Table& aten, std::size_t row, const Soc& soc, const EagerOptions& o);

/// True when "all", "v2.1+", "v2.1..v2.6" or "v2.1|v2.2" holds the torch version; an empty
/// version is held by every cell that is not empty.
bool covers_torch(std::string_view versions, std::string_view torch);

/// Forgets what overload_verdict has kept; forget_tables calls it.
void forget_verdicts();

}  // namespace godwit::facts
