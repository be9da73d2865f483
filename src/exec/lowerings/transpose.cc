// Permuting the axes of an fp32 tensor, in tiles that stay in the cache.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/parallel.h"
#include "exec/lowering.h"
#include "ops/walk.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Sizes;

constexpr std::size_t kTile = 16;

// One axis of the output: its length, and its distance in the input and in the output.
struct Axis {
  std::size_t size, from, to;
};

// The axes of the output; neighbours that are neighbours in the input too are one.
std::vector<Axis> axes_of(const Sizes& dims, const ops::Ints& order) {
  const std::vector<std::int64_t> in = ops::strides(dims);
  std::vector<Axis> out;
  std::size_t to = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto axis = static_cast<std::size_t>(order[i]);
    const auto size = static_cast<std::size_t>(dims[axis]);
    const auto from = static_cast<std::size_t>(in[axis]);
    if (size == 1) continue;
    if (!out.empty() && from == out.back().from * out.back().size)
      out.back().size *= size;
    else
      out.push_back({size, from, to});
    to *= size;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// out[r, c] = in[c, r] for the two axes; `c` is dense in the output, `r` in the input.
void transpose_plane(const float* in, float* out, const Axis& r, const Axis& c) {
  for (std::size_t r0 = 0; r0 < r.size; r0 += kTile) {
    const std::size_t r1 = std::min(r.size, r0 + kTile);
    for (std::size_t c0 = 0; c0 < c.size; c0 += kTile) {
      const std::size_t c1 = std::min(c.size, c0 + kTile);
      for (std::size_t i = r0; i < r1; ++i) {
        for (std::size_t j = c0; j < c1; ++j) out[i * r.to + j] = in[i + j * c.from];
      }
    }
  }
}

struct Plan {
  std::vector<Axis> outer;  // walked one by one
  Axis rows{1, 1, 1};       // dense in the input; only of a plane
  Axis columns{1, 1, 1};    // dense in the output
};

Plan plan_of(std::vector<Axis> axes) {
  Plan out;
  if (axes.empty()) return out;
  out.columns = axes.back();
  axes.pop_back();
  const auto dense =
      std::find_if(axes.begin(), axes.end(), [](const Axis& axis) { return axis.from == 1; });
  if (dense != axes.end()) {
    out.rows = *dense;
    axes.erase(dense);
  }
  out.outer = std::move(axes);
  return out;
}

void run(const Plan& plan, const float* in, float* out) {
  std::size_t count = 1;
  for (const Axis& axis : plan.outer) count *= axis.size;
  parallel_for(count, [&](std::size_t index, std::size_t) {
    std::size_t from = 0, to = 0;
    for (std::size_t i = plan.outer.size(); i-- > 0;) {
      const Axis& axis = plan.outer[i];
      from += index % axis.size * axis.from;
      to += index % axis.size * axis.to;
      index /= axis.size;
    }
    if (plan.columns.from == 1)
      std::memcpy(out + to, in + from, plan.columns.size * sizeof(float));
    else
      transpose_plane(in + from, out + to, plan.rows, plan.columns);
  });
}

Result<Step> make(const Part& part) {
  const auto sizes = part.sizes(part.input(0));
  if (!sizes || !part.is_fp32(part.input(0)) || *ir::count(*sizes) == 0) return Step();
  if (!part.keeps_bits()) return Step();
  ops::Ints order = part.integers("perm");
  if (order.empty()) {
    order.resize(sizes->size());
    std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  }
  const Plan plan = plan_of(axes_of(*sizes, order));
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([plan, in, out = part.output()](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    run(plan, frame.read<float>(in), to);
    return {};
  });
}

}  // namespace

extern const Lowering transpose = {
    .ops = {"Transpose"},
    .make = make,
    .make_on_chip = make,
};

}  // namespace godwit::exec::lowerings
