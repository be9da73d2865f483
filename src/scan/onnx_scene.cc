// From a model to groups of nodes with verdict, tier and remedy.
#include "scan/onnx_scene.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "diag/messages.h"
#include "facts/tables.h"

namespace godwit::scan {
namespace {

struct Key {
  std::string_view domain, op;
  std::int64_t opset;
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    const std::hash<std::string_view> hash;
    return hash(key.op) * 31 + hash(key.domain) * 7 + static_cast<std::size_t>(key.opset);
  }
};

std::int64_t opset_of(std::span<const onnx::Opset> imports, std::string_view domain) {
  for (const onnx::Opset& opset : imports) {
    if (opset.domain == domain) return opset.version;
  }
  return 0;
}

// Functions of the model by (domain, name); their opset is 0 here.
using Functions = std::unordered_map<Key, onnx::Index, KeyHash>;

Functions functions_of(const onnx::Model& model) {
  Functions all;
  for (onnx::Index i = 0; i < model.functions.size(); ++i) {
    const onnx::Function& function = model.functions[i];
    const std::string_view domain = function.domain == "ai.onnx" ? "" : function.domain;
    all.emplace(Key{domain, function.name, 0}, i);
  }
  return all;
}

facts::Tier to_tier(std::string_view cell) {
  if (cell == "decompose") return facts::Tier::kDecompose;
  return cell == "custom_kernel" ? facts::Tier::kCustomKernel : facts::Tier::kUnsupported;
}

Result<std::optional<Remedy>> find_remedy(std::string_view domain, std::string_view op) {
  ASSIGN(const Table* const table, facts::table("ops/onnx_remedies.tsv", {"domain"}));
  const std::string_view wanted = domain.empty() ? "ai.onnx" : domain;
  std::optional<Remedy> best;
  for (const std::uint32_t row : table->find(table->column("domain"), wanted)) {
    const std::string_view name = facts::cell(*table, row, "op");
    if (name != op && (name != "*" || best)) continue;
    const bool zh = diag::language() == diag::Language::kChinese;
    best = Remedy{.kind = std::string(facts::cell(*table, row, "kind")),
                  .tier = to_tier(facts::cell(*table, row, "tier")),
                  .uses = replace_all(facts::cell(*table, row, "uses"), "|", ", "),
                  .how = std::string(facts::cell(*table, row, zh ? "zh" : "en"))};
    if (name == op) break;
  }
  return best;
}

// Parsers that build several operators do the work themselves: that is tier 1 for the user.
facts::Tier tier_of(const NodeGroup& group) {
  if (group.function != onnx::kNone) return facts::Tier::kDecompose;
  const bool blocked = group.verdict.verdict == facts::Verdict::kBlocked;
  if (!group.verdict.has_parser || blocked) {
    if (group.remedy) return group.remedy->tier;
    return blocked ? facts::Tier::kCustomKernel : facts::Tier::kUnsupported;
  }
  const bool open = group.verdict.verdict == facts::Verdict::kUnknown ||
                    group.verdict.verdict == facts::Verdict::kPartial;
  return open ? facts::Tier::kUnknown : facts::Tier::kDirect;
}

Result<NodeGroup> judge(const OnnxScene& scene, const Functions& functions, const Key& key) {
  NodeGroup group{.domain = key.domain, .op = key.op, .opset = key.opset};
  group.judged_opset =
      key.domain.empty() ? std::clamp(key.opset, kFirstOpset, kLastOpset) : key.opset;
  const auto function = functions.find(Key{key.domain, key.op, 0});
  if (function != functions.end()) group.function = function->second;
  if (group.function == onnx::kNone) {
    ASSIGN(group.verdict,
           facts::onnx_verdict(key.domain, key.op, group.judged_opset, scene.soc(), scene.cann));
    ASSIGN(group.remedy, find_remedy(key.domain, key.op));
  }
  group.tier = tier_of(group);
  return group;
}

// Kinds of operators in one model; real ones have some dozens.
constexpr std::size_t kMostGroups = 1 << 14;

bool is_dynamic(const onnx::Model& model, onnx::Index value) {
  const onnx::Type& type = model.values[value].type;
  if (!type.has_shape) return true;
  const auto dims = model.shape(type);
  return std::any_of(dims.begin(), dims.end(), [](const onnx::Dim& dim) { return dim.size < 0; });
}

}  // namespace

Result<OnnxScene> make_scene(const onnx::Model& model, const facts::Target& target,
                             std::string cann) {
  OnnxScene scene{.model = model, .target = target, .cann = std::move(cann)};
  scene.opset = opset_of(model.opset_imports(model.graphs[0]), "");
  scene.group_of.resize(model.nodes.size());
  const Functions functions = functions_of(model);
  std::unordered_map<Key, onnx::Index, KeyHash> known;
  for (const onnx::Graph& graph : model.graphs) {
    const auto imports = model.opset_imports(graph);
    for (onnx::Index i = graph.nodes.first; i < graph.nodes.first + graph.nodes.count; ++i) {
      const onnx::Node& node = model.nodes[i];
      const Key key{node.domain, node.op, opset_of(imports, node.domain)};
      const auto [at, is_new] = known.emplace(key, static_cast<onnx::Index>(scene.groups.size()));
      if (is_new && scene.groups.size() == kMostGroups) {
        return fail("E045", {.file = model.path},
                    {{"path", model.path}, {"most", with_thousands(kMostGroups)}});
      }
      if (is_new) {
        ASSIGN(NodeGroup group, judge(scene, functions, key));
        scene.groups.push_back(std::move(group));
      }
      scene.groups[at->second].nodes.push_back(i);
      scene.group_of[i] = at->second;
    }
  }
  for (const onnx::Index value : onnx::Model::rows(model.operands, model.graphs[0].inputs)) {
    if (value == onnx::kNone || model.values[value].tensor != onnx::kNone) continue;
    scene.inputs.push_back(value);
    scene.dynamic = scene.dynamic || is_dynamic(model, value);
  }
  return scene;
}

}  // namespace godwit::scan
