// Cosine windows, computed in double and rounded once.
#include "ops/cosine_window.h"

#include <cmath>
#include <numbers>

#include "ops/expect.h"
#include "ops/term.h"

namespace godwit::ops {

Status make_window(Call& call, double a0, double a1, double a2) {
  const auto type = static_cast<ElementType>(call.integer("output_datatype"));
  if (!kNumbers.has(type)) return refuse_attribute(call, "output_datatype");
  ASSIGN(const Ints size, call.integers(0));
  if (size.size() != 1 || size[0] < 0) return refuse_shapes(call, size, {});
  ASSIGN(Tensor window, Tensor::make(ElementType::kDouble, {size[0]}));
  const auto period = static_cast<double>(call.flag("periodic") ? size[0] : size[0] - 1);
  const std::span<double> y = window.mutable_values<double>();
  for (std::size_t n = 0; n < y.size(); ++n) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(n) / period;
    y[n] = a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle);
  }
  if (y.size() == 1) y[0] = 1;  // a period of nothing has no angles
  ASSIGN(Tensor out, convert(window, type));
  call.set(0, std::move(out));
  return {};
}

Status expand_window(Expansion& e, double a0, double a1, double a2) {
  const ValueId size = e.cast(e.input(0), ElementType::kInt64);
  const ValueId places = e.add("Range", {e.index(0), size, e.index(1)});
  const auto real = [&](ValueId value) {
    return Term(e, e.add("Cast", {value}, {{"to", std::int64_t{1}}}), ElementType::kFloat);
  };
  const Term period = e.flag("periodic") ? real(size) : real(size) + -1.0;
  const Term angle = real(places) * (2 * std::numbers::pi) / period;
  Term y = angle.then("Cos") * -a1 + a0;
  if (a2 != 0) y = y + (angle * 2.0).then("Cos") * a2;
  e.set_output(0, y.as(static_cast<ElementType>(e.integer("output_datatype"))));
  return {};
}

Status infer_window(Inference& n) {
  const auto size = n.content(0);
  const bool is_known = size && size->size() == 1;
  n.set(0, static_cast<ElementType>(n.integer("output_datatype")),
        Shape{is_known ? size->front() : Dim::unknown()});
  return {};
}

}  // namespace godwit::ops
