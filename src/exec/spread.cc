// Runs the model once for each choice.
#include "exec/spread.h"

#include <cmath>
#include <optional>

#include "base/text.h"
#include "compare/pair.h"
#include "exec/interpreter.h"
#include "exec/plan.h"

namespace godwit::exec {
namespace {

using ir::Datum;

struct Order {
  std::string_view name;
  kernels::Order order;
};
constexpr Order kCompared[] = {{"cube16", kernels::Order::kCube16},
                               {"sequential", kernels::Order::kSequential},
                               {"exact", kernels::Order::kExact}};

Result<std::vector<Datum>> predict(const ir::Model& model, const facts::Numerics& chip,
                                   const NpuOptions& options, const std::vector<Datum>& inputs,
                                   std::uint64_t seed) {
  Npu npu(model, chip, options);
  auto plan = Plan::make(with_input_sizes(model, inputs), {.npu = &npu});
  if (plan) return plan->run(inputs, nullptr, seed);
  return run(model, inputs, {.arithmetic = &npu, .seed = seed});
}

// Nothing where one side holds no numbers, or other sizes.
std::optional<double> distance(const Datum& from, const Datum& to) {
  if (!from.is_tensor() || !to.is_tensor()) return std::nullopt;
  const auto a = compare::numbers(from.tensor), b = compare::numbers(to.tensor);
  if (!a || !b || a->size() != b->size()) return std::nullopt;
  std::vector<double> error(a->size());
  for (std::size_t i = 0; i < error.size(); ++i) error[i] = (*b)[i] - (*a)[i];
  const double size = compare::rms(*a), apart = compare::rms(error);
  return size > 0 ? apart / size : apart;
}

}  // namespace

Result<std::vector<Spread>> spread(const ir::Model& model, const facts::Numerics& chip,
                                   const NpuOptions& options, const std::vector<Datum>& inputs,
                                   std::uint64_t seed) {
  ASSIGN(const std::vector<Datum> middle, predict(model, chip, options, inputs, seed));
  std::vector<Spread> out(middle.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i].output = model.main().outputs[i];
  for (const Stores stores : {Stores::kUnfused, Stores::kFused}) {
    for (const Order& order : kCompared) {
      NpuOptions one = options;
      one.stores = stores;
      one.order = order.order;
      ASSIGN(const std::vector<Datum> made, predict(model, chip, one, inputs, seed));
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::optional<double> apart = distance(middle[i], made[i]);
        const bool is_farther = out[i].farthest.empty() || (apart && *apart > out[i].distance);
        if (!apart || !is_farther) continue;
        out[i].distance = *apart;
        out[i].farthest =
            format("{}, {}", order.name, stores == Stores::kFused ? "fused" : "unfused");
      }
    }
  }
  std::erase_if(out, [](const Spread& each) { return each.farthest.empty(); });
  return out;
}

}  // namespace godwit::exec
