// ReduceSum by the trees of the vector unit.
#include "exec/reduce.h"

namespace godwit::exec::sequences {

extern const Sequence reduce_sum = {.op = "ReduceSum",
                                    .run = [](ChipStep& step) { return reduce(step, false); }};

}  // namespace godwit::exec::sequences
