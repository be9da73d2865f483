// Constant folding by the reference evaluations, and BatchNormalization into convolutions.
#include "exec/fold.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/pages.h"
#include "exec/evaluate.h"
#include "ops/operator.h"
#include "ops/signature.h"
#include "ops/site.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::Tensor;
using ir::ValueId;

// A fold may make this many bytes, or this many times the bytes it reads.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kMostGrowth = 4;

std::optional<std::size_t> bytes_of(const ir::Type& type) {
  const auto sizes = static_sizes(type);
  const auto elements = sizes ? ir::count(*sizes) : std::nullopt;
  if (!elements) return std::nullopt;
  return static_cast<std::size_t>(*elements) * bytes_in_memory(type.element);
}

class Folder {
 public:
  Folder(ir::Model& model, Arithmetic& arithmetic) : model_(model), arithmetic_(arithmetic) {}
  Status run();

 private:
  bool is_foldable(const ir::Node& node, const ops::Operator& op) const;
  std::optional<Tensor> shape_or_size(const ir::Node& node) const;
  void become_constant(ValueId value, Tensor tensor);
  Result<std::vector<Datum>> evaluate(const ir::Node& node) const;

  ir::Model& model_;
  Arithmetic& arithmetic_;
};

bool Folder::is_foldable(const ir::Node& node, const ops::Operator& op) const {
  if (op.numerics == ops::Numerics::kRandom || op.numerics == ops::Numerics::kControl) return false;
  if (!op.evaluate) return false;
  // It shares what it holds, and what looks for constants wants it aligned.
  if (node.op == "Constant" && node.domain.empty() && node.attribute("value")) return true;
  std::size_t read = 0, made = 0;
  for (const ValueId input : node.inputs) {
    if (input == ir::kNone) continue;
    const Tensor* const held = model_.constant(input);
    if (!held) return false;
    read += held->bytes();
  }
  for (const ValueId output : node.outputs) {
    if (output == ir::kNone) continue;
    const auto bytes = bytes_of(model_.values[output].type);
    if (!bytes) return false;
    made += *bytes;
  }
  return made <= kMostBytes || made <= kMostGrowth * read;
}

std::optional<Tensor> Folder::shape_or_size(const ir::Node& node) const {
  if (!node.domain.empty() || !ops::makes_first_output(node)) return std::nullopt;
  if (node.op != "Shape" && node.op != "Size") return std::nullopt;
  const auto sizes = static_sizes(model_.values[node.inputs[0]].type);
  if (!sizes || node.attribute("start") || node.attribute("end")) return std::nullopt;
  if (node.op == "Shape") return Tensor::integers(*sizes);
  const auto elements = ir::count(*sizes);
  return elements ? std::optional(Tensor::scalar(*elements)) : std::nullopt;
}

void Folder::become_constant(ValueId value, Tensor tensor) {
  ir::Value& row = model_.values[value];
  row.type = ir::Type::tensor(tensor.type(), ir::Shape(tensor.dims().begin(), tensor.dims().end()));
  row.constant = std::make_shared<const Tensor>(std::move(tensor));
  row.producer = ir::kNone;
  model_.main().constants.push_back(value);
}

Result<std::vector<Datum>> Folder::evaluate(const ir::Node& node) const {
  std::vector<Datum> inputs;
  for (const ValueId value : node.inputs) {
    if (value == ir::kNone) {
      inputs.emplace_back();
      continue;
    }
    ASSIGN(Tensor tensor, model_.constant(value)->aligned());
    inputs.emplace_back(std::move(tensor));
  }
  return arithmetic_.evaluate(node, std::move(inputs), {});
}

Status Folder::run() {
  std::vector<ir::NodeId> left;
  const std::vector<ir::NodeId> nodes = std::move(model_.main().nodes);
  for (const ir::NodeId id : nodes) {
    const ir::Node& node = model_.nodes[id];
    const ops::Operator* const op = ops::find_operator(node);
    if (std::optional<Tensor> known = shape_or_size(node)) {
      become_constant(node.outputs[0], *std::move(known));
      continue;
    }
    if (!op || !is_foldable(node, *op)) {
      left.push_back(id);
      continue;
    }
    Result<std::vector<Datum>> made = evaluate(node);
    const bool is_tensors = made && std::all_of(made->begin(), made->end(), [](const Datum& datum) {
                              return datum.is_tensor() || datum.kind == Datum::Kind::kNothing;
                            });
    if (!is_tensors) {
      left.push_back(id);
      continue;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] != ir::kNone)
        become_constant(node.outputs[i], std::move((*made)[i].tensor));
    }
  }
  model_.main().nodes = std::move(left);
  return {};
}

