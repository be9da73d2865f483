// Operators that only move values: where each element comes from is learned once, by letting the
// reference evaluation move numbers that say their place.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/parallel.h"
#include "exec/evaluate.h"
#include "exec/linear_resize.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Datum;
using ir::Tensor;

constexpr std::size_t kMostPlaces = std::size_t{1} << 24;  // that a float can say
constexpr std::size_t kMostRuns = std::size_t{1} << 20;
constexpr std::size_t kTask = 1 << 15;  // elements that are worth waking a thread for

// Elements that stand side by side before and after.
struct Run {
  std::size_t source, from, to, count;
};

/// The runs of one plane, and how often it comes again with everything moved on.
struct Moves {
  std::vector<Run> runs;
  std::size_t planes = 1, in_step = 0, out_step = 0;
};

std::size_t count_of(const ir::Sizes& sizes) { return static_cast<std::size_t>(*ir::count(sizes)); }

// Of Concat all inputs are moved, of others the first one.
std::optional<std::vector<ir::ValueId>> sources_of(const Part& part) {
  const std::size_t moved = part.op().name == "Concat" ? part.node().inputs.size() : 1;
  std::vector<ir::ValueId> out;
  for (std::size_t i = 0; i < part.node().inputs.size(); ++i) {
    const ir::ValueId value = part.input(i);
    if (i < moved) {
      if (!part.is_fp32(value) || !part.sizes(value)) return std::nullopt;
      out.push_back(value);
    } else if (value != ir::kNone && !part.constant(value)) {
      return std::nullopt;
    }
  }
  return out;
}

// The node's output for inputs whose elements are their own places, one input behind the other.
Result<std::vector<float>> places(const Part& part, std::size_t moved) {
  std::vector<Datum> inputs;
  float next = 0;
  for (std::size_t i = 0; i < part.node().inputs.size(); ++i) {
    const ir::ValueId value = part.input(i);
    if (i >= moved) {
      inputs.push_back(value == ir::kNone ? Datum() : Datum(*part.constant(value)));
      continue;
    }
    ASSIGN(Tensor numbers, Tensor::make(ir::ElementType::kFloat, *part.sizes(value)));
    const std::span<float> at = numbers.mutable_values<float>();
    std::iota(at.begin(), at.end(), next);
    next += static_cast<float>(at.size());
    inputs.emplace_back(std::move(numbers));
  }
  ASSIGN(const std::vector<Datum> made, evaluate(part.node(), std::move(inputs), {}));
  const std::span<const float> out = made[0].tensor.values<float>();
  return std::vector<float>(out.begin(), out.end());
}

// How often the map begins anew with all places moved on by as much: images have many channels.
std::size_t planes_of(const std::vector<float>& map, std::size_t in, const ir::Sizes& out) {
  std::size_t planes = 1, best = 1;
  for (std::size_t axis = 0; axis + 1 < out.size(); ++axis) {
    planes *= static_cast<std::size_t>(out[axis]);
    if (map.size() % planes != 0 || in % planes != 0) break;
    const std::size_t length = map.size() / planes;
    const auto step = static_cast<float>(in / planes);
    bool repeats = true;
    for (std::size_t i = length; i < map.size() && repeats; ++i)
      repeats = map[i] == map[i - length] + step;
    if (!repeats) break;
    best = planes;
  }
  return best;
}

std::optional<Moves> moves_of(const Part& part, const std::vector<ir::ValueId>& sources,
                              const std::vector<float>& map) {
  std::vector<std::size_t> starts = {0};  // of each source among the places
  for (const ir::ValueId value : sources)
    starts.push_back(starts.back() + count_of(*part.sizes(value)));
  Moves out;
  if (sources.size() == 1) out.planes = planes_of(map, starts[1], *part.sizes(part.output()));
  out.in_step = starts[1] / out.planes;
  out.out_step = map.size() / out.planes;
  for (std::size_t to = 0; to < out.out_step; ++to) {
    const auto place = static_cast<std::size_t>(map[to]);
    const auto behind = std::upper_bound(starts.begin(), starts.end(), place);
    const auto source = static_cast<std::size_t>(behind - starts.begin()) - 1;
    const std::size_t from = place - starts[source];
    const bool goes_on = !out.runs.empty() && out.runs.back().source == source &&
                         out.runs.back().from + out.runs.back().count == from;
    if (goes_on)
      ++out.runs.back().count;
    else
      out.runs.push_back({source, from, to, 1});
    if (out.runs.size() > kMostRuns) return std::nullopt;
  }
  return out;
}

