// The Hann window.
#include "ops/cosine_window.h"

namespace godwit::ops::operators {

extern const Operator hann_window = {
    .name = "HannWindow",
    .doc = "0.5 - 0.5 cos(2 pi n / N).",
    .since = 17,
    .inputs = kWindowInputs,
    .outputs = kWindowOutputs,
    .attributes = kWindowAttributes,
    .numerics = Numerics::kTranscendental,
    .storage = Storage::kAsStored,
    .infer = infer_window,
    .evaluate = [](Call& call) { return make_window(call, 0.5, 0.5, 0); },
    .expand = [](Expansion& e) { return expand_window(e, 0.5, 0.5, 0); },
};

}  // namespace godwit::ops::operators
