// What a shape rule sees and sets: types of inputs and outputs, and contents of small integers.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ops/site.h"

namespace godwit::ops {

using ir::Shape;
using ir::Type;

/// The numbers of a shape-like tensor (rank 0 or 1), known or symbolic.
using Content = std::vector<Dim>;

/// Contents longer than this are no shapes, and following them would cost time and memory.
inline constexpr std::int64_t kMostContent = 1024;

/// A shape of which only the rank is known; nothing for a rank that no tensor has.
std::optional<Shape> shape_of_rank(std::int64_t rank);

/// What is known of a value.
struct Known {
  Type type{};
  std::optional<Content> content{};
  const ir::Tensor* constant = nullptr;
};

class Inference : public Site {
 public:
  /// `outputs` has one row per output of the node.
  Inference(const Operator& op, const ir::Node& node, std::vector<Known> inputs)
      : Site(op, node), inputs_(std::move(inputs)), outputs_(node.outputs.size()) {}

  std::size_t inputs() const { return inputs_.size(); }
  std::size_t outputs() const { return outputs_.size(); }
  bool has_input(std::size_t i) const {
    return i < inputs_.size() && node().inputs[i] != ir::kNone;
  }
  const Type& type(std::size_t i) const;  // of an input; unknown when left out
  ElementType element(std::size_t i) const { return type(i).element; }
  /// Shape of an input; null when not even its rank is known.
  const Shape* shape(std::size_t i) const;
  const ir::Tensor* constant(std::size_t i) const;
  /// Integers of an input, as far as known; nothing when it is no small integer tensor.
  std::optional<Content> content(std::size_t i) const;
  /// The same when all are numbers.
  std::optional<Ints> integers(std::size_t i) const;
  using Site::integers;
  /// The list `name`, which older opsets give as an attribute and newer ones as input `i`; the
  /// fallback when neither is there, nothing when the input is there and not known.
  std::optional<Ints> list(std::string_view name, std::size_t i, Ints fallback = {}) const;

  void set(std::size_t output, Type type);
  void set(std::size_t output, ElementType element, std::optional<Shape> shape) {
    set(output, Type::tensor(element, std::move(shape)));
  }
  void set_content(std::size_t output, Content content);

  const Type& output(std::size_t i) const { return outputs_[i].type; }
  std::vector<Known>& results() { return outputs_; }
  /// Types of the outputs of a subgraph whose inputs have these types; set by the pass that walks
  /// the model. Null while a single node is looked at.
  std::function<Result<std::vector<Known>>(ir::GraphId, std::vector<Known>)> subgraph_types;

 private:
  std::vector<Known> inputs_;
  std::vector<Known> outputs_;
};

/// Shape rules that many operators share.
Status same_as_first(Inference& n);      // output 0 has the type of input 0
Status broadcast_numbers(Inference& n);  // all inputs broadcast; element type of input 0
Status broadcast_truth(Inference& n);    // all inputs broadcast; bool

/// The shape that two shapes broadcast to. Errors: E153 sizes that do not fit.
Result<Shape> broadcast(const Site& site, const Shape& a, const Shape& b);

/// Costs that many operators share: so many floating-point operations per element of output 0.
template <int kEach>
Dim flop_per_output(const Inference& n) {
  const Type& type = n.output(0);
  return type.shape ? ir::count(*type.shape) * Dim(kEach) : Dim::unknown();
}
template <int kEach>
Dim flop_per_input(const Inference& n) {
  return n.shape(0) ? ir::count(*n.shape(0)) * Dim(kEach) : Dim::unknown();
}

}  // namespace godwit::ops
