// Channels become blocks of an image.
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
          Shape{(*x)[0], floor_div((*x)[1], Dim(block * block)), (*x)[2] * Dim(block),
                (*x)[3] * Dim(block)});
  }
  return {};
}

// The channels of the input are (row of a block, column, channel), or (channel, row, column).
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 4));
  ASSIGN(const std::int64_t block, read_block(call));
  ASSIGN(const bool channels_last, read_channels_last(call));
  const Sizes& x = call.input(0).dims();
  if (x[1] % (block * block)) return refuse_attribute(call, "blocksize");
  const std::int64_t channels = x[1] / (block * block), height = x[2], width = x[3];
  const std::int64_t plane = height * width;
  const std::int64_t column = channels_last ? channels * plane : plane;
  const std::int64_t channel = channels_last ? plane : block * block * plane;
  ASSIGN(const Tensor y, strided(call.input(0), {x[0], channels, height, block, width, block},
                                 {x[1] * plane, channel, width, block * column, 1, column}));
  call.set(0, y.reshaped({x[0], channels, height * block, width * block}));
  return {};
}

}  // namespace

extern const Operator depth_to_space = {
    .name = "DepthToSpace",
    .doc = "Moves channels into blocks of [blocksize, blocksize] elements of an image.",
    .inputs = {{"input", 'T', classic(13)}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{"blocksize", kMustBeThere}, {.name = "mode", .fallback = "DCR", .since = 11}},
    .revisions = {13, 28},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
