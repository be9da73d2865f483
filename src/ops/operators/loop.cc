// Runs a graph again and again, for a number of times or while a condition holds.
#include <algorithm>

#include "ops/scan.h"

namespace godwit::ops::operators {
namespace {

constexpr std::size_t kStates = 2;  // the first input that is a state; the body counts alike

// The body sees states of any size: they may change from run to run.
Status infer(Inference& n) {
  ASSIGN(const ir::GraphId body, body_of(n));
  if (!n.subgraph_types) return {};
  std::vector<Known> inputs = {{.type = Type::tensor(ElementType::kInt64, Shape{})},
                               {.type = Type::tensor(ElementType::kBool)}};
  for (std::size_t i = kStates; i < n.inputs(); ++i)
    inputs.push_back({.type = without_shape(n.type(i))});
  ASSIGN(const std::vector<Known> made, n.subgraph_types(body, std::move(inputs)));
  const std::size_t states = std::max(n.inputs(), kStates) - kStates;
  for (std::size_t i = 0; i < n.outputs() && i + 1 < made.size(); ++i) {
    const Type& each = made[i + 1].type;
    if (i < states) {
      n.set(i, ir::common(n.type(i + kStates), each));
      continue;
    }
    ASSIGN(Type all, stacked_type(n, each, 0, Dim::unknown()));
    n.set(i, std::move(all));
  }
  return {};
}

class Looping {
 public:
  Looping(Call& call, ir::GraphId body) : call_(call), body_(body) {}
  Status run();

 private:
  Result<bool> once(std::int64_t iteration, bool goes_on);
  Status finish();

  Call& call_;
  ir::GraphId body_;
  std::vector<Datum> states_{};
  std::vector<std::vector<Datum>> scans_{};  // of each output behind the states, one per run
};

// One run of the body; whether another one follows.
Result<bool> Looping::once(std::int64_t iteration, bool goes_on) {
  ASSIGN(Tensor condition, Tensor::make(ElementType::kBool, {}));
  condition.mutable_values<bool>()[0] = goes_on;
  std::vector<Datum> inputs = {Tensor::scalar(iteration), std::move(condition)};
  inputs.insert(inputs.end(), states_.begin(), states_.end());
  ASSIGN(std::vector<Datum> made, call_.run(body_, std::move(inputs)));
  if (made.size() != 1 + states_.size() + scans_.size())
    return call_.refuse("counts",
                        {{"what", "body"},
                         {"found", std::to_string(made.size())},
                         {"expected", std::to_string(1 + states_.size() + scans_.size())}});
  for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = std::move(made[i + 1]);
  for (std::size_t i = 0; i < scans_.size(); ++i)
    scans_[i].push_back(std::move(made[i + 1 + states_.size()]));
  const Tensor& next = made[0].tensor;
  if (next.type() != ElementType::kBool || next.count() != 1)
    return call_.refuse("not_scalar", {{"input", "cond"}, {"dims", ir::to_string(next.dims())}});
  return next.values<bool>()[0];
}

Status Looping::run() {
  for (std::size_t i = kStates; i < call_.inputs(); ++i) states_.push_back(call_.datum(i));
  if (call_.outputs() < states_.size())
    return call_.refuse("counts", {{"what", "outputs"},
                                   {"found", std::to_string(call_.outputs())},
                                   {"expected", std::to_string(states_.size())}});
  scans_.resize(call_.outputs() - states_.size());
  double trips = -1, condition = 1;
  if (call_.has_input(0)) {
    ASSIGN(trips, call_.scalar(0));
  }
  if (call_.has_input(1)) {
    ASSIGN(condition, call_.scalar(1));
  }
  bool goes_on = condition != 0;
  for (std::int64_t i = 0; goes_on && (!call_.has_input(0) || static_cast<double>(i) < trips);
       ++i) {
    ASSIGN(goes_on, once(i, goes_on));
    if (!call_.has_input(1)) goes_on = true;  // without a condition only the count ends it
  }
  return finish();
}

Status Looping::finish() {
  for (std::size_t i = 0; i < states_.size(); ++i) call_.set(i, std::move(states_[i]));
  for (std::size_t i = 0; i < scans_.size(); ++i) {
    const std::size_t output = i + states_.size();
    ASSIGN(Tensor all, stacked(call_, scans_[i], 0, call_.output_type(body_, output + 1)));
    call_.set(output, std::move(all));
  }
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const ir::GraphId body, body_of(call));
  return Looping(call, body).run();
}

}  // namespace

extern const Operator loop = {
    .name = "Loop",
    .doc = "Runs its body M times, or while the condition holds that the body returns.",
    .inputs = {{"M", 'I', kInt64, kOptional},
               {"cond", 'B', kBool, kOptional},
               {.name = "v_initial",
                .variable = 'V',
                .types = any_tensor(16, 19),
                .kind = kMixed,
                .form = Form::kTensor | since(13, Form::kSequence) | since(16, Form::kOptional)}},
    .outputs = {{.name = "v_final_and_scan_outputs",
                 .variable = 'V',
                 .types = any_tensor(16, 19),
                 .kind = kMixed,
                 .form = Form::kTensor | since(13, Form::kSequence) | since(16, Form::kOptional)}},
    .attributes = {{"body", kMustBeThere}},
    .revisions = {11, 13, 16, 19, 21, 23, 24, 25},
    .numerics = Numerics::kControl,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
