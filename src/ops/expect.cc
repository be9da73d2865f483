// Checks of attributes and shapes, and their errors.
#include "ops/expect.h"

#include "base/text.h"
#include "diag/messages.h"
#include "ops/elementwise.h"

namespace godwit::ops {
namespace {

std::string shown(const ir::Attribute* attribute) {
  if (!attribute) return diag::text("ops.nothing");
  if (const auto* const text = std::get_if<std::string>(&attribute->value))
    return to_valid_utf8(*text);
  if (const auto* const number = std::get_if<std::int64_t>(&attribute->value))
    return format("{}", *number);
  if (const auto* const number = std::get_if<float>(&attribute->value))
    return format("{}", *number);
  if (const auto* const list = std::get_if<Ints>(&attribute->value)) return ir::to_string(*list);
  return "…";
}

tl::unexpected<Error> other_rank(const Call& call, std::size_t i, std::string expected) {
  return call.refuse(
      "rank", {{"rank", format("{}", call.input(i).rank())}, {"expected", std::move(expected)}});
}

}  // namespace

tl::unexpected<Error> refuse_attribute(const Site& site, std::string_view name) {
  return site.refuse("attribute",
                     {{"name", std::string(name)}, {"value", shown(site.node().attribute(name))}});
}

tl::unexpected<Error> refuse_index(const Site& site, std::int64_t index, std::int64_t size) {
  return site.refuse("index", {{"index", format("{}", index)}, {"size", format("{}", size)}});
}

tl::unexpected<Error> refuse_shapes(const Site& site, const Sizes& a, const Sizes& b) {
  return site.refuse("shape", {{"a", ir::to_string(a)}, {"b", ir::to_string(b)}});
}

tl::unexpected<Error> refuse_empty(const Site& site, const Sizes& dims) {
  return site.refuse("empty", {{"dims", ir::to_string(dims)}});
}

Status expect_sizes(const Call& call, std::size_t i, const Sizes& wanted) {
  if (call.input(i).dims() == wanted) return {};
  return call.refuse("sizes", {{"input", format("{}", i)},
                               {"dims", ir::to_string(call.input(i).dims())},
                               {"wanted", ir::to_string(wanted)}});
}

Status expect_rank(const Call& call, std::size_t i, std::size_t rank) {
  if (call.input(i).rank() == rank) return {};
  return other_rank(call, i, format("{}", rank));
}

Status expect_rank_from(const Call& call, std::size_t i, std::size_t least) {
  if (call.input(i).rank() >= least) return {};
  return other_rank(call, i, format("{}+", least));
}

Status expect_broadcasts(const Call& call, std::size_t i, std::size_t to) {
  ASSIGN(const Sizes dims, broadcast_inputs(call, i, to));
  if (dims == call.input(to).dims()) return {};
  return refuse_shapes(call, call.input(i).dims(), call.input(to).dims());
}

}  // namespace godwit::ops
