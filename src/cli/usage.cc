// CLI11 gives its complaints as English sentences only; the known ones are read back by their form.
#include "cli/usage.h"

#include <array>
#include <optional>

#include "base/text.h"
#include "diag/messages.h"

namespace godwit::cli {
namespace {

struct Form {
  std::string_view key;   // of a message under [usage]
  std::string_view form;  // as CLI11 2.1 words it, with <places>
};

constexpr std::array<Form, 7> kForms = {{
    {"no_command", "A subcommand is required"},
    {"missing", "<name> is required"},
    {"choice", "<name>: <found> not in {<known>}"},
    {"no_value", "<name>: 1 required <type> missing"},
    {"no_value", "Expected at least 1 arguments to <name>, got 0"},
    {"repeated", "<name>: At Most 1 required but received <count>"},
    {"repeated", "Expected exactly 1 arguments to <name>, got <count>"},
}};

// What stands at the places of the form, or nothing when the text has another form.
std::optional<Args> read(std::string_view form, std::string_view text) {
  Args args;
  while (true) {
    const std::size_t open = form.find('<');
    const std::string_view plain = form.substr(0, open);
    if (!text.starts_with(plain)) return std::nullopt;
    text.remove_prefix(plain.size());
    if (open == std::string_view::npos) break;
    const std::size_t close = form.find('>');
    const std::string_view name = form.substr(open + 1, close - open - 1);
    form.remove_prefix(close + 1);
    const std::string_view next = form.substr(0, form.find('<'));
    const std::size_t end = next.empty() ? text.size() : text.find(next);
    if (end == std::string_view::npos) return std::nullopt;
    args.emplace_back(name, text.substr(0, end));
    text.remove_prefix(end);
  }
  return text.empty() ? std::optional(std::move(args)) : std::nullopt;
}

}  // namespace

std::string usage_text(std::string_view parser_text) {
  for (const Form& form : kForms) {
    auto args = read(form.form, parser_text);
    if (!args) continue;
    for (auto& [name, value] : *args) {
      if (name == "known") value = replace_all(value, ",", ", ");
    }
    return diag::text(format("usage.{}", form.key), *args);
  }
  return std::string(parser_text);
}

Error misused(std::string reason, std::string wanted, std::string help) {
  return {.code = "E022",
          .args = {{"reason", std::move(reason)},
                   {"expected", std::move(wanted)},
                   {"help", std::move(help)}}};
}

}  // namespace godwit::cli
