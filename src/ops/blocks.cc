// Attributes of blocks.
#include "ops/blocks.h"

#include "ops/expect.h"

namespace godwit::ops {
namespace {

constexpr std::int64_t kMostBlock = 1 << 20;  // its square stays far below 64 bits

}  // namespace

Result<std::int64_t> read_block(const Site& site) {
  const std::int64_t block = site.integer("blocksize");
  if (block < 1 || block > kMostBlock) return refuse_attribute(site, "blocksize");
  return block;
}

Result<bool> read_channels_last(const Site& site) {
  const std::string_view mode = site.text("mode");
  if (mode != "DCR" && mode != "CRD" && !mode.empty()) return refuse_attribute(site, "mode");
  return mode != "CRD";
}

const Shape* image_shape(const Inference& n) {
  return n.shape(0) && n.shape(0)->size() == 4 ? n.shape(0) : nullptr;
}

}  // namespace godwit::ops
