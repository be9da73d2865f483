// Evaluation of operators that treat every element alone, with the broadcasting of ONNX. What does
// not hang on the type of an element is compiled once, in elementwise.cc.
#pragma once

#include <span>
#include <type_traits>

#include "base/text.h"
#include "ops/call.h"
#include "ops/walk.h"

namespace godwit::ops {

/// The sizes that two inputs broadcast to. Errors: E151.
Result<Sizes> broadcast_inputs(const Call& call, std::size_t a, std::size_t b);

/// The sizes of input 1 as it is broadcast to input 0 (see Site::ones_behind).
Result<Sizes> second_sizes(const Call& call);

/// The sizes that all inputs broadcast to. Errors: E151 that, and one that is left out.
Result<Sizes> broadcast_all(const Call& call);

/// Inputs 0 and 1 side by side, broadcast.
struct Pairs {
  Sizes dims;
  Odometer at;
  std::size_t count;
  bool is_plain;  // both have the sizes of the output
};
Result<Pairs> pair_inputs(const Call& call);

/// The result of an element: bool where a function answers a question, else the operand's type.
template <class T, class F>
using Answer =
    std::conditional_t<std::is_same_v<std::decay_t<std::invoke_result_t<F, T>>, bool>, bool, T>;
template <class T, class F>
using PairAnswer =
    std::conditional_t<std::is_same_v<std::decay_t<std::invoke_result_t<F, T, T>>, bool>, bool, T>;

template <class T, class Out, class F>
void apply(const T* x, Out* y, std::size_t count, F&& f) {
  for (std::size_t i = 0; i < count; ++i) y[i] = static_cast<Out>(f(x[i]));
}

template <class A, class B, class Out, class F>
void apply_pairs(const A* a, const B* b, Out* y, Pairs& pairs, F&& f) {
  if (pairs.is_plain) {
    for (std::size_t i = 0; i < pairs.count; ++i) y[i] = static_cast<Out>(f(a[i], b[i]));
    return;
  }
  Odometer& at = pairs.at;
  for (std::size_t i = 0; !at.done(); at.next(), ++i)
    y[i] = static_cast<Out>(f(a[at.offset(0)], b[at.offset(1)]));
}

/// y[i] = f(x[i]); the output has the type that f returns.
template <class T, class F>
Status unary(Call& call, F&& f) {
  using Out = std::decay_t<std::invoke_result_t<F, T>>;
  ASSIGN(Tensor* const y, call.make(0, ir::kElement<Out>, call.input(0).dims()));
  const std::span<const T> x = call.values<T>(0);
  apply(x.data(), y->mutable_values<Out>().data(), x.size(), f);
  return {};
}

/// y[i] = f(a[i], b[i]), both inputs broadcast.
template <class A, class B = A, class F>
Status binary(Call& call, F&& f) {
  using Out = std::decay_t<std::invoke_result_t<F, A, B>>;
  ASSIGN(Pairs pairs, pair_inputs(call));
  ASSIGN(Tensor* const y, call.make(0, ir::kElement<Out>, pairs.dims));
  apply_pairs(call.values<A>(0).data(), call.values<B>(1).data(), y->mutable_values<Out>().data(),
              pairs, f);
  return {};
}

/// y = f(f(x0, x1), x2) …, all inputs broadcast: Max, Min, Sum.
template <class T, class F>
Status fold(Call& call, F&& f) {
  ASSIGN(const Sizes dims, broadcast_all(call));
  ASSIGN(Tensor* const made, call.make(0, ir::kElement<T>, dims));
  const std::span<T> y = made->mutable_values<T>();
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    const std::span<const T> x = call.values<T>(i);
    Odometer at(dims, {broadcast_strides(call.input(i).dims(), dims)});
    for (std::size_t o = 0; !at.done(); at.next(), ++o)
      y[o] = i == 0 ? x[at.offset(0)] : f(y[o], x[at.offset(0)]);
  }
  return {};
}

/// One loop per element type, for the functions that need nothing but their operands.
struct Loop {
  ElementType in, out;
  void (*run)(const void* x, void* y, std::size_t count);
};
struct PairLoop {
  ElementType in, out;
  void (*run)(const void* a, const void* b, void* y, Pairs& pairs);
};
Status run_loop(Call& call, std::span<const Loop> loops);
Status run_loop(Call& call, std::span<const PairLoop> loops);

/// `.evaluate = each(Reals(), [](auto x) { return std::exp(x); })`
template <class... Ts, class F>
constexpr auto each(Types<Ts...>, F) {
  return +[](Call& call) -> Status {
    static constexpr Loop kLoops[] = {
        {ir::kElement<Ts>, ir::kElement<Answer<Ts, F>>, [](const void* x, void* y, std::size_t n) {
           apply(static_cast<const Ts*>(x), static_cast<Answer<Ts, F>*>(y), n, F{});
         }}...};
    return run_loop(call, kLoops);
  };
}

/// `.evaluate = each_pair(Numbers(), [](auto a, auto b) { return a < b; })`
template <class... Ts, class F>
constexpr auto each_pair(Types<Ts...>, F) {
  return +[](Call& call) -> Status {
    static constexpr PairLoop kLoops[] = {
        {ir::kElement<Ts>, ir::kElement<PairAnswer<Ts, F>>,
         [](const void* a, const void* b, void* y, Pairs& pairs) {
           apply_pairs(static_cast<const Ts*>(a), static_cast<const Ts*>(b),
                       static_cast<PairAnswer<Ts, F>*>(y), pairs, F{});
         }}...};
    return run_loop(call, kLoops);
  };
}

/// `.evaluate = fold_all(Numbers(), [](auto a, auto b) { return larger(a, b); })`
template <class... Ts, class F>
constexpr auto fold_all(Types<Ts...> types, F) {
  return by_type(types, []<class T>(Call& call) -> Status { return fold<T>(call, F{}); });
}

}  // namespace godwit::ops
