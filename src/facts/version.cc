// Reading and ordering of versions, and the ranges that requirement files write.
#include "facts/version.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace godwit::facts {
namespace {

constexpr std::uint64_t kMostNumber = 999'999'999'999'999'999;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A number of any length; what passes the greatest is taken as the greatest.
std::uint64_t take_number(std::string_view& text) {
  std::uint64_t number = 0;
  while (!text.empty() && is_digit(text.front())) {
    number = std::min(kMostNumber, number * 10 + static_cast<std::uint64_t>(text.front() - '0'));
    text.remove_prefix(1);
  }
  return number;
}

std::string take_word(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  std::string word = to_lower(text.substr(0, end));
  text.remove_prefix(end);
  return word;
}

std::string_view without_v(std::string_view text) {
  const bool has_v = text.size() > 1 && (text[0] == 'v' || text[0] == 'V') && is_digit(text[1]);
  return has_v ? text.substr(1) : text;
}

}  // namespace

Version::Part Version::make_tag(std::string_view word, std::uint64_t number) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 13> kTags = {{
      {"dev", Kind::kDev},
      {"a", Kind::kAlpha},
      {"alpha", Kind::kAlpha},
      {"b", Kind::kBeta},
      {"beta", Kind::kBeta},
      {"t", Kind::kTest},
      {"rc", Kind::kRc},
      {"c", Kind::kRc},
      {"pre", Kind::kRc},
      {"preview", Kind::kRc},
      {"post", Kind::kPost},
      {"rev", Kind::kPost},
      {"r", Kind::kPost},
  }};
  const auto* const known =
      std::find_if(kTags.begin(), kTags.end(), [&](const auto& tag) { return tag.first == word; });
  if (known != kTags.end()) return {.kind = known->second, .number = number};
  return {.kind = Kind::kWord, .number = number, .word = std::string(word)};
}

std::optional<Version> Version::parse(std::string_view text) {
  text = trim(text);
  Version version;
  version.text_ = std::string(text);
  std::string_view rest = without_v(text.substr(0, text.find('+')));
  if (rest.empty() || !is_digit(rest.front())) return std::nullopt;
  while (!rest.empty()) {
    if (is_digit(rest.front())) {
      version.as_written_.push_back({.kind = Kind::kNumber, .number = take_number(rest)});
    } else if (is_letter(rest.front())) {
      const std::string word = take_word(rest);
      version.as_written_.push_back(make_tag(word, take_number(rest)));
    } else if (rest.front() == '.' || rest.front() == '-' || rest.front() == '_') {
      rest.remove_prefix(1);
    } else {
      return std::nullopt;
    }
  }
  for (const Part& part : version.as_written_) {
    if (part.kind != Kind::kNumber) {
      while (!version.parts_.empty() && version.parts_.back() == Part{Kind::kNumber, 0, ""}) {
        version.parts_.pop_back();
      }
    }
    version.parts_.push_back(part);
  }
  while (!version.parts_.empty() && version.parts_.back() == Part{Kind::kNumber, 0, ""}) {
    version.parts_.pop_back();
  }
  return version;
}

std::string_view Version::local() const {
  const std::size_t plus = text_.find('+');
  return plus == std::string::npos ? std::string_view() : std::string_view(text_).substr(plus + 1);
}

std::string Version::public_text() const { return text_.substr(0, text_.find('+')); }

std::string Version::leading(std::size_t count) const {
  std::string out;
  for (std::size_t i = 0; i < count && i < as_written_.size(); ++i) {
    if (as_written_[i].kind != Kind::kNumber) break;
    out += format("{}{}", out.empty() ? "" : ".", as_written_[i].number);
  }
  return out;
}

bool Version::has_prefix(const Version& prefix) const {
  for (std::size_t i = 0; i < prefix.as_written_.size(); ++i) {
    const Part zero{.kind = Kind::kNumber};
    if ((i < as_written_.size() ? as_written_[i] : zero) != prefix.as_written_[i]) return false;
  }
  return true;
}

bool Version::is_prerelease() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.kind < Kind::kEnd; });
}

