// A question to the environment is answered twice: with the default that the code gives, and with
// the one that would turn the flag off.
#include "port/switches.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace godwit::port {
namespace {

bool has_method(const Subject& subject, NodeIndex call, std::string_view name) {
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  return function != kNoNode && last_part(subject.text(function)) == name;
}

std::string_view text_of_action(const Subject& subject, NodeIndex call) {
  const NodeIndex action = subject.module().argument(call, "action");
  return action == kNoNode ? std::string_view()
                           : subject.module().literal(action).value_or(std::string_view());
}

std::string_view first_long(const Subject& subject, NodeIndex call) {
  for (const project::Argument& argument : subject.module().arguments(call)) {
    const auto text = subject.module().literal(argument.value);
    if (text && argument.keyword.empty() && text->starts_with("--")) return *text;
  }
  return {};
}

std::optional<Switch> option_at(const Subject& subject, NodeIndex call, Flow& flow) {
  if (!has_method(subject, call, "add_argument")) return std::nullopt;
  const std::string_view action = text_of_action(subject, call);
  const bool is_negative = action == "store_false";
  if (!is_negative && action != "store_true") return std::nullopt;
  if (subject.module().argument(call, "default") != kNoNode) return std::nullopt;
  const std::string_view option = option_of(subject, call);
  if (option.empty()) return std::nullopt;
  const NodeIndex edited = subject.module().argument(call, "action");
  return Switch{.kind = is_negative ? Switch::Kind::kNegative : Switch::Kind::kPositive,
                .name = first_long(subject, call),
                .value = call,
                .edited = edited,
                .off = format("{}, default=False", subject.text(edited)),
                .slots = {flow.option_slot(option)}};
}

// --- the environment

// A text as Python code would judge it: `"1" == "1"`, `int("1")`, `"1" in ("1", "true")`.
struct Question {
  enum class How : std::uint8_t { kEqual, kUnequal, kAmong, kNotAmong, kNumber };
  How how = How::kNumber;
  bool is_lowered = false, is_raised = false;
  std::vector<std::string_view> others{};

  std::optional<bool> answer(std::string_view text) const {
    std::string asked = is_lowered ? to_lower(text) : std::string(text);
    if (is_raised) std::transform(asked.begin(), asked.end(), asked.begin(), raise);
    const bool is_one = std::find(others.begin(), others.end(), asked) != others.end();
    switch (how) {
      case How::kEqual:
      case How::kAmong: return is_one;
      case How::kUnequal:
      case How::kNotAmong: return !is_one;
      case How::kNumber: break;
    }
    const auto number = parse_integer(asked);
    return number ? std::optional(*number != 0) : std::nullopt;
  }

