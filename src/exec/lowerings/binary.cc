// Arithmetic of two tensors, where broadcasting repeats scalars, rows or columns.
#include <algorithm>
#include <array>

#include "exec/lowering.h"
#include "kernels/elementwise.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Sizes;
using kernels::Binary;

struct Function {
  std::string_view op;
  Binary kernel;
};
constexpr Function kFunctions[] = {
    {"Add", Binary::kAdd},    {"Sub", Binary::kSubtract}, {"Mul", Binary::kMultiply},
    {"Div", Binary::kDivide}, {"Min", Binary::kMinimum},  {"Max", Binary::kMaximum},
    {"Pow", Binary::kPower},
};

// Neighbouring axes of the output along which the same operands are repeated.
struct Group {
  std::size_t size = 1;
  std::array<bool, 2> repeats{};
};

std::vector<Group> groups_of(const Sizes& out, const std::array<Sizes, 2>& operands) {
  std::vector<Group> groups;
  for (std::size_t axis = 0; axis < out.size(); ++axis) {
    if (out[axis] == 1) continue;
    Group now{static_cast<std::size_t>(out[axis]), {}};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t missing = out.size() - operands[i].size();
      now.repeats[i] = axis < missing || operands[i][axis - missing] == 1;
    }
    if (!groups.empty() && groups.back().repeats == now.repeats)
      groups.back().size *= now.size;
    else
      groups.push_back(now);
  }
  return groups;
}

kernels::Operand operand(const std::vector<Group>& groups, std::size_t i) {
  const bool repeats_rows = groups[0].repeats[i], repeats_columns = groups[1].repeats[i];
  const std::size_t width = repeats_columns ? 1 : groups[1].size;
  return {nullptr, repeats_rows ? 0 : width, repeats_columns ? std::size_t{0} : std::size_t{1}};
}

// Operands of one shape, in whatever order one of them lies: element by element all are the same.
kernels::engine::Layout shared_layout(const Part& part, const Sizes& sizes) {
  Layouts& layouts = part.layouts();
  if (!layouts.may_be_blocked(part.output())) return {};
  for (std::size_t i = 0; i < 2; ++i) {
    const kernels::engine::Layout layout = layouts.of(part.input(i));
    const auto bytes = static_cast<std::size_t>(*ir::count(sizes)) * sizeof(float);
    // What fills up blocks must stay zero for who reads them next.
    if (!layout.is_any() && !layout.is_plain() && layout.bytes() == bytes) return layout;
  }
  return {};
}

Result<Step> make(const Part& part) {
  const auto out = part.sizes(part.output());
  const auto a = part.sizes(part.input(0)), b = part.sizes(part.input(1));
  const bool is_fp32 = part.is_fp32(part.input(0)) && part.is_fp32(part.input(1));
  const bool aligns_left = part.opset() < 7 && a != b;  // the attributes axis and broadcast
  if (!out || !a || !b || !is_fp32 || aligns_left || part.node().inputs.size() != 2) return Step();
  std::vector<Group> groups = groups_of(*out, {*a, *b});
  if (groups.size() > 2) return Step();
  while (groups.size() < 2) groups.insert(groups.begin(), Group{1, {true, true}});
  const auto row = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                [&](const Function& f) { return f.op == part.op().name; });
  kernels::BinaryCall call{.op = row->kernel,
                           .x = operand(groups, 0),
                           .y = operand(groups, 1),
                           .rows = groups[0].size,
                           .columns = groups[1].size,
                           .store = part.store()};
  if (*ir::count(*out) == 0) call.rows = 0;
  const kernels::engine::Layout layout =
      *a == *b ? shared_layout(part, *out) : kernels::engine::Layout();
  ASSIGN(const ir::ValueId x, part.reads(part.input(0), layout));
  ASSIGN(const ir::ValueId y, part.reads(part.input(1), layout));
  if (!layout.is_any()) part.layouts().set(part.output(), layout);
  return Step([=, to = part.output()](Frame& frame) mutable -> Status {
    ASSIGN(call.out, frame.write<float>(to));
    call.x.data = frame.read<float>(x);
    call.y.data = frame.read<float>(y);
    kernels::binary(call);
    return {};
  });
}

}  // namespace

extern const Lowering binary = {
    .ops = {"Add", "Sub", "Mul", "Div", "Min", "Max", "Pow"},
    .make = make,
};

}  // namespace godwit::exec::lowerings
