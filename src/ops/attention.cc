// Sizes of heads.
#include "ops/attention.h"

#include "ops/expect.h"

namespace godwit::ops {

Result<HeadSizes> read_heads(const Call& call, std::size_t input, std::string_view heads) {
  const Sizes& dims = call.input(input).dims();
  if (dims.size() == 4) return HeadSizes{dims[0], dims[1], dims[2], dims[3]};
  TRY(expect_rank(call, input, 3));
  const std::int64_t count = call.integer(heads);
  if (count < 1 || dims[2] % count) return refuse_attribute(call, heads);
  return HeadSizes{dims[0], count, dims[1], dims[2] / count, true};
}

}  // namespace godwit::ops