std::weak_ordering Version::operator<=>(const Version& other) const {
  const Part end{};
  for (std::size_t i = 0; i < std::max(parts_.size(), other.parts_.size()); ++i) {
    const Part& left = i < parts_.size() ? parts_[i] : end;
    const Part& right = i < other.parts_.size() ? other.parts_[i] : end;
    if (left != right) return left <=> right;
  }
  return std::weak_ordering::equivalent;
}

bool Range::add_clause(std::string_view text, Clauses& into) {
  static constexpr std::array<std::pair<std::string_view, Operator>, 9> kOperators = {{
      {"===", Operator::kEqual},
      {"==", Operator::kEqual},
      {"!=", Operator::kNotEqual},
      {">=", Operator::kAtLeast},
      {"<=", Operator::kAtMost},
      {"=", Operator::kEqual},
      {">", Operator::kMore},
      {"<", Operator::kLess},
      {"", Operator::kEqual},
  }};
  // ~=2.1.3 and ~2.1.3: 2.1.* from 2.1.3 on; ^1.2: 1.* from 1.2 on (0.* has one number more).
  if (text.starts_with('~') || text.starts_with('^')) {
    const bool compatible = text.starts_with("~=");
    const auto version = Version::parse(text.substr(compatible ? 2 : 1));
    if (!version) return false;
    const std::size_t numbers = split(version->leading(9), '.').size();
    const std::size_t kept = text.starts_with('^')       ? (version->leading(1) == "0" ? 2 : 1)
                             : compatible && numbers > 1 ? numbers - 1
                                                         : std::min<std::size_t>(numbers, 2);
    const auto prefix = Version::parse(version->leading(kept));
    if (!prefix) return false;
    into.push_back({Operator::kAtLeast, *version});
    into.push_back({Operator::kPrefix, *prefix});
    return true;
  }
  const auto* const found =
      std::find_if(kOperators.begin(), kOperators.end(),
                   [&](const auto& known) { return text.starts_with(known.first); });
  Operator operation = found->second;
  std::string_view number = trim(text.substr(found->first.size()));
  for (const std::string_view wild : {".*", ".x", ".X"}) {
    if (!number.ends_with(wild)) continue;
    number.remove_suffix(2);
    if (operation == Operator::kEqual) operation = Operator::kPrefix;
    if (operation == Operator::kNotEqual) operation = Operator::kNotPrefix;
  }
  const auto version = Version::parse(number);
  if (version) into.push_back({operation, *version});
  return version.has_value();
}

std::optional<Range> Range::parse(std::string_view text) {
  Range range;
  range.text_ = std::string(trim(text));
  for (const std::string_view alternative : split_list(range.text_, '|')) {
    Clauses clauses;
    std::string clause;
    const auto close = [&] {
      const bool good = clause.empty() || clause == "*" || add_clause(clause, clauses);
      clause.clear();
      return good;
    };
    for (const char c : alternative) {
      const bool begins =
          std::string_view("<>=!~^").find(c) != std::string_view::npos && !clause.empty() &&
          (is_letter(clause.back()) || is_digit(clause.back()) || clause.back() == '*');
      if ((c == ',' || begins) && !close()) return std::nullopt;
      if (c != ',' && c != ' ') clause += c;
    }
    if (!close()) return std::nullopt;
    range.alternatives_.push_back(std::move(clauses));
  }
  return range;
}

bool Range::holds(const Clause& clause, const Version& version) {
  switch (clause.operation) {
    case Operator::kLess: return version < clause.version;
    case Operator::kAtMost: return version <= clause.version;
    case Operator::kEqual: return version == clause.version;
    case Operator::kNotEqual: return version != clause.version;
    case Operator::kAtLeast: return version >= clause.version;
    case Operator::kMore: return version > clause.version;
    case Operator::kPrefix: return version.has_prefix(clause.version);
    case Operator::kNotPrefix: break;
  }
  return !version.has_prefix(clause.version);
}

bool Range::contains(const Version& version) const {
  return alternatives_.empty() ||
         std::any_of(alternatives_.begin(), alternatives_.end(), [&](const Clauses& clauses) {
           return std::all_of(clauses.begin(), clauses.end(),
                              [&](const Clause& clause) { return holds(clause, version); });
         });
}

std::vector<Version> Range::probes(const Clauses& clauses) {
  std::vector<Version> tried;
  for (const Clause& clause : clauses) {
    const std::string text = clause.version.public_text();
    for (const std::string_view tail : {"", ".dev0", ".0.0.1", ".999999"}) {
      if (const auto near = Version::parse(text + std::string(tail))) tried.push_back(*near);
    }
  }
  return tried;
}

