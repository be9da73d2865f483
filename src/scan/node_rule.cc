// Views of nodes for rules, and the merging of findings that say the same of several nodes.
#include "scan/node_rule.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::scan {
namespace {

// Names listed in a finding; the count says how many there are.
constexpr std::size_t kMostNames = 20;
constexpr std::size_t kNamesInMessage = 3;
// Findings of one rule; a model made to have more gets the rest counted in the last one.
constexpr std::size_t kMostFindings = 1000;

std::string snippet_of(const onnx::Model& model, const onnx::Node& node) {
  const auto names = [&](std::span<const onnx::Index> values) {
    std::vector<std::string_view> list;
    for (const onnx::Index value : values) {
      list.push_back(value == onnx::kNone ? std::string_view() : model.values[value].name);
    }
    return join(list, ", ");
  };
  return to_valid_utf8(shorten(
      format("{} = {}({})", names(model.outputs(node)), node.op, names(model.inputs(node))), 200));
}

}  // namespace

std::string NodeGroup::optype() const {
  return format("{}::{}::{}", domain.empty() ? "ai.onnx" : domain, opset, op);
}

bool NodeView::has_input(std::size_t at) const {
  return at < inputs().size() && inputs()[at] != onnx::kNone;
}

const onnx::Value* NodeView::input(std::size_t at) const {
  return has_input(at) ? &scene.model.values[inputs()[at]] : nullptr;
}

const onnx::Value* NodeView::output(std::size_t at) const {
  const bool there = at < outputs().size() && outputs()[at] != onnx::kNone;
  return there ? &scene.model.values[outputs()[at]] : nullptr;
}

std::optional<std::size_t> NodeView::rank(std::size_t at) const {
  const onnx::Value* const value = input(at);
  if (!value || !value->type.has_shape) return std::nullopt;
  return value->type.dims.count;
}

std::span<const onnx::Dim> NodeView::shape(const onnx::Value& value) const {
  return scene.model.shape(value.type);
}

std::int64_t NodeView::integer(std::string_view name, std::int64_t fallback) const {
  return scene.model.integer(node, name, fallback);
}

std::string_view NodeView::text(std::string_view name, std::string_view fallback) const {
  return scene.model.text(node, name, fallback);
}

std::vector<std::int64_t> NodeView::integers(std::string_view name) const {
  return scene.model.integers(node, name);
}

bool NodeView::has_attribute(std::string_view name) const {
  return scene.model.attribute(node, name) != nullptr;
}

NodeFindings::Merged& NodeFindings::merged(Args args, std::string_view variant) {
  std::string key(variant);
  for (const auto& [name, value] : args) key.append("\n").append(name).append("=").append(value);
  const auto known = known_.find(key);
  if (known != known_.end()) return list_[known->second];
  if (list_.size() == kMostFindings) {
    ++list_.back().finding.count;
    return list_.back();
  }
  known_.emplace(std::move(key), list_.size());
  args.emplace_back("chip", scene_.chip());
  list_.push_back({.finding = {.code = std::string(rule_.code),
                               .severity = rule_.severity,
                               .place = {.file = scene_.model.path},
                               .args = std::move(args),
                               .variant = std::string(variant)}});
  return list_.back();
}

void NodeFindings::add(const NodeView& node, Args args, std::string_view variant) {
  args.emplace_back("op", to_valid_utf8(node.node.op));
  merged(std::move(args), variant)
      .nodes.push_back(static_cast<onnx::Index>(&node.node - scene_.model.nodes.data()));
}

void NodeFindings::add(const NodeGroup& group, Args args, std::string_view variant) {
  add(group, std::move(args), variant, rule_.severity);
}

void NodeFindings::add(const NodeGroup& group, Args args, std::string_view variant,
                       diag::Severity severity) {
  args.emplace_back("op", to_valid_utf8(group.op));
  Merged& at = merged(std::move(args), variant);
  at.finding.severity = severity;
  at.nodes.insert(at.nodes.end(), group.nodes.begin(), group.nodes.end());
}

diag::Finding& NodeFindings::add(Args args, std::string_view variant) {
  return merged(std::move(args), variant).finding;
}

std::vector<diag::Finding> NodeFindings::take() {
  std::vector<diag::Finding> out;
  for (Merged& each : list_) {
    std::vector<std::string> names;
    for (const onnx::Index node : each.nodes) {
      if (names.size() == kMostNames) break;
      names.push_back(name_of(scene_.model, scene_.model.nodes[node]));
    }
    if (!names.empty()) {
      each.finding.count = static_cast<std::uint32_t>(each.nodes.size());
      each.finding.snippet = snippet_of(scene_.model, scene_.model.nodes[each.nodes.front()]);
      Json list = Json::array();
      for (const std::string& name : names) list.add(name);
      each.finding.properties.set("nodes", std::move(list));
      const bool more = each.nodes.size() > kNamesInMessage;
      names.resize(std::min(names.size(), kNamesInMessage));
      each.finding.args.emplace_back("nodes", join(names, ", ") + (more ? " …" : ""));
      each.finding.args.emplace_back("count", format("{}", each.nodes.size()));
    }
    out.push_back(std::move(each.finding));
  }
  return out;
}

std::string name_of(const onnx::Model& model, const onnx::Node& node) {
  if (!node.name.empty()) return to_valid_utf8(node.name);
  for (const onnx::Index output : model.outputs(node)) {
    if (output != onnx::kNone) return to_valid_utf8(model.values[output].name);
  }
  return to_valid_utf8(node.op);
}

}  // namespace godwit::scan
