// The Blackman window.
#include "ops/cosine_window.h"

namespace godwit::ops::operators {

extern const Operator blackman_window = {
    .name = "BlackmanWindow",
    .doc = "0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N).",
    .since = 17,
    .inputs = kWindowInputs,
    .outputs = kWindowOutputs,
    .attributes = kWindowAttributes,
    .numerics = Numerics::kTranscendental,
    .storage = Storage::kAsStored,
    .infer = infer_window,
    .evaluate = [](Call& call) { return make_window(call, 0.42, 0.5, 0.08); },
    .expand = [](Expansion& e) { return expand_window(e, 0.42, 0.5, 0.08); },
};

}  // namespace godwit::ops::operators
