// Follows the comparison to the keyword, or to a variable and all places that read it.
#include "port/fused.h"

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

bool holds_fused_keyword(const Subject& subject, NodeIndex part) {
  if (part == kNoNode) return false;
  for (NodeIndex node = part; node < subject[part].past; ++node) {
    if (is_fused_keyword(subject, node)) return true;
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

Read judge(const Subject& subject, NodeIndex name) {
  const NodeIndex top = top_of(subject, name), up = subject[top].parent;
  if (up == kNoNode) return Read::kOther;
  if (is_fused_keyword(subject, up) && subject[top].field == Field::kValue) return Read::kFused;
  if (subject[up].kind == Kind::kInterpolation) return Read::kPrinted;
  const bool is_choice =
      subject[up].kind == Kind::kConditionalExpression && subject.position(top) == 1;
  return is_choice && holds_fused_keyword(subject, subject.children(up)[0]) ? Read::kFused
                                                                            : Read::kOther;
}

// All reads of a variable of this scope, one of which at least is for fused=.
bool is_read_for_fused(const Subject& subject, NodeIndex target) {
  const std::string_view name = subject.text(target);
  const auto scope = subject.binder(name, subject.scope_of(target));
  bool is_fused = false;
  for (NodeIndex node = 0; node < subject.tree().nodes().size(); ++node) {
    if (subject[node].kind != Kind::kIdentifier || subject.text(node) != name) continue;
    if (node == target || subject[node].field == Field::kName ||
        subject[node].field == Field::kAttribute ||
        subject.binder(name, subject.scope_of(node)) != scope)
      continue;
    const Read read = judge(subject, node);
    if (read == Read::kOther) return false;
    is_fused = is_fused || read == Read::kFused;
  }
  return is_fused;
}

}  // namespace

bool asks_for_fused(const Subject& subject, NodeIndex comparison) {
  const NodeIndex top = top_of(subject, comparison), up = subject[top].parent;
  if (up == kNoNode) return false;
  if (judge(subject, comparison) == Read::kFused) return true;
  if (subject[up].kind != Kind::kAssignment || subject[top].field != Field::kRight) return false;
  const NodeIndex target = subject.tree().child(up, Field::kLeft);
  return target != kNoNode && subject[target].kind == Kind::kIdentifier &&
         is_read_for_fused(subject, target);
}

}  // namespace godwit::port