void run(const Moves& moves, const std::vector<const float*>& sources, float* out) {
  const std::size_t runs = moves.runs.size();
  const std::size_t each =
      std::max<std::size_t>(1, moves.out_step / std::max<std::size_t>(1, runs));
  const std::size_t per_task = std::max<std::size_t>(1, kTask / each);
  const std::size_t tasks = (runs * moves.planes + per_task - 1) / per_task;
  parallel_for(tasks, [&](std::size_t task, std::size_t) {
    const std::size_t end = std::min(runs * moves.planes, (task + 1) * per_task);
    for (std::size_t i = task * per_task; i < end; ++i) {
      const std::size_t plane = i / runs;
      const Run& one = moves.runs[i % runs];
      const float* const from = sources[one.source] + plane * moves.in_step + one.from;
      float* const to = out + plane * moves.out_step + one.to;
      if (one.count == 1)
        *to = *from;
      else
        std::memcpy(to, from, one.count * sizeof(float));
    }
  });
}

// Other modes of resizing compute, and one fills up with a number of its own.
bool only_moves(const Part& part) {
  const std::string_view op = part.op().name;
  if (op != "Resize" && op != "Upsample") return true;
  return part.text("mode") == "nearest" &&
         part.text("coordinate_transformation_mode") != "tf_crop_and_resize";
}

Result<Step> make(const Part& part) {
  const auto sizes = part.sizes(part.output());
  const auto sources = sources_of(part);
  if (!only_moves(part)) return make_linear_resize(part);
  if (!sizes || !sources || sources->empty()) return Step();
  std::size_t read = 0;
  for (const ir::ValueId value : *sources) read += count_of(*part.sizes(value));
  if (read == 0 || read >= kMostPlaces || count_of(*sizes) == 0) return Step();
  const auto map = places(part, sources->size());
  if (!map || map->size() != count_of(*sizes)) return Step();  // the evaluation says why, when run
  const std::optional<Moves> moves = moves_of(part, *sources, *map);
  if (!moves) return Step();
  std::vector<ir::ValueId> values;
  for (const ir::ValueId value : *sources) {
    ASSIGN(const ir::ValueId plain, part.reads(value));
    values.push_back(plain);
  }
  return Step([moves = *moves, values, out = part.output()](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    std::vector<const float*> from;
    for (const ir::ValueId value : values) from.push_back(frame.read<float>(value));
    run(moves, from, to);
    return {};
  });
}

Result<Step> make_on_chip(const Part& part) {
  const auto how = [&](ir::ValueId value) { return part.npu()->storing(value).how; };
  const std::size_t moved = part.op().name == "Concat" ? part.node().inputs.size() : 1;
  for (std::size_t i = 0; i < moved; ++i) {
    if (part.input(i) == ir::kNone || !(how(part.input(i)) == how(part.node().outputs[0])))
      return Step();
  }
  // An infinity that is stored once more is counted once more, but for operators that never count.
  const bool counts = part.op().numerics != ops::Numerics::kExact && !part.npu()->chip().saturates;
  return counts || !only_moves(part) ? Result<Step>(Step()) : make(part);
}

}  // namespace

extern const Lowering move = {
    .ops = {"Concat", "DepthToSpace", "Expand", "Resize", "Slice", "SpaceToDepth", "Tile",
            "Upsample"},
    .make = make,
    .make_on_chip = make_on_chip,
};

}  // namespace godwit::exec::lowerings
