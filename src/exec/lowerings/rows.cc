// Softmax and normalisation over the last axis.
#include "kernels/rows.h"
#include "exec/lowering.h"

namespace godwit::exec::lowerings {
namespace {

// The tensor as rows along its last `axes` axes.
std::optional<kernels::Rows> rows_of(const Part& part, std::size_t axis) {
  const auto sizes = part.sizes(part.input(0));
  if (!sizes || !part.is_fp32(part.input(0)) || *ir::count(*sizes) == 0) return std::nullopt;
  kernels::Rows out{.rows = 1, .columns = 1, .store = part.store()};
  if (part.op().name == "Softmax" && part.npu() && part.npu()->chip().softmax_ties_away)
    out.store = part.store(kernels::Rounding::kNearestAway);
  for (std::size_t i = 0; i < sizes->size(); ++i)
    (i < axis ? out.rows : out.columns) *= static_cast<std::size_t>((*sizes)[i]);
  return out;
}

Result<Step> make_softmax(const Part& part, std::size_t axis, std::size_t rank) {
  if (part.opset() >= 13 && axis + 1 != rank) return Step();
  const std::optional<kernels::Rows> rows = rows_of(part, axis);
  if (!rows) return Step();
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([call = *rows, in, out = part.output()](Frame& frame) mutable -> Status {
    ASSIGN(call.out, frame.write<float>(out));
    call.in = frame.read<float>(in);
    kernels::softmax(call);
    return {};
  });
}

Result<Step> make_norm(const Part& part, std::size_t axis) {
  const std::optional<kernels::Rows> rows = rows_of(part, axis);
  const bool wants_statistics = part.node().outputs.size() > 1;
  const ir::Tensor* const scale = part.constant(part.input(1));
  const ir::Tensor* const shift = part.constant(part.input(2));
  if (!rows || wants_statistics || !scale || (part.input(2) != ir::kNone && !shift)) return Step();
  const auto fits = [&](const ir::Tensor* held) {
    return !held || (held->type() == ir::ElementType::kFloat &&
                     held->count() == static_cast<std::int64_t>(rows->columns));
  };
  if (!fits(scale) || !fits(shift)) return Step();
  const kernels::Norm norm{.scale = part.floats(part.input(1)),
                           .shift = part.floats(part.input(2)),
                           .epsilon = part.number("epsilon"),
                           .centred = part.op().name == "LayerNormalization"};
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([call = *rows, norm, in, out = part.output()](Frame& frame) mutable -> Status {
    ASSIGN(call.out, frame.write<float>(out));
    call.in = frame.read<float>(in);
    kernels::normalize(call, norm);
    return {};
  });
}

Result<Step> make(const Part& part) {
  const auto sizes = part.sizes(part.input(0));
  if (!sizes) return Step();
  ASSIGN(const std::size_t axis, part.axis("axis", sizes->size()));
  return part.op().name == "Softmax" ? make_softmax(part, axis, sizes->size())
                                     : make_norm(part, axis);
}

}  // namespace

extern const Lowering rows = {
    .ops = {"Softmax", "LayerNormalization", "RMSNormalization"},
    .make = make,
    .make_on_chip =
        [](const Part& part) {
          // The sequence of the chip's library is that of the kernel.
          const bool is_sequence =
              part.op().name == "Softmax" ||
              (part.op().name == "LayerNormalization" && part.npu()->chip().layernorm_divides);
          return is_sequence ? make(part) : Result<Step>(Step());
        },
};

}  // namespace godwit::exec::lowerings