void Range::probe(std::vector<Version>& into) const {
  for (const Clauses& clauses : alternatives_) {
    const std::vector<Version> tried = probes(clauses);
    into.insert(into.end(), tried.begin(), tried.end());
  }
}

bool Range::overlaps(const Range& other) const {
  std::vector<Version> tried = {*Version::parse("0"), *Version::parse("999999")};
  probe(tried);
  other.probe(tried);
  return std::any_of(tried.begin(), tried.end(), [&](const Version& version) {
    return contains(version) && other.contains(version);
  });
}

std::string Range::text_of(const Clauses& clauses) {
  static constexpr std::array<std::string_view, 8> kSigns = {
      "<", "<=", "==", "!=", ">=", ">", "==", "!="};
  std::string text;
  for (const Clause& clause : clauses) {
    const bool is_wild =
        clause.operation == Operator::kPrefix || clause.operation == Operator::kNotPrefix;
    text += format("{}{}{}{}", text.empty() ? "" : ",",
                   kSigns[static_cast<std::size_t>(clause.operation)], clause.version.text(),
                   is_wild ? ".*" : "");
  }
  return text;
}

// A clause goes when it holds wherever the others do, tried as in overlaps().
void Range::drop_implied(Clauses& clauses) {
  std::vector<Version> tried = probes(clauses);
  tried.push_back(*Version::parse("0"));
  tried.push_back(*Version::parse("999999"));
  for (std::size_t i = 0; i < clauses.size();) {
    const bool is_implied = std::all_of(tried.begin(), tried.end(), [&](const Version& version) {
      for (std::size_t other = 0; other < clauses.size(); ++other) {
        if (other != i && !holds(clauses[other], version)) return true;
      }
      return holds(clauses[i], version);
    });
    if (is_implied) {
      clauses.erase(clauses.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

std::optional<Range> Range::joined(const Range& other) const {
  const std::vector<Clauses> everything(1);
  const auto& left = alternatives_.empty() ? everything : alternatives_;
  const auto& right = other.alternatives_.empty() ? everything : other.alternatives_;
  Range both;
  for (const Clauses& one : left) {
    for (const Clauses& two : right) {
      Range joint;
      Clauses& clauses = joint.alternatives_.emplace_back(one);
      clauses.insert(clauses.end(), two.begin(), two.end());
      if (!joint.overlaps(Range{})) continue;
      drop_implied(clauses);
      // From where, then to where: that is how ranges are read.
      std::stable_partition(clauses.begin(), clauses.end(), [](const Clause& clause) {
        return clause.operation == Operator::kAtLeast || clause.operation == Operator::kMore;
      });
      both.text_ += (both.alternatives_.empty() ? "" : "|") + text_of(clauses);
      both.alternatives_.push_back(std::move(clauses));
    }
  }
  if (both.alternatives_.empty()) return std::nullopt;
  return both;
}

bool Range::reached_by(const Version& version) const {
  const auto reached = [&](const Clause& clause) {
    switch (clause.operation) {
      case Operator::kAtLeast:
      case Operator::kEqual: return version >= clause.version;
      case Operator::kMore: return version > clause.version;
      case Operator::kPrefix:
        return version >= clause.version || version.has_prefix(clause.version);
      default: return true;
    }
  };
  return alternatives_.empty() ||
         std::any_of(alternatives_.begin(), alternatives_.end(), [&](const Clauses& clauses) {
           return std::all_of(clauses.begin(), clauses.end(), reached);
         });
}

std::optional<Version> Range::pinned() const {
  if (alternatives_.size() != 1) return std::nullopt;
  for (const Clause& clause : alternatives_.front()) {
    if (clause.operation == Operator::kEqual) return clause.version;
  }
  return std::nullopt;
}

bool Range::is_any() const {
  return alternatives_.empty() || (alternatives_.size() == 1 && alternatives_.front().empty());
}

std::string package_name(std::string_view written) {
  std::string out;
  for (const char c : to_lower(trim(written))) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (separator && out.ends_with('_')) continue;
    out += separator ? '_' : c;
  }
  return out;
}

}  // namespace godwit::facts
