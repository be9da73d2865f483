// Rules of the ONNX scanner: what a rule sees of a judged model, and what it says about it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diag/finding.h"
#include "facts/graph.h"
#include "facts/soc.h"
#include "formats/onnx/external.h"
#include "formats/onnx/model.h"
#include "scan/onnx_memory.h"

namespace godwit::scan {

struct NodeRule;

/// What is known about an operator that ATC cannot take as it is: a row of ops/onnx_remedies.tsv.
struct Remedy {
  std::string kind{};  // "quantised", "control_flow" … : the rule that speaks about it
  facts::Tier tier = facts::Tier::kUnknown;
  std::string uses{};  // operators to build it from
  std::string how{};   // in the language of the user
};

/// Nodes of one (domain, operator, opset): what a verdict depends on.
struct NodeGroup {
  std::string_view domain{};  // empty: ai.onnx
  std::string_view op{};
  std::int64_t opset = 0;              // as imported; 0: not imported
  std::int64_t judged_opset = 0;       // the nearest one that ATC reads
  onnx::Index function = onnx::kNone;  // the function of this model that the nodes call
  facts::GraphVerdict verdict{};
  facts::Tier tier = facts::Tier::kUnknown;
  std::optional<Remedy> remedy{};
  std::vector<onnx::Index> nodes{};

  bool is(std::string_view name) const { return domain.empty() && op == name; }
  /// "ai.onnx::17::Gelu", as ATC's messages write it.
  std::string optype() const;
};

/// A model that was read and judged.
struct OnnxScene {
  const onnx::Model& model;
  const facts::Target& target;
  std::string cann{};      // release asked for; empty: the newest known
  std::int64_t opset = 0;  // of ai.onnx, as the model imports it
  std::vector<NodeGroup> groups{};
  std::vector<onnx::Index> group_of{};  // by node
  std::vector<onnx::Index> inputs{};    // values that the caller gives: no initialiser
  std::vector<onnx::ExternalFile> external{};
  std::uint64_t file_bytes = 0;
  OnnxMemory memory{};
  bool dynamic = false;  // an input has a dimension that is not known

  const facts::Soc& soc() const { return target.soc; }
  const std::string& chip() const { return target.soc.soc_version; }
};

/// One node in its scene.
struct NodeView {
  const OnnxScene& scene;
  const NodeGroup& group;
  const onnx::Node& node;

  std::span<const onnx::Index> inputs() const { return scene.model.inputs(node); }
  std::span<const onnx::Index> outputs() const { return scene.model.outputs(node); }
  bool has_input(std::size_t at) const;
  const onnx::Value* input(std::size_t at) const;  // null when left out
  const onnx::Value* output(std::size_t at) const;
  /// Rank of an input; nothing when its shape is not known.
  std::optional<std::size_t> rank(std::size_t input) const;
  std::span<const onnx::Dim> shape(const onnx::Value& value) const;
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  std::string_view text(std::string_view name, std::string_view fallback) const;
  std::vector<std::int64_t> integers(std::string_view name) const;
  bool has_attribute(std::string_view name) const;
};

/// What one rule found; findings that say the same of several nodes become one with their names.
class NodeFindings {
 public:
  NodeFindings(const NodeRule& rule, const OnnxScene& scene) : rule_(rule), scene_(scene) {}

  void add(const NodeView& node, Args args = {}, std::string_view variant = {});
  void add(const NodeGroup& group, Args args = {}, std::string_view variant = {});
  void add(const NodeGroup& group, Args args, std::string_view variant, diag::Severity severity);
  /// About the model; the finding may be changed further.
  diag::Finding& add(Args args = {}, std::string_view variant = {});
  std::vector<diag::Finding> take();

 private:
  struct Merged {
    diag::Finding finding;
    std::vector<onnx::Index> nodes;
  };
  Merged& merged(Args args, std::string_view variant);

  const NodeRule& rule_;
  const OnnxScene& scene_;
  std::vector<Merged> list_;
  std::map<std::string, std::size_t> known_;
};

struct NodeRule {
  std::string_view code;
  diag::Severity severity = diag::Severity::kWarning;
  std::vector<std::string_view> ops = {};  // of ai.onnx; empty: all
  // Each may be absent: once per group of nodes, per node, per model.
  void (*group)(const OnnxScene&, const NodeGroup&, NodeFindings&) = nullptr;
  void (*node)(const NodeView&, NodeFindings&) = nullptr;
  void (*model)(const OnnxScene&, NodeFindings&) = nullptr;
};

extern const std::span<const NodeRule* const> kNodeRules;

/// "conv1", or "output y" of a node without a name.
std::string name_of(const onnx::Model& model, const onnx::Node& node);

}  // namespace godwit::scan
