// BF16 in Python for a chip that has none: FP16 takes its place, and every place is said, because
// FP16 reaches 65504 only and training needs a scaler.
#include "base/text.h"
#include "port/literals.h"
#include "port/precision.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// A table, a list of choices or a comparison offers BF16; it does not use it.
bool is_offered(const Subject& subject, NodeIndex node) {
  for (NodeIndex at = subject[node].parent; at != kNoNode; at = subject[at].parent) {
    switch (subject[at].kind) {
      case Kind::kPair:
      case Kind::kList:
      case Kind::kSet:
      case Kind::kComparisonOperator: return true;
      case Kind::kTuple: return true;
      // Chosen against FP16 by a test of the program's own.
      case Kind::kConditionalExpression:
        if (contains(subject.text(at), "torch.float16") || contains(subject.text(at), "torch.half"))
          return true;
        break;
      case Kind::kArgumentList:
      case Kind::kAssignment:
      case Kind::kBlock: return false;
      default: break;
    }
  }
  return false;
}

// `torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16` chooses well where the NPU
// answers that question right.
bool is_guarded(const Subject& subject, NodeIndex node, const facts::Soc& soc) {
  const NodeIndex choice = subject.tree().ancestor(node, Kind::kConditionalExpression);
  return choice != kNoNode && facts::is_no(soc.bf16_api_says) &&
         contains(subject.text(choice), "is_bf16_supported");
}

void replace(const Subject& subject, NodeIndex node, std::string_view by, Proof proof,
             const World& world, Changes& changes) {
  if (is_portable(world)) return changes.leave(subject, node, "portable");
  changes.replace(subject, node, std::string(by), proof);
  changes.leave(subject, node, "range");
}

void visit_use(const UseSite& site, World& world, Changes& changes) {
  if (!facts::is_no(world.soc.bf16) || site.use.proof == project::Proof::kRebound) return;
  const Subject& subject = site.subject;
  const NodeIndex node = site.use.node;
  if (is_guarded(subject, node, world.soc)) return;
  const NodeIndex name = last_identifier(subject, node);
  if (name == kNoNode || subject.text(name) != "bfloat16") {
    // A variable that holds the type changes where it is set.
    if (!subject.is_imported(node) && site.name == "torch.bfloat16") return;
    return changes.leave(subject, node, "name", {{"name", std::string(site.name)}});
  }
  if (site.name != "torch.bfloat16") {  // x.bfloat16()
    if (site.use.call == kNoNode) return;
    if (const auto proof = proof_of_method(site, world, "bfloat16"))
      replace(subject, name, "half", *proof, world, changes);
    return;
  }
  if (is_offered(subject, node))
    return changes.as(diag::Severity::kNote).leave(subject, node, "offered");
  if (subject[node].kind != Kind::kAttribute)
    return changes.leave(subject, node, "name", {{"name", std::string(site.name)}});
  replace(subject, name, "float16", Proof::kImport, world, changes);
}

// Keyword, parameter, variable or option that holds a precision: dtype=, mixed_precision=, --dtype.
bool holds_precision(const StringSite& site) {
  const Subject& subject = site.subject;
  const Landing& landing = site.landing;
  if (landing.top == kNoNode || landing.at == kNoNode) return false;
  const NodeIndex parent = subject[landing.top].parent;
  std::string_view name = landing.name;
  if (parent != kNoNode && subject[parent].kind == Kind::kKeywordArgument) {
    const std::string_view keyword = subject.text(subject.tree().child(parent, Field::kName));
    const bool is_option = keyword == "default" || keyword == "const";
    if (keyword == "choices" || keyword == "help") return false;
    if (!is_option) name = keyword;
  }
  return names_precision(name);
}

void visit_string(const StringSite& site, World& world, Changes& changes) {
  if (!facts::is_no(world.soc.bf16)) return;
  const auto literal = site.subject.module().literal(site.node);
  const std::string_view by = literal ? without_bf16(*literal) : std::string_view();
  if (by.empty() || is_guarded(site.subject, site.node, world.soc)) return;
  if (site.landing.where == Landing::Where::kCompared) return;
  if (site.landing.where == Landing::Where::kKey) return;
  if (is_offered(site.subject, site.node) || !holds_precision(site)) {
    if (is_message(site)) return;
    return changes.as(diag::Severity::kNote).leave(site.subject, site.node, "offered");
  }
  if (is_portable(world)) return changes.leave(site.subject, site.node, "portable");
  const auto end = site.begin + static_cast<std::uint32_t>(literal->size());
  changes.replace(site.subject, site.begin, end, std::string(by), Proof::kPosition);
  changes.leave(site.subject, site.node, "range");
}

}  // namespace

extern const Rule bf16 = {
    .code = "P040",
    .severity = diag::Severity::kWarning,
    .names = {"torch.bfloat16", ".bfloat16", "torch.cuda.BFloat16Tensor", "torch.BFloat16Tensor"},
    .strings = {"bfloat16", "bf16"},
    .use = visit_use,
    .string = visit_string,
};

}  // namespace godwit::port::rules