// The numbers of a constant input as doubles; nothing when it is no constant of that length.
std::optional<std::vector<double>> numbers(const ir::Model& model, ValueId value,
                                           std::size_t count) {
  const Tensor* const held = model.constant(value);
  std::optional<std::vector<double>> out = held ? to_doubles(*held) : std::nullopt;
  if (out && out->size() != count) out.reset();
  return out;
}

struct Scaling {
  std::vector<double> scale, shift;  // y = scale * x + shift, by channel
};

std::optional<Scaling> scaling_of(const ir::Model& model, const ir::Node& node,
                                  std::size_t channels) {
  const auto gamma = numbers(model, node.inputs[1], channels);
  const auto beta = numbers(model, node.inputs[2], channels);
  const auto mean = numbers(model, node.inputs[3], channels);
  const auto variance = numbers(model, node.inputs[4], channels);
  if (!gamma || !beta || !mean || !variance) return std::nullopt;
  const ops::Operator* const op = ops::find_operator(node);
  if (!op) return std::nullopt;
  const ops::Site site(*op, node);
  if (site.flag("training_mode")) return std::nullopt;
  Scaling out;
  for (std::size_t c = 0; c < channels; ++c) {
    const double scale = (*gamma)[c] / std::sqrt((*variance)[c] + site.number("epsilon"));
    out.scale.push_back(scale);
    out.shift.push_back((*beta)[c] - (*mean)[c] * scale);
  }
  return out;
}

Status scale_convolution(ir::Model& model, ir::Node& conv, const Tensor& weights,
                         const Scaling& scaling) {
  const std::size_t channels = scaling.scale.size();
  const std::size_t per_channel = static_cast<std::size_t>(weights.count()) / channels;
  ASSIGN(Tensor scaled, Tensor::make(weights.type(), weights.dims()));
  ASSIGN(const Tensor read, weights.aligned());
  const std::span<const float> from = read.values<float>();
  const std::span<float> to = scaled.mutable_values<float>();
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<float>(from[i] * scaling.scale[i / per_channel]);
  std::vector<double> bias(channels, 0);
  if (conv.inputs.size() > 2 && conv.inputs[2] != ir::kNone)
    bias = *numbers(model, conv.inputs[2], channels);
  std::vector<float> shifted(channels);
  for (std::size_t c = 0; c < channels; ++c)
    shifted[c] = static_cast<float>(bias[c] * scaling.scale[c] + scaling.shift[c]);
  conv.inputs.resize(3);
  conv.inputs[1] = model.add_constant(0, model.values[conv.inputs[1]].name, std::move(scaled));
  conv.inputs[2] = model.add_constant(
      0, conv.name + ".bias",
      Tensor::of(ir::Sizes{static_cast<std::int64_t>(channels)}, std::move(shifted)));
  return {};
}

// The convolution whose only user is this node, when its weights and bias are fp32 constants.
ir::Node* convolution_before(ir::Model& model, const ir::Users& users, const ir::Node& node) {
  const ValueId value = node.inputs[0];
  if (users.count(value) != 1 || users.is_output(value)) return nullptr;
  const ir::NodeId producer = model.values[value].producer;
  if (producer == ir::kNone) return nullptr;
  ir::Node& conv = model.nodes[producer];
  if (conv.op != "Conv" || !conv.domain.empty() || !ops::find_operator(conv)) return nullptr;
  const Tensor* const weights = model.constant(conv.inputs[1]);
  if (!weights || weights->type() != ir::ElementType::kFloat || weights->rank() < 3) return nullptr;
  const auto channels = static_cast<std::size_t>(weights->dims()[0]);
  const bool has_bias = conv.inputs.size() > 2 && conv.inputs[2] != ir::kNone;
  if (has_bias && !numbers(model, conv.inputs[2], channels)) return nullptr;
  return channels ? &conv : nullptr;
}

