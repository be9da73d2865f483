// A dimension: a number, or an integer expression over named symbols, in one canonical form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace godwit::ir {

/// A whole number that may not be known before run time. Expressions are kept once per process in a
/// canonical form (a polynomial over symbols and rounded quotients), so equal dims compare equal
/// and copies cost nothing. Arithmetic that leaves 64 bits gives a new unknown.
class Dim {
 public:
  constexpr Dim() = default;
  constexpr Dim(std::int64_t value) : value_(value) {}  // NOLINT: a number is a dimension
  /// The dimension that models call `name`; the same name is the same dimension.
  static Dim symbol(std::string_view name);
  /// A dimension of which nothing is known; equal to itself only. Printed as "?".
  static Dim unknown();

  constexpr bool is_known() const { return expression_ == 0; }
  /// The number; only of a known one.
  constexpr std::int64_t value() const { return value_; }
  constexpr bool is(std::int64_t number) const { return is_known() && value_ == number; }
  /// True for a dim that `unknown` made or that hangs on one: it has no name that a person would
  /// know, and what it is written as stands for others too.
  bool is_anonymous() const;

  friend bool operator==(const Dim&, const Dim&) = default;
  friend Dim operator+(Dim a, Dim b);
  friend Dim operator-(Dim a, Dim b);
  friend Dim operator*(Dim a, Dim b);
  /// Rounded down; by a known zero: unknown.
  friend Dim floor_div(Dim a, Dim b);
  friend Dim ceil_div(Dim a, Dim b);
  friend Dim max(Dim a, Dim b);
  friend Dim min(Dim a, Dim b);

  /// The value when every symbol has one, as `values` gives it by name; else nothing.
  std::optional<std::int64_t> evaluate(
      const std::vector<std::pair<std::string, std::int64_t>>& values) const;

  /// "224", "N", "2*N + 1", "floor(H/32)".
  std::string to_string() const;

 private:
  constexpr Dim(std::int64_t value, std::uint32_t expression)
      : value_(value), expression_(expression) {}
  friend struct Expressions;

  std::int64_t value_ = 0;
  std::uint32_t expression_ = 0;  // 0: value_ is the number
};

}  // namespace godwit::ir
