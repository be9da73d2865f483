// Blocks of an image become channels.
#include "ops/blocks.h"
#include "ops/elements.h"
#include "ops/expect.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  ASSIGN(const std::int64_t block, read_block(n));
  n.set(0, n.element(0), std::nullopt);
  if (const Shape* const x = image_shape(n)) {
    n.set(0, n.element(0),
          Shape{(*x)[0], (*x)[1] * Dim(block * block), floor_div((*x)[2], Dim(block)),
                floor_div((*x)[3], Dim(block))});
  }
  return {};
}

// The channels of the output are (row of a block, column, channel), or (channel, row, column).
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 4));
  ASSIGN(const std::int64_t block, read_block(call));
  ASSIGN(const bool channels_last, read_channels_last(call));
  const Sizes& x = call.input(0).dims();
  if (x[2] % block || x[3] % block) return refuse_attribute(call, "blocksize");
  const std::int64_t channels = x[1], height = x[2] / block, width = x[3] / block;
  const std::int64_t plane = x[2] * x[3], row = x[3];
  Sizes dims = {x[0], block, block, channels, height, width};
  std::vector<std::int64_t> steps = {channels * plane, row, 1, plane, row * block, block};
  if (!channels_last) {
    dims = {x[0], channels, block, block, height, width};
    steps = {channels * plane, plane, row, 1, row * block, block};
  }
  ASSIGN(const Tensor y, strided(call.input(0), std::move(dims), steps));
  call.set(0, y.reshaped({x[0], channels * block * block, height, width}));
  return {};
}

}  // namespace

extern const Operator space_to_depth = {
    .name = "SpaceToDepth",
    .doc = "Moves blocks of [blocksize, blocksize] elements of an image into channels.",
    .inputs = {{"input", 'T', classic(13)}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{"blocksize", kMustBeThere}, {.name = "mode", .fallback = "DCR", .since = 28}},
    .revisions = {13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
