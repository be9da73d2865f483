// Slices of a tensor by a list of places, which is known or comes in each run.
#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "base/text.h"
#include "exec/lowering.h"

namespace godwit::exec::lowerings {
namespace {

constexpr std::size_t kTask = 1 << 15;  // elements that are worth waking a thread for

// The data as [outer, size, inner]: one slice of `inner` elements for each place.
struct Slices {
  std::size_t outer = 1, inner = 1, count = 0;
  std::int64_t size = 0;
};

std::optional<Slices> slices_of(const Part& part, std::size_t axis) {
  const auto data = part.sizes(part.input(0)), places = part.sizes(part.input(1));
  if (!data || !places || axis >= data->size()) return std::nullopt;
  Slices out{.count = static_cast<std::size_t>(*ir::count(*places)), .size = (*data)[axis]};
  for (std::size_t i = 0; i < data->size(); ++i) {
    if (i != axis) (i < axis ? out.outer : out.inner) *= static_cast<std::size_t>((*data)[i]);
  }
  return out;
}

// Errors: E151 a place outside the axis.
template <class Index>
Status gather(const Slices& s, const float* data, const Index* places, float* out,
              const ops::Site& site) {
  const auto is_outside = [&](Index place) { return place < -s.size || place >= s.size; };
  const Index* const wrong = std::find_if(places, places + s.count, is_outside);
  if (wrong != places + s.count) {
    return site.refuse("index", {{"index", format("{}", static_cast<std::int64_t>(*wrong))},
                                 {"size", format("{}", s.size)}});
  }
  const std::size_t slices = s.outer * s.count;
  const std::size_t per_task = std::max<std::size_t>(1, kTask / std::max<std::size_t>(1, s.inner));
  parallel_for((slices + per_task - 1) / per_task, [&](std::size_t task, std::size_t) {
    for (std::size_t i = task * per_task; i < std::min(slices, (task + 1) * per_task); ++i) {
      const auto place = static_cast<std::int64_t>(places[i % s.count]);
      const auto from = static_cast<std::size_t>(place < 0 ? place + s.size : place);
      const std::size_t plane = i / s.count * static_cast<std::size_t>(s.size);
      std::memcpy(out + i * s.inner, data + (plane + from) * s.inner, s.inner * sizeof(float));
    }
  });
  return {};
}

template <class Index>
Result<Step> make_for(const Part& part, const Slices& slices) {
  ASSIGN(const ir::ValueId data, part.reads(part.input(0)));
  ASSIGN(const ir::ValueId places, part.reads(part.input(1)));
  // The operator and the node are those of the plan's model, which outlives its steps.
  return Step([slices, data, places, out = part.output(), &op = part.op(),
               &node = part.node()](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    return gather(slices, frame.read<float>(data), frame.read<Index>(places), to,
                  ops::Site(op, node));
  });
}

Result<Step> make(const Part& part) {
  const auto data = part.sizes(part.input(0));
  if (!data || !part.is_fp32(part.input(0))) return Step();
  ASSIGN(const std::size_t axis, part.axis("axis", data->size()));
  const std::optional<Slices> slices = slices_of(part, axis);
  if (!slices || slices->count == 0 || slices->outer * slices->inner == 0) return Step();
  switch (part.element(part.input(1))) {
    case ir::ElementType::kInt32: return make_for<std::int32_t>(part, *slices);
    case ir::ElementType::kInt64: return make_for<std::int64_t>(part, *slices);
    default: return Step();
  }
}

}  // namespace

extern const Lowering gather = {
    .ops = {"Gather"},
    .make = make,
    .make_on_chip =
        [](const Part& part) { return part.keeps_bits() ? make(part) : Result<Step>(Step()); },
};

}  // namespace godwit::exec::lowerings
