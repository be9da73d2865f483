// Follows the comparison to the keyword, or to a flag and all places that read it.
#include "port/fused.h"

#include "port/reads.h"

namespace godwit::port {
namespace {

// fused= of torch.optim.AdamW(...), or of dict(...), whose pairs an optimizer takes later.
bool is_fused_keyword(const Subject& subject, NodeIndex keyword) {
  if (subject[keyword].kind != Kind::kKeywordArgument) return false;
  if (subject.text(subject.tree().child(keyword, Field::kName)) != "fused") return false;
  const NodeIndex call = subject[subject[keyword].parent].parent;
  if (call == kNoNode || subject[call].kind != Kind::kCall) return false;
  return subject.callee(call).starts_with("torch.optim.") ||
         subject.text(subject.tree().child(call, Field::kFunction)) == "dict";
}

// {"fused": value}, or extra["fused"] = value.
bool is_fused_entry(const Subject& subject, NodeIndex value) {
  const NodeIndex up = subject[value].parent;
  if (up == kNoNode) return false;
  NodeIndex key = kNoNode;
  if (subject[up].kind == Kind::kPair && subject[value].field == Field::kValue)
    key = subject.tree().child(up, Field::kKey);
  if (subject[up].kind == Kind::kAssignment && subject[value].field == Field::kRight) {
    const NodeIndex left = subject.tree().child(up, Field::kLeft);
    if (left != kNoNode && subject[left].kind == Kind::kSubscript)
      key = subject.tree().child(left, Field::kSubscript);
  }
  return key != kNoNode && subject.module().literal(key) == "fused";
}

bool is_fused_value(const Subject& subject, NodeIndex value) {
  const NodeIndex up = subject[value].parent;
  return is_fused_entry(subject, value) ||
         (up != kNoNode && is_fused_keyword(subject, up) && subject[value].field == Field::kValue);
}

bool holds_fused(const Subject& subject, NodeIndex part) {
  if (part == kNoNode) return false;
  for (NodeIndex node = part; node < subject[part].past; ++node) {
    if (is_fused_value(subject, node)) return true;
  }
  return false;
}

NodeIndex top_of(const Subject& subject, NodeIndex at) {
  while (true) {
    const NodeIndex up = subject[at].parent;
    if (up == kNoNode ||
        (subject[up].kind != Kind::kBooleanOperator && subject[up].kind != Kind::kParenthesized))
      return at;
    at = up;
  }
}

enum class Read : std::uint8_t { kFused, kPrinted, kOther };

bool is_print(const Subject& subject, NodeIndex statement) {
  if (subject[statement].kind != Kind::kExpressionStatement) return false;
  const NodeIndex call = subject.tree().first_child(statement);
  if (call == kNoNode || subject[call].kind != Kind::kCall) return false;
  const std::string_view name = subject.text(subject.tree().child(call, Field::kFunction));
  return name == "print" || name.starts_with("logg");
}

// Nothing but fused= hangs on the condition: the NPU must not miss a branch that does more.
bool is_branch_for_fused(const Subject& subject, NodeIndex owner) {
  const NodeIndex body = subject.tree().child(owner, Field::kConsequence);
  if (body == kNoNode || subject.tree().child(owner, Field::kAlternative) != kNoNode) return false;
  bool is_fused = false;
  for (const NodeIndex statement : subject.children(body)) {
    const bool holds = holds_fused(subject, statement);
    if (!holds && !is_print(subject, statement)) return false;
    is_fused = is_fused || holds;
  }
  return is_fused;
}

Read judge(const Subject& subject, NodeIndex name) {
  const NodeIndex top = top_of(subject, name), up = subject[top].parent;
  if (up == kNoNode) return Read::kOther;
  if (is_fused_value(subject, top)) return Read::kFused;
  if (subject[up].kind == Kind::kInterpolation) return Read::kPrinted;
  const bool is_choice =
      subject[up].kind == Kind::kConditionalExpression && subject.position(top) == 1;
  const bool is_if = subject[up].kind == Kind::kIf && subject[top].field == Field::kCondition;
  if (is_choice && holds_fused(subject, subject.children(up)[0])) return Read::kFused;
  return is_if && is_branch_for_fused(subject, up) ? Read::kFused : Read::kOther;
}

}  // namespace

bool asks_for_fused(const Subject& subject, NodeIndex comparison) {
  if (judge(subject, comparison) == Read::kFused) return true;
  const NodeIndex flag = flag_of(subject, top_of(subject, comparison));
  if (flag == kNoNode) return false;
  bool is_fused = false;
  for (const NodeIndex read : reads_of(subject, flag)) {
    const Read kind = judge(subject, read);
    if (kind == Read::kOther) return false;
    is_fused = is_fused || kind == Read::kFused;
  }
  return is_fused;
}

}  // namespace godwit::port
