// Writes a literal anew when a part of it is asked for when the program runs.
#include "port/style.h"

#include "base/text.h"
#include "port/cards.h"
#include "port/own_devices.h"

namespace godwit::port {
namespace {

struct Literal {
  std::string prefix{};  // "r", "f" …
  std::string quote{};   // one or three
  std::string content{};
};

Literal read_literal(std::string_view text) {
  const std::size_t open = text.find_first_of("'\"");
  const bool is_long =
      text.size() >= open + 6 && text[open + 1] == text[open] && text[open + 2] == text[open];
  const std::size_t marks = is_long ? 3 : 1;
  return {.prefix = std::string(text.substr(0, open)),
          .quote = std::string(text.substr(open, marks)),
          .content = std::string(text.substr(open + marks, text.size() - open - 2 * marks))};
}

bool is_formatted(const Literal& literal) {
  return literal.prefix.find_first_of("fF") != std::string::npos;
}

// 'cuda:{}'.format(i)
bool is_method_object(const Subject& subject, NodeIndex node) {
  const NodeIndex parent = subject[node].parent;
  return parent != kNoNode && subject[parent].kind == Kind::kAttribute;
}

// 'cuda:%d' % i
bool is_percent_operand(const Subject& subject, NodeIndex node) {
  const NodeIndex parent = subject[node].parent;
  if (parent == kNoNode || subject[parent].kind != Kind::kBinaryOperator) return false;
  const NodeIndex right = subject.tree().child(parent, Field::kRight);
  return right != kNoNode && right != node && contains(subject.between(node, right), "%");
}

bool is_concatenated(const Subject& subject, NodeIndex node) {
  return subject[subject[node].parent].kind == Kind::kConcatenatedString;
}

std::string with_braces(std::string_view text) {
  return replace_all(replace_all(text, "{", "{{"), "}", "}}");
}

std::string what_of(std::string_view word) { return word == "nccl" ? "backend" : "type"; }

// The literal with its first word taken out and asked for.
std::string written_anew(const StringSite& site, std::string_view word, const std::string& asks,
                         bool has_number) {
  const Subject& subject = site.subject;
  const Literal literal = read_literal(subject.text(site.node));
  const std::string rest = has_number ? literal.content.substr(word.size()) : std::string();
  const std::string front = word == "torch.cuda" ? "torch." : "";
  const bool is_bare = rest.empty() && front.empty();
  if (is_bare && !is_formatted(literal) && !is_concatenated(subject, site.node)) return asks;
  const std::string plain = format("{}{}{}{}", literal.prefix, literal.quote, rest, literal.quote);
  if (!is_formatted(literal) && front.empty() && is_percent_operand(subject, site.node))
    return format("{} + {}", asks, plain);
  if (!is_formatted(literal) && front.empty() && is_method_object(subject, site.node))
    return format("({} + {})", asks, plain);
  std::string prefix = "f";
  if (literal.prefix.find_first_of("rR") != std::string::npos) prefix = "rf";
  return format("{}{}{}{{{}}}{}{}", prefix, literal.quote, front, asks,
                is_formatted(literal) ? rest : with_braces(rest), literal.quote);
}

}  // namespace

bool is_portable(const World& world) { return world.style == Style::kPortable; }

bool is_card_of_process(const StringSite& site, const World& world) {
  return site.content == "cuda:0" && world.cards.has(site.subject);
}

std::string asks_helper(const Subject& subject, const World& world, std::string_view what) {
  return format("{}.{}", world.helpers.place(subject, Helper::kDevice).name, what);
}

std::string device_in_use(const Subject& subject, NodeIndex node, const World& world,
                          Changes& changes) {
  std::string own = world.own_devices.visible_at(subject, node);
  changes.with(own.empty() ? Helper::kDevice : Helper::kNone);
  return own.empty() ? asks_helper(subject, world, "type") : own;
}

// A text that any Python reads: no quote stands inside the braces of an f-string.
std::string numbered_device(const Subject& subject, const World& world, std::string_view number,
                            bool is_literal) {
  const std::string type =
      is_portable(world) ? format("{{{}}}", asks_helper(subject, world, "type")) : "npu";
  const std::string_view f = is_portable(world) ? "f" : "";
  if (is_literal) return format("{}\"{}:{}\"", f, type, number);
  if (number.find_first_of("\"'\\\n{}") == std::string_view::npos)
    return format("f\"{}:{{{}}}\"", type, number);
  if (is_portable(world)) return asks_helper(subject, world, format("place({})", number));
  return format("\"npu:{{}}\".format({})", number);
}

void rename_word(const StringSite& site, const World& world, std::string_view word,
                 std::string_view by, Proof proof, Changes& changes) {
  if (!is_portable(world)) {
    const auto end = site.begin + static_cast<std::uint32_t>(word.size());
    return changes.replace(site.subject, site.begin, end, std::string(by), proof);
  }
  // The whole value is a device and is taken as one: a torch.device does as well as its text.
  const bool is_device = site.content == "cuda" && site.landing.top == site.node &&
                         site.landing.position && site.landing.position->role == Role::kDevice;
  if (is_device && site.landing.position->call != "torch.device" &&
      !is_concatenated(site.subject, site.node)) {
    const std::string device = device_in_use(site.subject, site.node, world, changes);
    return changes.replace(site.subject, site.node, device, proof);
  }
  const std::string lower = to_lower(word);
  const std::string asks = asks_helper(site.subject, world, what_of(lower));
  changes.with(Helper::kDevice)
      .replace(site.subject, site.node,
               written_anew(site, lower, asks, !is_card_of_process(site, world)), proof);
}

}  // namespace godwit::port
