// Evaluation of operators that treat every element alone, with the broadcasting of ONNX.
#pragma once

#include "base/text.h"
#include "ops/call.h"
#include "ops/walk.h"

namespace godwit::ops {

/// y[i] = f(x[i]); the output has the type that f returns.
template <class T, class F>
Status unary(Call& call, F&& f) {
  using Out = std::decay_t<decltype(f(T{}))>;
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<Out> y, call.make<Out>(0, call.input(0).dims()));
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i]);
  return {};
}

/// The sizes that two inputs broadcast to. Errors: E151.
Result<Sizes> broadcast_inputs(const Call& call, std::size_t a, std::size_t b);

/// The sizes of input 1 as it is broadcast to input 0 (see Site::ones_behind).
Result<Sizes> second_sizes(const Call& call);

/// y[i] = f(a[i], b[i]), both inputs broadcast.
template <class A, class B = A, class F>
Status binary(Call& call, F&& f) {
  using Out = std::decay_t<decltype(f(A{}, B{}))>;
  ASSIGN(const Sizes b_dims, second_sizes(call));
  const std::optional<Sizes> wide = broadcast(call.input(0).dims(), b_dims);
  if (!wide) return broadcast_inputs(call, 0, 1).map([](const Sizes&) {});
  const Sizes& dims = *wide;
  const std::span<const A> a = call.values<A>(0);
  const std::span<const B> b = call.values<B>(1);
  ASSIGN(const std::span<Out> y, call.make<Out>(0, dims));
  if (a.size() == y.size() && b.size() == y.size()) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = f(a[i], b[i]);
    return {};
  }
  Odometer at(dims,
              {broadcast_strides(call.input(0).dims(), dims), broadcast_strides(b_dims, dims)});
  for (std::size_t i = 0; !at.done(); at.next(), ++i) y[i] = f(a[at.offset(0)], b[at.offset(1)]);
  return {};
}

/// y = f(f(x0, x1), x2) …, all inputs broadcast: Max, Min, Sum.
template <class T, class F>
Status fold(Call& call, F&& f) {
  Sizes dims = call.input(0).dims();
  for (std::size_t i = 1; i < call.inputs(); ++i) {
    if (!call.has_input(i)) return call.refuse("missing", {{"input", format("{}", i)}});
    const std::optional<Sizes> wider = broadcast(dims, call.input(i).dims());
    if (!wider) return broadcast_inputs(call, 0, i).map([](const Sizes&) {});
    dims = *wider;
  }
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    const std::span<const T> x = call.values<T>(i);
    Odometer at(dims, {broadcast_strides(call.input(i).dims(), dims)});
    for (std::size_t o = 0; !at.done(); at.next(), ++o)
      y[o] = i == 0 ? x[at.offset(0)] : f(y[o], x[at.offset(0)]);
  }
  return {};
}

/// The result of an element: bool where a function answers a question, else the operand's type.
template <class T, class Out>
using Element = std::conditional_t<std::is_same_v<Out, bool>, bool, T>;

/// `.evaluate = each(Reals(), [](auto x) { return std::exp(x); })`
template <class... Ts, class F>
constexpr auto each(Types<Ts...> types, F) {
  return by_type(types, []<class T>(Call& call) -> Status {
    return unary<T>(call,
                    [](const T& x) { return static_cast<Element<T, decltype(F{}(x))>>(F{}(x)); });
  });
}

/// `.evaluate = each_pair(Numbers(), [](auto a, auto b) { return a < b; })`
template <class... Ts, class F>
constexpr auto each_pair(Types<Ts...> types, F) {
  return by_type(types, []<class T>(Call& call) -> Status {
    return binary<T>(call, [](const T& a, const T& b) {
      return static_cast<Element<T, decltype(F{}(a, b))>>(F{}(a, b));
    });
  });
}

/// `.evaluate = fold_all(Numbers(), [](auto a, auto b) { return larger(a, b); })`
template <class... Ts, class F>
constexpr auto fold_all(Types<Ts...> types, F) {
  return by_type(types, []<class T>(Call& call) -> Status { return fold<T>(call, F{}); });
}

}  // namespace godwit::ops
