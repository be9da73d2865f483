// Values of an expansion as terms, so that formulas read as formulas.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "ops/expand.h"

namespace godwit::ops {

/// A value with the element type in which numbers beside it are written.
class Term {
 public:
  Term(Expansion& e, ValueId value, ElementType type) : e_(&e), value_(value), type_(type) {}

  ValueId value() const { return value_; }
  operator ValueId() const { return value_; }  // NOLINT: a term is a value
  ElementType type() const { return type_; }

  /// op(this, more…), with the same element type.
  Term then(std::string_view op, std::vector<ValueId> more = {},
            std::vector<ir::Attribute> attributes = {}) const {
    more.insert(more.begin(), value_);
    return {*e_, e_->add(op, std::move(more), std::move(attributes)), type_};
  }
  Term number(double value) const { return {*e_, e_->scalar(value, type_), type_}; }
  Term as(ElementType type) const {
    return type == type_ ? *this : Term(*e_, e_->cast(value_, type), type);
  }
  Term reshaped(ValueId shape) const { return then("Reshape", {shape}); }
  Term transposed(Ints order) const { return then("Transpose", {}, {{"perm", std::move(order)}}); }
  /// Elements [first, last) of one axis; the last as large as can be: to its end.
  Term slice(std::int64_t axis, std::int64_t first, std::int64_t last,
             std::int64_t step = 1) const {
    return then("Slice", {e_->indices({first}), e_->indices({last}), e_->indices({axis}),
                          e_->indices({step})});
  }
  Term mean(Ints axes) const {
    return then("ReduceMean", {e_->indices(std::move(axes))}, {{"keepdims", std::int64_t{1}}});
  }

  Term unsqueezed(Ints axes) const { return then("Unsqueeze", {e_->indices(std::move(axes))}); }
  /// The answer of a comparison, and one of two values by such an answer (this).
  Term against(std::string_view op, ValueId other) const {
    return {*e_, e_->add(op, {value_, other}), ElementType::kBool};
  }
  Term choose(const Term& yes, const Term& no) const {
    return {*e_, e_->add("Where", {value_, yes, no}), yes.type()};
  }

  friend Term operator+(Term a, Term b) { return a.then("Add", {b}); }
  friend Term operator-(Term a, Term b) { return a.then("Sub", {b}); }
  friend Term operator*(Term a, Term b) { return a.then("Mul", {b}); }
  friend Term operator/(Term a, Term b) { return a.then("Div", {b}); }
  friend Term operator+(Term a, double b) { return a + a.number(b); }
  friend Term operator*(Term a, double b) { return a * a.number(b); }
  friend Term operator/(Term a, double b) { return a / a.number(b); }

 private:
  Expansion* e_;
  ValueId value_;
  ElementType type_;
};

/// 0, 1 … up to the size of an axis.
inline Term places(Expansion& e, ValueId value, std::int64_t axis) {
  const ValueId size = e.add("Squeeze", {e.size(value, axis)});
  return {e, e.add("Range", {e.index(0), size, e.index(1)}), ElementType::kInt64};
}

/// An input as a term. Errors: E151 when its element type is not known.
inline Result<Term> term(Expansion& e, std::size_t input) {
  ASSIGN(const ElementType type, e.known_element(input));
  return Term(e, e.input(input), type);
}

/// x in the type that normalisations compute in: 16-bit floats as what `stash_type` says.
inline Term stashed(const Expansion& e, const Term& x) {
  const bool is_narrow = x.type() == ElementType::kFloat16 || x.type() == ElementType::kBfloat16;
  return is_narrow ? x.as(static_cast<ElementType>(e.integer("stash_type"))) : x;
}

/// The axes from `axis` to the last, counted from behind where the rank is not known.
inline Result<Ints> axes_from(const Expansion& e, std::int64_t axis) {
  Ints out;
  if (axis >= 0 || e.shape(0)) {
    ASSIGN(const std::size_t rank, e.known_rank(0));
    ASSIGN(const std::size_t first, e.axis(axis, rank));
    for (std::size_t i = first; i < rank; ++i) out.push_back(static_cast<std::int64_t>(i));
    return out;
  }
  for (; axis < 0; ++axis) out.push_back(axis);
  return out;
}

/// x - mean, and 1 / sqrt(variance + epsilon), over the axes.
struct Normalised {
  Term mean, inverse, y;
};
inline Normalised normalised(const Term& x, const Ints& axes, float epsilon) {
  const Term mean = x.mean(axes);
  const Term centred = x - mean;
  const Term inverse = ((centred * centred).mean(axes) + static_cast<double>(epsilon))
                           .then("Sqrt")
                           .then("Reciprocal");
  return {mean, inverse, centred * inverse};
}

}  // namespace godwit::ops
