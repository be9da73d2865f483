// Runs a graph over the slices of its inputs, with states that go from one run to the next.
#include <algorithm>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/scan.h"

namespace godwit::ops::operators {
namespace {

// Which inputs are states and which are scanned, and how. Opset 8 has a batch axis in front of all,
// scans along the axis behind it, and takes lengths as its first input.
struct Plan {
  bool has_batch = false;
  std::size_t first = 0;  // input
  std::size_t states = 0;
  std::size_t scans = 0;
  std::size_t outputs = 0;  // behind the states
  Ints input_axes, output_axes;
  Ints input_directions, output_directions;  // 1: from the last to the first
};

Result<Ints> list_of(const Site& site, std::string_view name, std::size_t count) {
  if (!site.has(name)) return Ints(count, 0);
  Ints out = site.integers(name);
  if (out.size() != count) return refuse_attribute(site, name);
  return out;
}

Result<Plan> plan_of(const Site& site) {
  Plan plan{.has_batch = site.opset() < 9, .first = site.opset() < 9 ? 1u : 0u};
  const std::size_t inputs = site.node().inputs.size(), outputs = site.node().outputs.size();
  const std::int64_t scans = site.integer("num_scan_inputs");
  if (scans < 1 || inputs < plan.first || static_cast<std::uint64_t>(scans) > inputs - plan.first)
    return refuse_attribute(site, "num_scan_inputs");
  plan.scans = static_cast<std::size_t>(scans);
  plan.states = inputs - plan.first - plan.scans;
  if (outputs < plan.states)
    return site.refuse("counts", {{"what", "outputs"},
                                  {"found", std::to_string(outputs)},
                                  {"expected", std::to_string(plan.states)}});
  plan.outputs = outputs - plan.states;
  const bool is_old = plan.has_batch;
  ASSIGN(plan.input_directions,
         list_of(site, is_old ? "directions" : "scan_input_directions", plan.scans));
  ASSIGN(plan.input_axes, list_of(site, "scan_input_axes", plan.scans));
  ASSIGN(plan.output_axes, list_of(site, "scan_output_axes", plan.outputs));
  ASSIGN(plan.output_directions, list_of(site, "scan_output_directions", plan.outputs));
  return plan;
}

// A shape without one of its axes, or without the two in front.
Type sliced(const Type& type, std::size_t axis, std::size_t count) {
  if (!type.shape || axis + count > type.shape->size()) return Type::tensor(type.element);
  Type out = type;
  const auto at = out.shape->begin() + static_cast<std::ptrdiff_t>(axis);
  out.shape->erase(at, at + static_cast<std::ptrdiff_t>(count));
  return out;
}

Status infer(Inference& n) {
  ASSIGN(const ir::GraphId body, body_of(n));
  ASSIGN(const Plan plan, plan_of(n));
  if (!n.subgraph_types) return {};
  std::vector<Known> inputs;
  Dim steps = Dim::unknown();
  for (std::size_t i = 0; i < plan.states; ++i)
    inputs.push_back({.type = without_shape(n.type(plan.first + i))});
  for (std::size_t i = 0; i < plan.scans; ++i) {
    const Type& type = n.type(plan.first + plan.states + i);
    std::size_t axis = plan.has_batch ? 1 : 0;
    if (type.shape && !plan.has_batch) {
      ASSIGN(axis, n.axis(plan.input_axes[i], type.shape->size()));
    }
    if (type.shape && axis < type.shape->size()) steps = (*type.shape)[axis];
    inputs.push_back({.type = plan.has_batch ? sliced(type, 0, 2) : sliced(type, axis, 1)});
  }
  ASSIGN(const std::vector<Known> made, n.subgraph_types(body, std::move(inputs)));
  for (std::size_t i = 0; i < n.outputs() && i < made.size(); ++i) {
    if (plan.has_batch || i < plan.states) {
      n.set(i, plan.has_batch ? Type::tensor(made[i].type.element)
                              : ir::common(n.type(plan.first + i), made[i].type));
      continue;
    }
    ASSIGN(Type all, stacked_type(n, made[i].type, plan.output_axes[i - plan.states], steps));
    n.set(i, std::move(all));
  }
  return {};
}

// One slice of an axis, without that axis.
Result<Datum> slice_of(const Tensor& whole, std::size_t axis, std::int64_t at) {
  ASSIGN(const Tensor part, part_of(whole, axis, at, 1));
  Sizes dims = part.dims();
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  return Datum(part.reshaped(std::move(dims)));
}

class Scanning {
 public:
  Scanning(const Call& call, const Plan& plan, ir::GraphId body)
      : call_(call), plan_(plan), body_(body) {}
  /// Final states, then everything that was scanned, for inputs without a batch axis; `length`
  /// bounds the steps when it is not negative.
  Result<std::vector<Datum>> run(std::vector<Datum> states, const std::vector<Tensor>& scanned,
                                 std::int64_t length = -1);

 private:
  Result<std::int64_t> steps(const std::vector<Tensor>& scanned, std::int64_t length);

