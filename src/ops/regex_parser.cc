// A recursive-descent parser of regular expressions that builds steps back to front.
#include <algorithm>
#include <memory>

#include "ops/code_points.h"
#include "ops/regex.h"
#include "ops/regex_classes.h"

namespace godwit::ops {
namespace {

constexpr std::size_t kMostSteps = 20'000;
constexpr int kMostRepeats = 1000;  // as RE2
constexpr int kDeepest = 200;

}  // namespace

// Nodes of the tree are built first, so that a repetition can put its part down several times.
class RegexParser {
 public:
  explicit RegexParser(std::u32string_view pattern) : in_(pattern) {}
  std::optional<Regex> run();

 private:
  using Range = Regex::Range;
  using Step = Regex::Step;
  struct Node;
  using Part = std::shared_ptr<const Node>;
  struct Node {
    enum class Kind : std::uint8_t { kEmpty, kClass, kAssert, kSequence, kChoice, kRepeat };
    Kind kind = Kind::kEmpty;
    Ranges ranges{};
    char assertion = 0;
    std::vector<Part> parts{};
    int least = 0, most = 0;  // -1: any number
  };
  struct Flags {
    bool ignores_case = false, is_multiline = false, dot_takes_newline = false;
  };

  bool at_end() const { return at_ >= in_.size(); }
  char32_t peek() const { return at_end() ? U'\0' : in_[at_]; }
  bool take(char32_t c) {
    if (at_end() || in_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_text(std::u32string_view text) {
    if (!in_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  Part fail() {
    failed_ = true;
    return nullptr;
  }
  static Part make(Node node) { return std::make_shared<const Node>(std::move(node)); }
  Part of_class(Ranges ranges, bool is_negated = false);
  Part literal(char32_t c) { return of_class({{c, c}}); }
  Part assertion(char which) const {
    return make({.kind = Node::Kind::kAssert, .assertion = which});
  }

  Part choice(int depth);
  Part sequence(int depth);
  Part repeated(int depth);
  Part atom(int depth);
  Part group(int depth);
  bool flags(Part& body);
  Part escape();
  std::optional<char32_t> escaped_character();
  std::optional<char32_t> hexadecimal();
  std::optional<Ranges> bracket_class();
  Part bracket();
  bool bracket_item(Ranges& out);
  bool counts(int& least, int& most);
  std::optional<int> number();

  std::uint32_t put(Step step);
  std::uint32_t build(const Node& node, std::uint32_t next);
  std::uint32_t build_repeat(const Node& node, std::uint32_t next);

  std::u32string_view in_;
  std::size_t at_ = 0;
  Flags flags_{};
  bool failed_ = false;
  Regex out_{};
};

RegexParser::Part RegexParser::of_class(Ranges ranges, bool is_negated) {
  if (flags_.ignores_case) {
    const Ranges given = ranges;
    if (std::any_of(given.begin(), given.end(), [](Range range) { return range.last >= 0x80; }))
      return fail();
    const auto fold = [&](char32_t a, char32_t b) {
      if (Regex::contains(given, a)) ranges.push_back({b, b});
      if (Regex::contains(given, b)) ranges.push_back({a, a});
    };
    for (char32_t c = U'A'; c <= U'Z'; ++c) fold(c, c + 32);
    // The long s and the Kelvin sign are letters of ASCII in another form.
    for (const char32_t c : {U's', U'S'}) fold(c, U'\u017f');
    for (const char32_t c : {U'k', U'K'}) fold(c, U'\u212a');
  }
  return make({.kind = Node::Kind::kClass,
               .ranges = is_negated ? negated(std::move(ranges)) : std::move(ranges)});
}

std::optional<Regex> RegexParser::run() {
  const Part tree = choice(0);
  if (failed_ || !at_end()) return std::nullopt;
  const std::uint32_t accept = put({.kind = Step::Kind::kAccept});
  out_.start_ = build(*tree, accept);
  if (failed_) return std::nullopt;
  return std::move(out_);
}

RegexParser::Part RegexParser::choice(int depth) {
  if (depth > kDeepest) return fail();
  const Flags outer = flags_;
  Node out{.kind = Node::Kind::kChoice};
  do {
    out.parts.push_back(sequence(depth));
  } while (!failed_ && take(U'|'));
  flags_ = outer;
  return out.parts.size() == 1 ? out.parts[0] : make(std::move(out));
}

RegexParser::Part RegexParser::sequence(int depth) {
  Node out{.kind = Node::Kind::kSequence};
  while (!failed_ && !at_end() && peek() != U'|' && peek() != U')')
    out.parts.push_back(repeated(depth));
  return make(std::move(out));
}

std::optional<int> RegexParser::number() {
  int out = 0;
  const std::size_t first = at_;
  while (peek() >= U'0' && peek() <= U'9' && out <= kMostRepeats)
    out = out * 10 + static_cast<int>(in_[at_++] - U'0');
  return at_ == first ? std::nullopt : std::optional(out);
}

// {n}, {n,} or {n,m}; anything else in braces is text, as in RE2.
bool RegexParser::counts(int& least, int& most) {
  const std::size_t start = at_;
  ++at_;
  const std::optional<int> low = number();
  bool is_count = low.has_value();
  least = most = low.value_or(0);
  if (is_count && take(U',')) most = peek() == U'}' ? -1 : number().value_or(-2);
  is_count = is_count && most != -2 && take(U'}');
  if (!is_count) at_ = start;
  return is_count;
}

RegexParser::Part RegexParser::repeated(int depth) {
  Part part = atom(depth);
  for (bool is_first = true; !failed_ && !at_end(); is_first = false) {
    int least = 0, most = 0;
    const char32_t c = peek();
    if (c == U'{') {
      if (!counts(least, most)) return part;
    } else if (c == U'*' || c == U'+' || c == U'?') {
      ++at_;
      least = c == U'+';
      most = c == U'?' ? 1 : -1;
    } else {
      return part;
    }
    take(U'?');  // which match is preferred makes no difference to a full match
    const bool is_wrong =
        !is_first || least > kMostRepeats || most > kMostRepeats || (most >= 0 && most < least);
    if (is_wrong) return fail();  // RE2 takes no ** either
    part = make({.kind = Node::Kind::kRepeat, .parts = {part}, .least = least, .most = most});
  }
  return part;
}

RegexParser::Part RegexParser::atom(int depth) {
  const char32_t c = in_[at_++];
  switch (c) {
    case U'(': return group(depth);
    case U'[': return bracket();
    case U'\\': return escape();
    case U'.': return of_class(flags_.dot_takes_newline ? Ranges{} : Ranges{{U'\n', U'\n'}}, true);
    case U'^': return assertion(flags_.is_multiline ? '^' : 'A');
    case U'$': return assertion(flags_.is_multiline ? '$' : 'z');
    case U'*':
    case U'+':
    case U'?': return fail();
    default: return literal(c);
  }
}

RegexParser::Part RegexParser::group(int depth) {
  Part body;
  const Flags outer = flags_;
  if (take_text(U"?P<") || take_text(U"?<")) {
    const std::size_t name = at_;
    while (Regex::is_word(peek())) ++at_;
    if (at_ == name || !take(U'>')) return fail();
  } else if (take(U'?')) {
    if (!flags(body)) return fail();
    if (body) return body;  // (?i): the flags stay until the group around ends
  }
  body = choice(depth + 1);
  flags_ = outer;
  return !failed_ && take(U')') ? body : fail();
}

// Behind "(?": flags, then ":" and a group, or ")" alone, which leaves an empty `body`.
bool RegexParser::flags(Part& body) {
  for (bool value = true;;) {
    const char32_t c = at_end() ? U'\0' : in_[at_++];
    switch (c) {
      case U'i': flags_.ignores_case = value; break;
      case U'm': flags_.is_multiline = value; break;
      case U's': flags_.dot_takes_newline = value; break;
      case U'U': break;  // which match is preferred makes no difference
      case U'-':
        if (!value) return false;
        value = false;
        break;
      case U':': return true;
      case U')': body = make({}); return true;
      default: return false;
    }
  }
}

std::optional<char32_t> RegexParser::hexadecimal() {
  const bool is_braced = take(U'{');
  char32_t out = 0;
  std::size_t digits = 0;
  for (; !at_end() && digits < (is_braced ? 8u : 2u); ++digits, ++at_) {
    const char32_t c = peek();
    const char32_t lower = c | 0x20;
    const bool is_digit = c >= U'0' && c <= U'9', is_letter = lower >= U'a' && lower <= U'f';
    if (!is_digit && !is_letter) break;
    out = out * 16 + (is_digit ? c - U'0' : lower - U'a' + 10);
  }
  const bool fits = is_braced ? digits > 0 && take(U'}') : digits == 2;
  return fits && out <= kLastPoint ? std::optional(out) : std::nullopt;
}

// Behind a backslash: one character, in a class or outside.
std::optional<char32_t> RegexParser::escaped_character() {
  if (at_end()) return std::nullopt;
  const char32_t c = in_[at_++];
  switch (c) {
    case U'a': return U'\a';
    case U'f': return U'\f';
    case U't': return U'\t';
    case U'n': return U'\n';
    case U'r': return U'\r';
    case U'v': return U'\v';
    case U'x': return hexadecimal();
    default: break;
  }
  // Letters and digits that mean nothing are refused; octal numbers and back references are too.
  return c < 0x80 && !Regex::is_word(c) ? std::optional(c) : std::nullopt;
}

RegexParser::Part RegexParser::escape() {
  if (auto ranges = perl_class(peek())) {
    ++at_;
    return of_class(*std::move(ranges));
  }
  for (const char which : {'A', 'z', 'b', 'B'}) {
    if (take(static_cast<char32_t>(which))) return assertion(which);
  }
  if (take(U'Q')) {
    Node out{.kind = Node::Kind::kSequence};
    while (!at_end() && !take_text(U"\\E")) out.parts.push_back(literal(in_[at_++]));
    return make(std::move(out));
  }
  const std::optional<char32_t> c = escaped_character();
  return c ? literal(*c) : fail();
}

// [:alpha:] inside brackets; nothing when it does not begin so.
std::optional<Ranges> RegexParser::bracket_class() {
  if (!take_text(U"[:")) return std::nullopt;
  const bool is_negated = take(U'^');
  const std::size_t end = in_.find(U":]", at_);
  auto out = end < in_.size() ? posix_class(in_.substr(at_, end - at_)) : std::nullopt;
  failed_ = failed_ || !out;
  if (!out) return std::nullopt;
  at_ = end + 2;
  return is_negated ? negated(*std::move(out)) : out;
}

// One character, range, or class in brackets.
bool RegexParser::bracket_item(Ranges& out) {
  if (const std::optional<Ranges> named = bracket_class()) {
    out.insert(out.end(), named->begin(), named->end());
    return true;
  }
  const auto character = [this]() -> std::optional<char32_t> {
    if (at_end()) return std::nullopt;
    return take(U'\\') ? escaped_character() : std::optional(in_[at_++]);
  };
  if (peek() == U'\\' && at_ + 1 < in_.size()) {
    if (const auto ranges = perl_class(in_[at_ + 1])) {
      at_ += 2;
      out.insert(out.end(), ranges->begin(), ranges->end());
      return true;
    }
  }
  const std::optional<char32_t> first = character();
  std::optional<char32_t> last = first;
  const bool is_range = peek() == U'-' && at_ + 1 < in_.size() && in_[at_ + 1] != U']';
  if (is_range) {
    ++at_;
    last = character();
  }
  if (!first || !last || *last < *first) return false;
  out.push_back({*first, *last});
  return true;
}

RegexParser::Part RegexParser::bracket() {
  const bool is_negated = take(U'^');
  Ranges ranges;
  for (bool is_first = true; is_first || peek() != U']'; is_first = false) {
    if (at_end() || failed_ || !bracket_item(ranges)) return fail();
  }
  ++at_;
  return of_class(std::move(ranges), is_negated);
}

std::uint32_t RegexParser::put(Step step) {
  if (out_.steps_.size() >= kMostSteps) {
    failed_ = true;
    return 0;
  }
  out_.steps_.push_back(std::move(step));
  return static_cast<std::uint32_t>(out_.steps_.size() - 1);
}

// Steps for the node that go on at `next`; the first of them.
std::uint32_t RegexParser::build(const Node& node, std::uint32_t next) {
  if (failed_) return next;
  switch (node.kind) {
    case Node::Kind::kEmpty: return next;
    case Node::Kind::kClass:
      return put({.kind = Step::Kind::kClass, .next = next, .ranges = node.ranges});
    case Node::Kind::kAssert:
      return put({.kind = Step::Kind::kAssert, .next = next, .assertion = node.assertion});
    case Node::Kind::kSequence:
      for (std::size_t i = node.parts.size(); i-- > 0;) next = build(*node.parts[i], next);
      return next;
    case Node::Kind::kChoice: {
      std::uint32_t out = build(*node.parts.back(), next);
      for (std::size_t i = node.parts.size() - 1; i-- > 0;) {
        const std::uint32_t one = build(*node.parts[i], next);
        out = put({.kind = Step::Kind::kFork, .next = one, .other = out});
      }
      return out;
    }
    case Node::Kind::kRepeat: return build_repeat(node, next);
  }
  return next;
}

std::uint32_t RegexParser::build_repeat(const Node& node, std::uint32_t next) {
  const Node& part = *node.parts[0];
  std::uint32_t out = next;
  if (node.most < 0) {
    const std::uint32_t fork = put({.kind = Step::Kind::kFork, .other = next});
    const std::uint32_t body = build(part, fork);
    if (failed_) return next;
    out_.steps_[fork].next = body;
    out = fork;
  }
  for (int i = node.least; i < node.most && !failed_; ++i)
    out = put({.kind = Step::Kind::kFork, .next = build(part, out), .other = next});
  for (int i = 0; i < node.least && !failed_; ++i) out = build(part, out);
  return out;
}

std::optional<Regex> Regex::parse(std::string_view pattern) {
  const std::optional<std::u32string> points = code_points(pattern);
  return points ? RegexParser(*points).run() : std::nullopt;
}

}  // namespace godwit::ops
