// Checks of shapes, and their errors.
#include "ops/expect.h"

#include "base/text.h"

namespace godwit::ops {
namespace {

tl::unexpected<Error> other_dims(const Call& call, std::size_t i, std::string wanted) {
  return call.refuse("sizes", {{"input", format("{}", i)},
                               {"dims", ir::to_string(call.input(i).dims())},
                               {"wanted", std::move(wanted)}});
}

tl::unexpected<Error> other_rank(const Call& call, std::size_t i, std::string wanted) {
  return call.refuse(
      "rank", {{"rank", format("{}", call.input(i).rank())}, {"expected", std::move(wanted)}});
}

}  // namespace

Status expect_sizes(const Call& call, std::size_t i, const Sizes& wanted) {
  if (call.input(i).dims() == wanted) return {};
  return other_dims(call, i, ir::to_string(wanted));
}

Status expect_rank(const Call& call, std::size_t i, std::size_t rank) {
  if (call.input(i).rank() == rank) return {};
  return other_rank(call, i, format("{}", rank));
}

Status expect_rank_from(const Call& call, std::size_t i, std::size_t least) {
  if (call.input(i).rank() >= least) return {};
  return other_rank(call, i, format("{}+", least));
}

}  // namespace godwit::ops
