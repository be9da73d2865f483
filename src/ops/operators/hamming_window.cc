// The Hamming window.
#include "ops/cosine_window.h"

namespace godwit::ops::operators {

extern const Operator hamming_window = {
    .name = "HammingWindow",
    .doc = "25/46 - 21/46 cos(2 pi n / N).",
    .since = 17,
    .inputs = kWindowInputs,
    .outputs = kWindowOutputs,
    .attributes = kWindowAttributes,
    .numerics = Numerics::kTranscendental,
    .storage = Storage::kAsStored,
    .infer = infer_window,
    .evaluate = [](Call& call) { return make_window(call, 25.0 / 46, 21.0 / 46, 0); },
    .expand = [](Expansion& e) { return expand_window(e, 25.0 / 46, 21.0 / 46, 0); },
};

}  // namespace godwit::ops::operators
