// Reductions: which axes, what is left, and the lanes that are folded into one value each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/call.h"
#include "ops/inference.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops {

/// Shape rule of the Reduce* family: axes are an attribute, or since some opset input 1.
Status infer_reduced(Inference& n);

/// `.infer = reducing([](Dim a, Dim b) { return a * b; })`: the same, and the contents folded where
/// one number is left.
template <class F>
constexpr auto reducing(F) {
  return +[](Inference& n) -> Status {
    TRY(infer_reduced(n));
    const std::optional<Content> content = n.content(0);
    const std::optional<Shape>& shape = n.output(0).shape;
    if (!content || content->empty() || !shape || !ir::count(*shape).is(1)) return {};
    Dim out = content->front();
    for (std::size_t i = 1; i < content->size(); ++i) out = F{}(out, (*content)[i]);
    n.set_content(0, {out});
    return {};
  };
}

/// What the operators of the family take: the axes are an attribute, and since opset `moved` an
/// input.
constexpr Parameters reduced_inputs(TypeHistory types, int moved = 18) {
  return {{"data", 'T', types},
          {.name = "axes", .variable = 'A', .types = kInt64, .kind = kOptional, .since = moved}};
}
constexpr AttributeSpecs reduced_attributes(int moved = 18) {
  return {{.name = "axes", .until = moved - 1},
          {"keepdims", 1},
          {.name = "noop_with_empty_axes", .fallback = 0, .since = moved}};
}

/// Errors: E151 unless a node says that it reduces nothing when it has no axes, and has none.
Status expect_no_axes(const Expansion& e);

/// `.expand = leaving([](const Term& x) { return x.then("Abs"); })`: the operator where it reduces
/// nothing, which opsets before `noop_with_empty_axes` say in this way.
template <class F>
constexpr auto leaving(F) {
  return +[](Expansion& e) -> Status {
    TRY(expect_no_axes(e));
    ASSIGN(const Term x, term(e, 0));
    e.set_output(0, F{}(x));
    return {};
  };
}
inline constexpr auto kLeavesAsIs = leaving([](const Term& x) { return x; });

/// What ReduceMax and ReduceMin compare.
inline constexpr TypeHistory kCompared = wide_numbers(13) | since(12, kBytes) | since(20, kBool);
using Compared = Types<float, double, std::int8_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint32_t, std::uint64_t, bool>;

/// What is left of `axis` of a shape that keeps or loses it.
Shape without_axis(const Shape& shape, std::size_t axis, bool keeps);

/// What one reduction folds, and the shape that it leaves.
struct Reduction {
  Sizes dims;                      // of the input
  std::vector<bool> is_reduced{};  // by axis
  Sizes kept{};                    // of the output
  std::size_t folded = 1;          // elements behind each output
};

/// Errors: E151 an axis outside the input.
Result<Reduction> read_reduction(const Call& call);

/// Calls `body(out, in)` for every element of the input, in row-major order.
template <class Body>
void for_each_reduced(const Reduction& reduction, Body&& body) {
  Sizes seen = reduction.dims;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (reduction.is_reduced[i]) seen[i] = 1;
  }
  Odometer at(reduction.dims, {broadcast_strides(seen, reduction.dims)});
  for (std::size_t i = 0; !at.done(); at.next(), ++i) body(at.offset(0), i);
}

/// y = finish(fold(fold(first, x0), x1) …, count); sums are kept in `State`.
template <class T, class State, class Fold, class Finish>
Status reduce(Call& call, State first, Fold&& fold, Finish&& finish) {
  ASSIGN(const Reduction reduction, read_reduction(call));
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, reduction.kept));
  std::vector<State> states(y.size(), first);
  for_each_reduced(
      reduction, [&](std::size_t out, std::size_t in) { states[out] = fold(states[out], x[in]); });
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = static_cast<T>(finish(states[i], reduction.folded));
  return {};
}

}  // namespace godwit::ops
