// One use of an operator: its node and its attributes with their defaults, for shape rules and
// evaluation alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/model.h"
#include "ops/operator.h"

namespace godwit::ops {

class Site {
 public:
  Site(const Operator& op, const ir::Node& node) : op_(op), node_(node) {}

  const Operator& op() const { return op_; }
  const ir::Node& node() const { return node_; }
  std::int64_t opset() const { return node_.opset; }

  /// The attribute as given, else the default of the signature, else 0, "" or {}; an attribute of
  /// another kind counts as missing.
  bool has(std::string_view name) const;  // given by the node
  std::int64_t integer(std::string_view name) const;
  bool flag(std::string_view name) const { return integer(name) != 0; }
  float number(std::string_view name) const;
  std::string_view text(std::string_view name) const;
  Ints integers(std::string_view name) const;
  Floats numbers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  const ir::Tensor* tensor(std::string_view name) const;  // null: missing
  std::optional<ir::GraphId> subgraph(std::string_view name) const;

  /// Values `axis` counted from the front. Errors: E152 outside [-rank, rank).
  Result<std::size_t> axis(std::int64_t axis, std::size_t rank) const;
  /// The same of the attribute.
  Result<std::size_t> axis(std::string_view name, std::size_t rank) const {
    return axis(integer(name), rank);
  }
  /// The same of a list, without doubles, in order.
  Result<std::vector<std::size_t>> axes(const Ints& list, std::size_t rank) const;

  /// How many axes of size 1 stand behind the second input of a pair: opsets before 7 broadcast it
  /// to the axes of the first one from `axis` on.
  Result<std::size_t> ones_behind(std::size_t first_rank, std::size_t second_rank) const;

  /// E151: what the operator cannot make sense of, in words of `ops.WHAT` in ui.toml.
  tl::unexpected<Error> refuse(std::string_view what, Args args = {}) const;

 protected:
  const AttributeSpec* spec(std::string_view name) const;

 private:
  template <class T>
  const T* given(std::string_view name) const;
  const Operator& op_;
  const ir::Node& node_;
};

}  // namespace godwit::ops
