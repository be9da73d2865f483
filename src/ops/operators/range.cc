// Numbers from a start up to a limit in equal steps.
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/call.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

constexpr TypeHistory kTypes = kReals | (kSigned - kBytes) | since(27, kFloats);

// ceil((limit - start) / delta), not below zero; nothing for a step of zero or too many numbers.
template <class T>
std::optional<std::int64_t> count_of(T start, T limit, T delta) {
  if (delta == 0) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>) {
    const T count = std::ceil((limit - start) / delta);
    if (!(count < T(1e15))) return std::nullopt;  // NaN too
    return static_cast<std::int64_t>(std::max<T>(count, 0));
  } else {
    const bool is_up = delta > 0;
    if (is_up ? limit <= start : limit >= start) return 0;
    const auto far = static_cast<std::uint64_t>(is_up ? limit : start) -
                     static_cast<std::uint64_t>(is_up ? start : limit);
    const auto step = is_up ? static_cast<std::uint64_t>(delta)
                            : std::uint64_t{0} - static_cast<std::uint64_t>(delta);
    return static_cast<std::int64_t>((far - 1) / step + 1);
  }
}

std::optional<double> number_of(const Inference& n, std::size_t i) {
  if (const std::optional<Ints> known = n.integers(i); known && known->size() == 1)
    return static_cast<double>(known->front());
  if (!n.constant(i)) return std::nullopt;
  const auto values = to_doubles(*n.constant(i));
  return values && values->size() == 1 ? std::optional(values->front()) : std::nullopt;
}

// The count where the three are numbers, or a step is known and the others are symbols.
Dim symbolic_count(const Inference& n) {
  const std::optional<double> start = number_of(n, 0), limit = number_of(n, 1),
                              delta = number_of(n, 2);
  if (start && limit && delta) {
    const auto count = n.element(0) == ElementType::kFloat
                           ? count_of(static_cast<float>(*start), static_cast<float>(*limit),
                                      static_cast<float>(*delta))
                           : count_of(*start, *limit, *delta);
    return count ? Dim(*count) : Dim::unknown();
  }
  const std::optional<Content> first = n.content(0), last = n.content(1), step = n.content(2);
  if (!first || !last || !step || first->size() != 1 || last->size() != 1 || step->size() != 1)
    return Dim::unknown();
  if (!step->front().is_known() || step->front().is(0)) return Dim::unknown();
  // From zero to a size of a tensor is never downwards.
  const Dim count = ceil_div(last->front() - first->front(), step->front());
  return first->front().is(0) && step->front().value() > 0 ? count : max(count, 0);
}

Status infer(Inference& n) {
  const Dim count = symbolic_count(n);
  n.set(0, n.element(0), Shape{count});
  const std::optional<Ints> start = n.integers(0), delta = n.integers(2);
  if (!count.is_known() || count.value() > kMostContent || !start || !delta) return {};
  Content content;
  for (std::int64_t i = 0; i < count.value(); ++i)
    content.push_back(Dim(start->front()) + Dim(delta->front()) * Dim(i));
  n.set_content(0, std::move(content));
  return {};
}

template <class T>
Status evaluate(Call& call) {
  for (std::size_t i = 0; i < 3; ++i) TRY(call.scalar(i));
  const T start = call.values<T>(0)[0], delta = call.values<T>(2)[0];
  const std::optional<std::int64_t> count = count_of(start, call.values<T>(1)[0], delta);
  if (!count) return call.refuse("attribute", {{"name", "delta"}, {"value", "0"}});
  ASSIGN(const std::span<T> y, call.make<T>(0, {*count}));
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = wrapping_add(start, wrapping_multiply(static_cast<T>(i), delta));
  return {};
}

}  // namespace

extern const Operator range = {
    .name = "Range",
    .doc = "start, start + delta, start + 2 delta … as long as they stay before the limit.",
    .since = 11,
    .inputs = {{"start", 'T', kTypes}, {"limit", 'T', kTypes}, {"delta", 'T', kTypes}},
    .outputs = {{"output", 'T', kTypes}},
    .attributes = {{.name = "stash_type", .fallback = 1, .since = 27}},
    .numerics = Numerics::kElementwise,
    .infer = infer,
    .evaluate = by_type(Types<float, double, std::int16_t, std::int32_t, std::int64_t>(),
                        []<class T>(Call& call) -> Status { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
