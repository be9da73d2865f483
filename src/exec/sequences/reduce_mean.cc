// ReduceMean by the trees of the vector unit.
#include "exec/reduce.h"

namespace godwit::exec::sequences {

extern const Sequence reduce_mean = {.op = "ReduceMean",
                                     .run = [](ChipStep& step) { return reduce(step, true); }};

}  // namespace godwit::exec::sequences
