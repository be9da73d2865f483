// What an evaluation sees and makes: tensors in, tensors out, and the means to run a subgraph.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ir/tensor.h"
#include "ops/site.h"

namespace godwit::ops {

using ir::Datum;
using ir::Sizes;
using ir::Tensor;

/// What runs graphs and draws random numbers for the operators that need it.
struct Host {
  std::function<Result<std::vector<Datum>>(ir::GraphId, std::vector<Datum>)> run_graph;
  /// The type that a graph declares of one of its outputs.
  std::function<const ir::Type&(ir::GraphId, std::size_t output)> output_type{};
  std::uint64_t seed = 0;  // of operators without a seed of their own
  /// How often each random node, named by its first output, has drawn: a loop draws anew each time.
  mutable std::map<ir::ValueId, std::uint64_t> draws{};
  /// How many more subgraphs may run, so that a loop without an end is refused.
  mutable std::int64_t runs_left = std::int64_t{1} << 24;
};

class Call : public Site {
 public:
  Call(const Operator& op, const ir::Node& node, std::vector<Datum> inputs, const Host& host)
      : Site(op, node), inputs_(std::move(inputs)), outputs_(node.outputs.size()), host_(host) {}

  std::size_t inputs() const { return inputs_.size(); }
  /// How many outputs the node names; the last ones may be left out.
  std::size_t outputs() const { return outputs_.size(); }
  bool has_input(std::size_t i) const {
    return i < inputs_.size() && inputs_[i].kind != Datum::Kind::kNothing;
  }
  bool wants_output(std::size_t i) const {
    return i < outputs_.size() && node().outputs[i] != ir::kNone;
  }
  /// Input tensor; an empty one when left out.
  const Tensor& input(std::size_t i) const;
  const Datum& datum(std::size_t i) const { return inputs_[i]; }
  template <class T>
  std::span<const T> values(std::size_t i) const {
    return input(i).values<T>();
  }
  /// Integers of an integer input; E151 when it holds none.
  Result<Ints> integers(std::size_t i) const;
  using Site::integers;
  /// The list `name`, which older opsets give as an attribute and newer ones as input `i`; the
  /// fallback when neither is there.
  Result<Ints> list(std::string_view name, std::size_t i, Ints fallback = {}) const;
  /// The only element of a scalar or one-element input as a number.
  Result<double> scalar(std::size_t i) const;

  /// Makes the output and hands out its zeroed values. An output that nobody wants is made too.
  template <class T>
  Result<std::span<T>> make(std::size_t i, Sizes dims);  // for the types of call.cc
  Result<Tensor*> make(std::size_t i, ElementType type, Sizes dims);
  void set(std::size_t i, Datum value);

  const Host& host() const { return host_; }
  /// The type that a graph of an attribute declares of an output; unknown where it declares none.
  ir::Type output_type(ir::GraphId graph, std::size_t output) const;
  /// Runs the graph of an attribute. Errors: E151 after too many runs, and those of its nodes.
  Result<std::vector<Datum>> run(ir::GraphId graph, std::vector<Datum> inputs) const;
  std::vector<Datum>& results() { return outputs_; }

 private:
  std::vector<Datum> inputs_;
  std::vector<Datum> outputs_;
  const Host& host_;
};

/// A list of C++ types, to choose one by the element type of an input.
template <class... Ts>
struct Types {};
using Reals = Types<float, double>;
using Integers = Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint16_t, std::uint32_t, std::uint64_t>;
using Numbers = Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                      std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

template <std::size_t kInput, class Body, class... Ts>
Status dispatch(Call& call) {
  Status out = call.refuse("type", {{"type", std::string(ir::name(call.input(kInput).type()))}});
  const auto attempt = [&]<class T>() {
    if (call.input(kInput).type() != ir::kElement<T>) return false;
    out = Body{}.template operator()<T>(call);
    return true;
  };
  (void)(attempt.template operator()<Ts>() || ...);
  return out;
}

/// `.evaluate = by_type(Reals(), []<class T>(Call& call) -> Status { … })`: the body for the type
/// that input `kInput` has; the lambda captures nothing.
template <std::size_t kInput = 0, class... Ts, class Body>
constexpr auto by_type(Types<Ts...>, Body) {
  return &dispatch<kInput, Body, Ts...>;
}

}  // namespace godwit::ops
