// Windows that are sums of cosines: what Hann, Hamming and Blackman windows share.
#pragma once

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops {

inline constexpr Parameters kWindowInputs = {{"size", 'S', kIndices}};
inline constexpr Parameters kWindowOutputs = {{"output", 'T', kNumbers}};
inline constexpr AttributeSpecs kWindowAttributes = {{"output_datatype", 1}, {"periodic", 1}};

/// y[n] = a[0] - a[1] cos(2 pi n / N) + a[2] cos(4 pi n / N); N is the size, or one less for a
/// window that is not periodic.
Status make_window(Call& call, double a0, double a1, double a2);

/// The same in other operators, computed in fp32.
Status expand_window(Expansion& e, double a0, double a1, double a2);

/// Shape rule: [size], of the type that the attribute names.
Status infer_window(Inference& n);

}  // namespace godwit::ops