// The graph that an If runs for this condition.
ir::Graph* branch_of(ir::Model& model, const ir::Node& node) {
  if (node.op != "If" || !node.domain.empty() || node.inputs.empty()) return nullptr;
  const Tensor* const held = node.inputs[0] == ir::kNone ? nullptr : model.constant(node.inputs[0]);
  if (!held || held->type() != ir::ElementType::kBool || held->count() != 1) return nullptr;
  const ir::Attribute* const row =
      node.attribute(held->values<bool>()[0] ? "then_branch" : "else_branch");
  const auto* const branch = row ? std::get_if<ir::Subgraph>(&row->value) : nullptr;
  return branch ? &model.graphs[branch->graph] : nullptr;
}

// A constant of a mapped file that steps read in each run brings up to 2 MB of what lies beside it
// into memory; hundreds of biases bring the whole file.
constexpr std::size_t kSmall = 1 << 16;

Result<Tensor> copy_of(const Tensor& tensor) {
  if (tensor.type() == ir::ElementType::kString) return tensor;
  ASSIGN(Tensor copy, Tensor::make(tensor.type(), tensor.dims()));
  if (tensor.bytes() != 0) std::memcpy(copy.mutable_data(), tensor.data(), tensor.bytes());
  return copy;
}

}  // namespace

Status fold_constants(ir::Model& model, Arithmetic& arithmetic) {
  return Folder(model, arithmetic).run();
}

bool inline_branches(ir::Model& model) {
  std::vector<ir::NodeId> out;
  bool found = false;
  const std::vector<ir::NodeId> nodes = model.main().nodes;
  for (const ir::NodeId id : nodes) {
    const ir::Node node = model.nodes[id];  // a copy: the table grows
    ir::Graph* const graph = branch_of(model, node);
    if (!graph || graph->outputs.size() != node.outputs.size()) {
      out.push_back(id);
      continue;
    }
    found = true;
    const ir::Graph branch = std::exchange(*graph, {});
    out.insert(out.end(), branch.nodes.begin(), branch.nodes.end());
    std::vector<ValueId>& kept = model.main().constants;
    kept.insert(kept.end(), branch.constants.begin(), branch.constants.end());
    const std::vector<ValueId>& results = branch.outputs;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (node.outputs[i] == ir::kNone) continue;
      out.push_back(model.add_node({.name = node.name,
                                    .op = "Identity",
                                    .opset = node.opset,
                                    .inputs = {results[i]},
                                    .outputs = {node.outputs[i]}}));
    }
  }
  model.main().nodes = std::move(out);
  return found;
}

Status fold_batch_normalization(ir::Model& model) {
  const ir::Users users(model);
  std::vector<ir::NodeId> left;
  const std::vector<ir::NodeId> nodes = model.main().nodes;
  for (const ir::NodeId id : nodes) {
    left.push_back(id);
    const ir::Node node = model.nodes[id];
    if (node.op != "BatchNormalization" || !node.domain.empty() || node.inputs.size() < 5) continue;
    if (!ops::makes_first_output(node)) continue;
    // More outputs are those of training, which opsets before 14 ask for by naming places for them.
    if (node.outputs.size() != 1) continue;
    ir::Node* const conv = convolution_before(model, users, node);
    if (!conv) continue;
    const ValueId read = conv->inputs[1];
    const Tensor weights = *model.constant(read);
    const auto scaling = scaling_of(model, node, static_cast<std::size_t>(weights.dims()[0]));
    if (!scaling) continue;
    TRY(scale_convolution(model, *conv, weights, *scaling));
    give_back(weights.data(), weights.bytes());
    // Nobody else reads them: they need not be held, let alone aligned.
    if (users.count(read) == 1 && !users.is_output(read)) model.values[read].constant.reset();
    conv->outputs[0] = node.outputs[0];
    model.values[node.outputs[0]].producer = model.values[node.inputs[0]].producer;
    left.pop_back();
  }
  model.main().nodes = std::move(left);
  return {};
}

Status align_constants(ir::Model& model) {
  for (ir::Value& value : model.values) {
    if (!value.constant) continue;
    const Tensor& held = *value.constant;
    ASSIGN(Tensor ready, held.bytes() <= kSmall ? copy_of(held) : held.aligned());
    if (ready.data() == held.data()) continue;
    give_back(held.data(), held.bytes());
    value.constant = std::make_shared<const Tensor>(std::move(ready));
  }
  return {};
}

}  // namespace godwit::exec
