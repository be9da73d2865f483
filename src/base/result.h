// Result<T>: what every fallible function returns at a module border, and the Error it carries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace godwit {

/// Named values that fill the `{name}` places of a message text, in order of insertion.
using Args = std::vector<std::pair<std::string, std::string>>;

/// Where something was found. `line` and `column` count from 1 (0: not known); `byte` is an offset
/// into the file, used where lines mean nothing (-1: not known).
struct Place {
  std::string file{};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::int64_t byte = -1;
};

/// Why we could not do what was asked. The texts (title, found, expected, help) of `code` stand in
/// data/messages/{en,zh}/E.toml; `args` fill their places.
struct Error {
  std::string code;
  Place place{};
  Args args{};
};

template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

/// `return fail("E003", {.file = path}, {{"reason", text}});`
[[nodiscard]] inline tl::unexpected<Error> fail(std::string_view code, Place place = {},
                                                Args args = {}) {
  return tl::unexpected<Error>(Error{std::string(code), std::move(place), std::move(args)});
}

}  // namespace godwit

#define GODWIT_JOIN_(a, b) a##b
#define GODWIT_JOIN(a, b) GODWIT_JOIN_(a, b)

/// Returns the error of `expression` from the enclosing function; drops its value. A counter names
/// the temporary, because the expression may hold a lambda with a TRY of its own.
#define TRY(expression) TRY_(GODWIT_JOIN(godwit_tried_, __COUNTER__), expression)
#define TRY_(temporary, expression)                                      \
  do {                                                                   \
    auto&& temporary = (expression);                                     \
    if (!temporary) return tl::unexpected(std::move(temporary).error()); \
  } while (false)

/// `ASSIGN(const auto text, read_text(path));` declares `text` or returns the error.
#define ASSIGN(declaration, expression) \
  ASSIGN_(GODWIT_JOIN(godwit_result_, __LINE__), declaration, expression)
#define ASSIGN_(temporary, declaration, expression)                    \
  auto temporary = (expression);                                       \
  if (!temporary) return tl::unexpected(std::move(temporary).error()); \
  declaration = *std::move(temporary)
