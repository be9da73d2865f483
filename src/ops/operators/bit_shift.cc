// Bits moved to the left or to the right.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

template <class T>
bool is_too_far(T by) {
  return by < 0 || static_cast<std::uint64_t>(by) >= sizeof(T) * 8;
}

template <class T>
T left(T x, T by) {
  using Bits = std::make_unsigned_t<T>;
  return is_too_far(by) ? T(0)
                        : static_cast<T>(static_cast<std::uint64_t>(static_cast<Bits>(x)) << by);
}

template <class T>
T right(T x, T by) {
  if (is_too_far(by)) return static_cast<T>(x < 0 ? -1 : 0);
  return static_cast<T>(x >> by);
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  const std::string_view direction = call.text("direction");
  if (direction == "LEFT") return binary<T>(call, left<T>);
  if (direction == "RIGHT") return binary<T>(call, right<T>);
  return call.refuse("attribute", {{"name", "direction"}, {"value", std::string(direction)}});
};

}  // namespace

extern const Operator bit_shift = {
    .name = "BitShift",
    .doc = "x shifted by y bits; a right shift of a negative number keeps its sign.",
    .since = 11,
    .inputs = {{"X", 'T', kUnsigned | since(28, kSigned)},
               {"Y", 'T', kUnsigned | since(28, kSigned)}},
    .outputs = {{"Z", 'T', kUnsigned | since(28, kSigned)}},
    .attributes = {{"direction", kMustBeThere}},
    .revisions = {28},
    .infer = broadcast_numbers,
    .evaluate = by_type(Integers(), evaluate),
};

}  // namespace godwit::ops::operators
