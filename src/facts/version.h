// Versions and ranges of them, for every notation of this field: 8.2.RC1, 25.0.rc1.1,
// 2.1.0.post13, 2.1.0+cpu, 450.80.02; one total order, so that any two can be compared.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::facts {

/// A version. Case does not matter, trailing zeros do not matter (8.5 = 8.5.0), and a local part
/// (+cpu) takes no part in the order.
class Version {
 public:
  /// Nothing when `text` does not start with a number (after an optional "v").
  static std::optional<Version> parse(std::string_view text);

  const std::string& text() const { return text_; }  // as it was written
  std::string_view local() const;                    // "cpu" of 2.1.0+cpu
  std::string public_text() const;                   // without the local part
  /// The first `count` numbers, for example "3.10" of 3.10.12.
  std::string leading(std::size_t count) const;
  /// True when this version equals `prefix` as far as that goes: 3.10.12 has 3.10, not 3.1.
  bool has_prefix(const Version& prefix) const;
  bool is_prerelease() const;

  std::weak_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }

 private:
  // dev < alpha < beta < test < rc < (nothing more) < other word < post < number
  enum class Kind : std::uint8_t { kDev, kAlpha, kBeta, kTest, kRc, kEnd, kWord, kPost, kNumber };
  struct Part {
    Kind kind = Kind::kEnd;
    std::uint64_t number = 0;
    std::string word{};  // only of kWord
    auto operator<=>(const Part&) const = default;
  };

  static Part make_tag(std::string_view word, std::uint64_t number);

  std::string text_;
  std::vector<Part> parts_;  // what is compared: runs of zeros before a tag or the end left out
  std::vector<Part> as_written_;  // with those zeros, for prefixes
};

/// A set of versions: `>=11.4,<12.2`, `==1.2.*`, `25.5.X`, `~=2.1`, `^1.2`, `!=2.0`, alternatives
/// joined by `|`. A version without an operator means exactly it.
class Range {
 public:
  /// Nothing when a part cannot be understood. Empty text and `*` hold everything.
  static std::optional<Range> parse(std::string_view text);

  bool contains(const Version& version) const;
  /// True when some version is in both. Decided by trying the bounds of both and their neighbours.
  bool overlaps(const Range& other) const;
  /// What is in both, without the parts that others imply: ">=1" and ">=2,<3" give ">=2,<3".
  /// Nothing when no version is in both.
  std::optional<Range> joined(const Range& other) const;
  /// True when `version`, or a later one, is in the range: "not too old".
  bool reached_by(const Version& version) const;
  /// The one version that the range is pinned to by `==`, if it is.
  std::optional<Version> pinned() const;
  bool is_any() const;
  const std::string& text() const { return text_; }

 private:
  enum class Operator : std::uint8_t {
    kLess,
    kAtMost,
    kEqual,
    kNotEqual,
    kAtLeast,
    kMore,
    kPrefix,
    kNotPrefix
  };
  struct Clause {
    Operator operation = Operator::kEqual;
    Version version;
  };
  using Clauses = std::vector<Clause>;  // all must hold

  static bool add_clause(std::string_view text, Clauses& into);
  static std::string text_of(const Clauses& clauses);
  static void drop_implied(Clauses& clauses);
  static std::vector<Version> probes(const Clauses& clauses);
  static bool holds(const Clause& clause, const Version& version);
  void probe(std::vector<Version>& into) const;

  std::string text_;
  std::vector<Clauses> alternatives_;
};

/// A name as package indexes compare it: lower case, runs of `-`, `_`, `.` become one `_`.
std::string package_name(std::string_view written);

}  // namespace godwit::facts