 private:
  static char raise(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
};

constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
    {"1", "0"},    {"True", "False"}, {"true", "false"}, {"TRUE", "FALSE"},
    {"on", "off"}, {"On", "Off"},     {"ON", "OFF"},     {"yes", "no"},
    {"Yes", "No"}, {"YES", "NO"},     {"y", "n"},        {"Y", "N"}};

bool is_called(const Subject& subject, NodeIndex function) {
  const NodeIndex call = subject[function].parent;
  return call != kNoNode && subject[call].kind == Kind::kCall &&
         subject[function].field == Field::kFunction;
}

// The texts that the answer is compared with; empty when one of them is no text.
std::vector<std::string_view> texts_of(const Subject& subject, NodeIndex other) {
  std::vector<std::string_view> texts;
  const bool is_one = subject[other].kind == Kind::kString;
  for (const NodeIndex each : is_one ? std::vector{other} : subject.children(other)) {
    const auto text = subject.module().literal(each);
    if (!text) return {};
    texts.push_back(*text);
  }
  return texts;
}

bool compare(const Subject& subject, NodeIndex comparison, NodeIndex asked, Question& question) {
  const auto sides = subject.children(comparison);
  if (sides.size() != 2) return false;
  const std::string_view sign = trim(subject.between(sides[0], sides[1]));
  const NodeIndex other = sides[0] == asked ? sides[1] : sides[0];
  const bool is_first = sides[0] == asked;
  if (sign == "==") {
    question.how = Question::How::kEqual;
  } else if (sign == "!=") {
    question.how = Question::How::kUnequal;
  } else if (is_first && sign == "in") {
    question.how = Question::How::kAmong;
  } else if (is_first && sign == "not in") {
    question.how = Question::How::kNotAmong;
  } else {
    return false;
  }
  question.others = texts_of(subject, other);
  return !question.others.empty();
}

// From the read upwards to the whole question; kNoNode when it is none that we know.
NodeIndex whole_question(const Subject& subject, NodeIndex read, Question& question) {
  bool is_number = false;
  for (NodeIndex at = read;;) {
    const NodeIndex up = subject[at].parent;
    if (up == kNoNode) return kNoNode;
    const Kind kind = subject[up].kind;
    if (kind == Kind::kParenthesized) {
      at = up;
    } else if (kind == Kind::kComparisonOperator) {
      return !is_number && compare(subject, up, at, question) ? up : kNoNode;
    } else if (kind == Kind::kAttribute && is_called(subject, up) && !is_number) {
      const std::string_view method = subject.text(subject.tree().child(up, Field::kAttribute));
      if (method != "lower" && method != "upper" && method != "strip") return kNoNode;
      question.is_lowered = question.is_lowered || method == "lower";
      question.is_raised = question.is_raised || method == "upper";
      at = subject[up].parent;
    } else if (kind == Kind::kArgumentList && subject[subject[up].parent].kind == Kind::kCall) {
      const NodeIndex call = subject[up].parent;
      const NodeIndex function = subject.tree().child(call, Field::kFunction);
      const std::string_view name = function == kNoNode ? "" : subject.text(function);
      if (name == "int") {
        is_number = true;
      } else if (name != "bool" || !is_number) {
        return kNoNode;  // bool("0") is true
      }
      at = call;
    } else {
      return is_number ? at : kNoNode;
    }
  }
}

// The expression that is assigned or handed on, for what is said of it.
NodeIndex outermost(const Subject& subject, NodeIndex read) {
  NodeIndex at = read;
  for (NodeIndex up = subject[at].parent; up != kNoNode; up = subject[at].parent) {
    const Kind kind = subject[up].kind;
    if (kind == Kind::kAssignment || kind == Kind::kNamedExpression ||
        kind == Kind::kDefaultParameter || kind == Kind::kKeywordArgument ||
        kind == Kind::kExpressionStatement || kind == Kind::kBlock)
      break;
    at = up;
  }
  return at;
}

// The text without its quotes, or the number.
std::optional<std::string_view> value_of(const Subject& subject, NodeIndex node) {
  if (node != kNoNode && subject[node].kind == Kind::kInteger) return subject.text(node);
  return subject.module().literal(node);
}

std::optional<Switch> variable_at(const Subject& subject, NodeIndex call, Flow& flow) {
  const std::string_view callee = subject.callee(call);
  if (callee != "os.environ.get" && callee != "os.getenv") return std::nullopt;
  const auto name = subject.module().literal(subject.module().argument(call, "key", 0));
  if (!name) return std::nullopt;
  Switch made{.name = *name};
  Question question;
  const NodeIndex whole = whole_question(subject, call, question);
  made.value = whole == kNoNode ? outermost(subject, call) : whole;
  made.slots = flow.land(subject, made.value).slots;
  const NodeIndex given = subject.module().argument(call, "default", 1);
  const auto text = value_of(subject, given);
  if (whole == kNoNode || (given != kNoNode && !text)) return made;
  if (!text) {  // None equals nothing
    if (question.how == Question::How::kEqual || question.how == Question::How::kAmong)
      return std::nullopt;
    return made;
  }
  const auto is_on = question.answer(*text);
  if (is_on && !*is_on) return std::nullopt;
  const auto* const opposite = std::find_if(std::begin(kOpposites), std::end(kOpposites),
                                            [&](const auto& pair) { return pair.first == *text; });
  if (!is_on || opposite == std::end(kOpposites) || question.answer(opposite->second) != false)
    return made;
  made.kind = Switch::Kind::kVariable;
  made.edited = given;
  made.off = replace_all(subject.text(given), *text, opposite->second);
  return made;
}

}  // namespace

std::string_view option_of(const Subject& subject, NodeIndex call) {
  std::string_view option;
  for (const project::Argument& argument : subject.module().arguments(call)) {
    const auto text = subject.module().literal(argument.value);
    if (!text || (!argument.keyword.empty() && argument.keyword != "dest")) continue;
    if (argument.keyword == "dest" || option.empty() || text->starts_with("--")) option = *text;
    if (argument.keyword == "dest") break;
  }
  while (option.starts_with('-')) option.remove_prefix(1);
  return option;
}

std::vector<Switch> switches_of(const Subject& subject, Flow& flow) {
  std::vector<Switch> all;
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kCall) continue;
    auto found = option_at(subject, node, flow);
    if (!found) found = variable_at(subject, node, flow);
    if (found) all.push_back(*std::move(found));
  }
  return all;
}

}  // namespace godwit::port
