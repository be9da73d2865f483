// Shape rules that follow the contents of shape-like tensors through arithmetic.
#pragma once

#include <algorithm>
#include <optional>

#include "ops/inference.h"

namespace godwit::ops {

/// Contents of inputs `a` and `b` paired by `combine`, the shorter one repeated; nothing where one
/// is not known or they do not broadcast.
template <class F>
std::optional<Content> paired_contents(const Inference& n, std::size_t a, std::size_t b,
                                       F&& combine) {
  const std::optional<Content> x = n.content(a), y = n.content(b);
  if (!x || !y || (x->size() != y->size() && x->size() != 1 && y->size() != 1)) return std::nullopt;
  const std::size_t size = x->size() == 1 ? y->size() : x->size();
  Content out;
  for (std::size_t i = 0; i < size; ++i)
    out.push_back(combine((*x)[x->size() == 1 ? 0 : i], (*y)[y->size() == 1 ? 0 : i]));
  return out;
}

/// `.infer = broadcasting([](Dim a, Dim b) { return a + b; })`: the shape of all inputs broadcast,
/// and the contents folded from the left.
template <class F>
constexpr auto broadcasting(F) {
  return +[](Inference& n) -> Status {
    TRY(broadcast_numbers(n));
    std::optional<Content> content = n.content(0);
    if (n.inputs() == 2) content = paired_contents(n, 0, 1, F{});
    if (content && n.inputs() <= 2) n.set_content(0, *std::move(content));
    return {};
  };
}

/// The same of a comparison: `holds` says what is known of two numbers.
template <class F>
constexpr auto comparing(F) {
  return +[](Inference& n) -> Status {
    TRY(broadcast_truth(n));
    auto content = paired_contents(n, 0, 1, [](Dim a, Dim b) {
      const std::optional<bool> holds = F{}(a, b);
      return holds ? Dim(*holds) : Dim::unknown();
    });
    if (content) n.set_content(0, *std::move(content));
    return {};
  };
}

}  // namespace godwit::ops
