// Sums of products over labelled axes.
#include "ops/einsum.h"

#include <algorithm>
#include <map>

#include "ops/arithmetic.h"
#include "ops/call.h"
#include "ops/expand_einsum.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

Result<std::map<Label, Dim>> known_sizes(const Inference& n, const Equation& equation) {
  std::map<Label, Dim> out;
  for (std::size_t i = 0; i < equation.operands.size(); ++i) {
    for (std::size_t axis = 0; axis < equation.operands[i].size(); ++axis) {
      const auto [row, is_new] = out.emplace(equation.operands[i][axis], (*n.shape(i))[axis]);
      if (is_new) continue;
      ASSIGN(const Shape both, broadcast(n, {row->second}, {(*n.shape(i))[axis]}));
      row->second = both[0];
    }
  }
  return out;
}

Status infer(Inference& n) {
  n.set(0, n.element(0), std::nullopt);
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < n.inputs(); ++i) {
    if (!n.shape(i)) return {};
    ranks.push_back(n.shape(i)->size());
  }
  ASSIGN(const Equation equation, read_equation(n, ranks));
  ASSIGN(const auto sizes, known_sizes(n, equation));
  Shape shape;
  for (const Label label : equation.output) shape.push_back(sizes.at(label));
  n.set(0, n.element(0), std::move(shape));
  return {};
}

// A tensor whose axes have labels.
struct Operand {
  Labels labels;
  Tensor tensor;

  bool has(Label label) const {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }
};

using SizeOf = std::map<Label, std::int64_t>;

// Elements between neighbours along each label: of a diagonal all its axes at once.
std::vector<std::int64_t> label_strides(const Operand& operand, const Labels& order) {
  const Sizes& dims = operand.tensor.dims();
  const std::vector<std::int64_t> own = strides(dims);
  std::vector<std::int64_t> out;
  for (const Label label : order) {
    std::int64_t step = 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      step += operand.labels[axis] == label && dims[axis] != 1 ? own[axis] : 0;
    out.push_back(step);
  }
  return out;
}

// out[kept] = sum over all other labels of the product of the operands.
template <class Sum>
Result<Operand> contract(const std::vector<Operand>& operands, Labels kept, const SizeOf& sizes) {
  Labels order = kept;
  for (const Operand& operand : operands) {
    for (const Label label : operand.labels) {
      if (std::find(order.begin(), order.end(), label) == order.end()) order.push_back(label);
    }
  }
  Sizes dims;
  for (const Label label : order) dims.push_back(sizes.at(label));
  const Sizes kept_dims(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(kept.size()));
  ASSIGN(Tensor out, Tensor::make(ir::kElement<Sum>, kept_dims));
  const std::span<Sum> y = out.mutable_values<Sum>();
  const auto summed = static_cast<std::size_t>(product(dims, kept.size(), dims.size()));
  std::vector<std::vector<std::int64_t>> steps;
  for (const Operand& operand : operands) steps.push_back(label_strides(operand, order));
  std::size_t i = 0;
  for (Odometer at(dims, steps); !at.done(); at.next(), ++i) {
    Sum term = 1;
    for (std::size_t k = 0; k < operands.size(); ++k)
      term = wrapping_multiply(term, operands[k].tensor.values<Sum>()[at.offset(k)]);
    y[i / summed] = wrapping_add(y[i / summed], term);
  }
  return Operand{std::move(kept), std::move(out)};
}

// The labels of `from` that the output or an operand from place `next` on still needs.
Labels needed(const Operand& from, const Labels& output, const std::vector<Operand>& operands,
              std::size_t next) {
  Labels out;
  for (const Label label : from.labels) {
    bool is_needed = std::find(output.begin(), output.end(), label) != output.end();
    for (std::size_t i = next; i < operands.size() && !is_needed; ++i)
      is_needed = operands[i].has(label);
    const bool is_new = std::find(out.begin(), out.end(), label) == out.end();
    if (is_needed && is_new) out.push_back(label);
  }
  return out;
}

Result<SizeOf> read_sizes(const Call& call, const std::vector<Operand>& operands) {
  SizeOf out;
  for (const Operand& operand : operands) {
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const std::int64_t size = operand.tensor.dims()[axis];
      const auto [row, is_new] = out.emplace(operand.labels[axis], size);
      if (row->second != size && row->second != 1 && size != 1)
        return refuse_shapes(call, {row->second}, {size});
      if (row->second == 1) row->second = size;
    }
  }
  return out;
}

// Operands are taken in one after another, each label summed as soon as nobody needs it any more.
constexpr auto evaluate = []<class T>(Call& call) -> Status {
  using Sum = Accumulator<T>;
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < call.inputs(); ++i) ranks.push_back(call.input(i).rank());
  ASSIGN(const Equation equation, read_equation(call, ranks));
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    ASSIGN(Tensor wide, ir::convert(call.input(i), ir::kElement<Sum>));
    operands.push_back({equation.operands[i], std::move(wide)});
  }
  ASSIGN(const SizeOf sizes, read_sizes(call, operands));
  Operand so_far = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    ASSIGN(so_far, contract<Sum>({so_far}, needed(so_far, equation.output, operands, i), sizes));
    Operand both{so_far.labels, {}};
    both.labels.insert(both.labels.end(), operands[i].labels.begin(), operands[i].labels.end());
    ASSIGN(so_far, contract<Sum>({so_far, operands[i]},
                                 needed(both, equation.output, operands, i + 1), sizes));
  }
  ASSIGN(so_far, contract<Sum>({so_far}, equation.output, sizes));
  ASSIGN(Tensor out, ir::convert(so_far.tensor, ir::kElement<T>));
  call.set(0, std::move(out));
  return {};
};

Dim flop(const Inference& n) {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < n.inputs(); ++i) {
    if (!n.shape(i)) return Dim::unknown();
    ranks.push_back(n.shape(i)->size());
  }
  const Result<Equation> equation = read_equation(n, ranks);
  if (!equation) return Dim::unknown();
  const auto sizes = known_sizes(n, *equation);
  if (!sizes) return Dim::unknown();
  Dim out = 2;
  for (const auto& [label, size] : *sizes) out = out * size;
  return out;
}

}  // namespace

extern const Operator einsum = {
    .name = "Einsum",
    .doc = "Products of operands summed over the labels that the output does not name.",
    .since = 12,
    .inputs = {{"Inputs", 'T', numbers(28), kVariadic}},
    .outputs = {{"Output", 'T', numbers(28)}},
    .attributes = {{"equation", kMustBeThere}},
    .revisions = {28},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = by_type(Numbers(), evaluate),
    .expand = expand_einsum,
    .flop = flop,
};

}  // namespace godwit::ops::operators
