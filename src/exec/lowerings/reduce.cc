// Reductions along neighbouring axes: of rows where they are the last ones, else of columns.
#include <algorithm>

#include "exec/lowering.h"
#include "kernels/rows.h"

namespace godwit::exec::lowerings {
namespace {

using kernels::Reduction;

struct Function {
  std::string_view op;
  Reduction kernel;
};
constexpr Function kFunctions[] = {
    {"ReduceMax", Reduction::kMaximum},         {"ReduceMean", Reduction::kMean},
    {"ReduceMin", Reduction::kMinimum},         {"ReduceSum", Reduction::kSum},
    {"ReduceSumSquare", Reduction::kSquareSum},
};

// The axes that are folded; nothing where that is not known, or none are.
Result<std::optional<std::vector<bool>>> folded_axes(const Part& part, std::size_t rank) {
  ops::Ints list = part.integers("axes");
  if (part.input(1) != ir::kNone) {
    const ir::Tensor* const held = part.constant(part.input(1));
    const auto numbers = held ? ir::to_integers(*held) : std::nullopt;
    if (!numbers) return std::nullopt;
    list = *numbers;
  }
  if (list.empty() && part.flag("noop_with_empty_axes")) return std::nullopt;
  std::vector<bool> out(rank, list.empty());
  ASSIGN(const std::vector<std::size_t> axes, part.axes(list, rank));
  for (const std::size_t axis : axes) out[axis] = true;
  return std::optional(std::move(out));
}

// The input as [outer, folded, inner].
struct Blocks {
  std::size_t outer = 1, folded = 1, inner = 1;
};
std::optional<Blocks> blocks_of(const ir::Sizes& sizes, const std::vector<bool>& is_folded) {
  Blocks out;
  int part = 0;  // 0: in front of the folded axes, 1: among them, 2: behind
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    if (is_folded[i] && part == 2) return std::nullopt;
    part = is_folded[i] ? 1 : std::min(part * 2, 2);
    (part == 0   ? out.outer
     : part == 1 ? out.folded
                 : out.inner) *= static_cast<std::size_t>(sizes[i]);
  }
  return out;
}

Result<Step> make(const Part& part) {
  const auto sizes = part.sizes(part.input(0));
  if (!sizes || !part.is_fp32(part.input(0)) || *ir::count(*sizes) == 0) return Step();
  ASSIGN(const auto is_folded, folded_axes(part, sizes->size()));
  const std::optional<Blocks> blocks = is_folded ? blocks_of(*sizes, *is_folded) : std::nullopt;
  if (!blocks) return Step();
  const auto row = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                [&](const Function& f) { return f.op == part.op().name; });
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([b = *blocks, kernel = row->kernel, in, out = part.output(),
               store = part.store()](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    const float* const from = frame.read<float>(in);
    if (b.inner == 1) {
      kernels::reduce_rows(kernel, {from, to, b.outer, b.folded, store});
      return {};
    }
    for (std::size_t i = 0; i < b.outer; ++i)
      kernels::reduce_columns(
          kernel, {from + i * b.folded * b.inner, to + i * b.inner, b.folded, b.inner, store});
    return {};
  });
}

}  // namespace

extern const Lowering reduce = {
    .ops = {"ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "ReduceSumSquare"},
    .make = make,
};

}  // namespace godwit::exec::lowerings
