// Blocks of an image as channels and back: what DepthToSpace and SpaceToDepth share.
#pragma once

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops {

/// The edge of a block. Errors: E151 no number that makes sense.
Result<std::int64_t> read_block(const Site& site);

/// Whether a block's place is counted before the channel (DCR), not after it (CRD).
Result<bool> read_channels_last(const Site& site);

/// The four sizes of input 0; nothing where its rank is another or not known.
const Shape* image_shape(const Inference& n);

}  // namespace godwit::ops
