// LayerNormalization of the chip's library: in fp32, by a square root and a division where other
// libraries multiply by a reciprocal root, as the operator's own evaluation does. Written out step
// by step here, so that the plan's kernel has something to be held against.
#include <cmath>
#include <vector>

#include "exec/sequence.h"
#include "kernels/rows.h"
#include "ops/walk.h"

namespace godwit::exec::sequences {
namespace {

float mean_of(std::span<const float> values) {
  return kernels::ref::tree_sum(values.data(), values.size()) / static_cast<float>(values.size());
}

struct Affine {
  std::span<const float> scale, shift;  // `shift` may be empty
  float epsilon;
};

void normalize(std::span<const float> x, const Affine& affine, std::span<float> y) {
  const float mean = mean_of(x);
  std::vector<float> squares;
  for (const float value : x) squares.push_back((value - mean) * (value - mean));
  const float deviation = std::sqrt(mean_of(squares) + affine.epsilon);
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = (x[i] - mean) / deviation * affine.scale[i];
    if (!affine.shift.empty()) y[i] += affine.shift[i];
  }
}

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const ir::Sizes& dims = call.input(0).dims();
  const bool is_plain = call.input(0).type() == ir::ElementType::kFloat && !call.wants_output(1) &&
                        !call.wants_output(2) && step.chip.layernorm_divides;
  if (!is_plain) return call.op().evaluate(call);
  ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
  const auto length = static_cast<std::size_t>(ops::product(dims, axis, dims.size()));
  const auto is_row = [&](std::size_t i) {
    return !call.has_input(i) || static_cast<std::size_t>(call.input(i).count()) == length;
  };
  if (length == 0 || !is_row(1) || !is_row(2)) return call.op().evaluate(call);
  const std::span<const float> x = call.values<float>(0);
  ASSIGN(const std::span<float> y, call.make<float>(0, dims));
  const Affine affine{.scale = call.values<float>(1),
                      .shift = call.has_input(2) ? call.values<float>(2) : std::span<const float>(),
                      .epsilon = call.number("epsilon")};
  for (std::size_t at = 0; at < x.size(); at += length)
    normalize(x.subspan(at, length), affine, y.subspan(at, length));
  return {};
}

}  // namespace

extern const Sequence layer_normalization = {.op = "LayerNormalization", .run = run};

}  // namespace godwit::exec::sequences