  const Call& call_;
  const Plan& plan_;
  ir::GraphId body_;
  std::vector<std::size_t> axes_{};
};

Result<std::int64_t> Scanning::steps(const std::vector<Tensor>& scanned, std::int64_t length) {
  std::int64_t steps = -1;
  axes_.clear();
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    ASSIGN(axes_.emplace_back(), call_.axis(plan_.input_axes[i], scanned[i].rank()));
    const std::int64_t found = scanned[i].dims()[axes_[i]];
    if (steps >= 0 && steps != found) return refuse_shapes(call_, {steps}, {found});
    steps = found;
  }
  if (length > steps) return refuse_index(call_, length, steps);
  return length >= 0 ? length : steps;
}

Result<std::vector<Datum>> Scanning::run(std::vector<Datum> states,
                                         const std::vector<Tensor>& scanned, std::int64_t length) {
  ASSIGN(const std::int64_t count, steps(scanned, length));
  std::vector<std::vector<Datum>> outputs(plan_.outputs);
  for (std::int64_t step = 0; step < count; ++step) {
    std::vector<Datum> inputs = std::move(states);
    for (std::size_t i = 0; i < scanned.size(); ++i) {
      const std::int64_t at = plan_.input_directions[i] ? count - 1 - step : step;
      ASSIGN(inputs.emplace_back(), slice_of(scanned[i], axes_[i], at));
    }
    ASSIGN(std::vector<Datum> made, call_.run(body_, std::move(inputs)));
    if (made.size() != plan_.states + plan_.outputs)
      return call_.refuse("counts", {{"what", "body"},
                                     {"found", std::to_string(made.size())},
                                     {"expected", std::to_string(plan_.states + plan_.outputs)}});
    for (std::size_t i = 0; i < plan_.outputs; ++i)
      outputs[i].push_back(std::move(made[plan_.states + i]));
    made.resize(plan_.states);
    states = std::move(made);
  }
  for (std::size_t i = 0; i < plan_.outputs; ++i) {
    if (plan_.output_directions[i]) std::reverse(outputs[i].begin(), outputs[i].end());
    ASSIGN(Tensor all, stacked(call_, outputs[i], plan_.output_axes[i],
                               call_.output_type(body_, plan_.states + i)));
    states.emplace_back(std::move(all));
  }
  return states;
}

// Zeros behind the steps that a shorter sequence of the batch has not taken.
Result<Tensor> lengthened(const Tensor& part, std::int64_t steps) {
  if (part.rank() == 0 || part.dims()[0] == steps) return part;
  Sizes rest = part.dims();
  rest[0] = steps - rest[0];
  ASSIGN(Tensor zeros, Tensor::make(part.type(), std::move(rest)));
  const Tensor both[] = {part, std::move(zeros)};
  return joined(both, 0);
}

// Opset 8: every sequence of the batch by itself, and all of them stacked again.
Status run_batch(Call& call, const Plan& plan, Scanning& scanning) {
  std::optional<Ints> lengths;
  if (call.has_input(0)) {
    ASSIGN(lengths, call.integers(0));
  }
  TRY(expect_rank_from(call, plan.first + plan.states, 2));
  const Sizes& dims = call.input(plan.first + plan.states).dims();
  for (std::size_t i = plan.first; i < call.inputs(); ++i) {
    TRY(expect_rank_from(call, i, 1));
    if (call.input(i).dims()[0] != dims[0]) return refuse_shapes(call, dims, call.input(i).dims());
  }
  if (lengths) TRY(expect_sizes(call, 0, {dims[0]}));
  if (dims[0] == 0) return refuse_empty(call, dims);
  std::vector<std::vector<Datum>> all(plan.states + plan.outputs);
  for (std::int64_t row = 0; row < dims[0]; ++row) {
    std::vector<Datum> states;
    std::vector<Tensor> scanned;
    for (std::size_t i = plan.first; i < call.inputs(); ++i) {
      ASSIGN(Datum part, slice_of(call.input(i), 0, row));
      if (i < plan.first + plan.states)
        states.push_back(std::move(part));
      else
        scanned.push_back(std::move(part.tensor));
    }
    const std::int64_t length = lengths ? (*lengths)[static_cast<std::size_t>(row)] : dims[1];
    if (length < 0) return refuse_index(call, length, dims[1]);
    ASSIGN(std::vector<Datum> made, scanning.run(std::move(states), scanned, length));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= plan.states) {
        ASSIGN(made[i].tensor, lengthened(made[i].tensor, dims[1]));
      }
      all[i].push_back(std::move(made[i]));
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSIGN(Tensor out, stacked(call, all[i], 0, {}));
    call.set(i, std::move(out));
  }
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const ir::GraphId body, body_of(call));
  ASSIGN(const Plan plan, plan_of(call));
  Scanning scanning(call, plan, body);
  if (plan.has_batch) return run_batch(call, plan, scanning);
  std::vector<Datum> states;
  std::vector<Tensor> scanned;
  for (std::size_t i = 0; i < plan.states; ++i) states.push_back(call.datum(i));
  for (std::size_t i = plan.states; i < call.inputs(); ++i) scanned.push_back(call.input(i));
  ASSIGN(std::vector<Datum> made, scanning.run(std::move(states), scanned));
  for (std::size_t i = 0; i < made.size(); ++i) call.set(i, std::move(made[i]));
  return {};
}

}  // namespace

extern const Operator scan = {
    .name = "Scan",
    .doc = "Runs its body over the slices of scanned inputs, handing states from run to run.",
    .since = 8,
    .inputs =
        {{.name = "sequence_lens", .variable = 'I', .types = kInt64, .kind = kOptional, .until = 8},
         {.name = "initial_state_and_scan_inputs",
          .variable = 'V',
          .types = any_tensor(16, 19),
          .kind = kMixed}},
    .outputs = {{.name = "final_state_and_scan_outputs",
                 .variable = 'V',
                 .types = any_tensor(16, 19),
                 .kind = kMixed}},
    .attributes = {{"body", kMustBeThere},
                   {"num_scan_inputs", kMustBeThere},
                   {.name = "directions", .until = 8},
                   {.name = "scan_input_axes", .since = 9},
                   {.name = "scan_input_directions", .since = 9},
                   {.name = "scan_output_axes", .since = 9},
                   {.name = "scan_output_directions", .since = 9}},
    .revisions = {9, 11, 16, 19, 21, 23, 24, 25},
    .numerics = Numerics::kControl,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
