// godwit explain: what a code means, why it matters and what to do, from the message tables.
#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "diag/messages.h"

namespace godwit::cli::commands {
namespace {

ExitCode list(const Console& console) {
  std::string out;
  for (const std::string& code : diag::known_codes()) {
    out += format("{}  {}\n", code, diag::text(format("{}.title", code)));
  }
  console.print(out);
  return ExitCode::kFine;
}

// A text shown without a finding has nothing to fill its places with: {api} is read as <api>.
std::string open_places(std::string text) {
  for (char& c : text) c = c == '{' ? '<' : c == '}' ? '>' : c;
  return text;
}

std::string page(const std::string& code, std::size_t width) {
  std::string out = format("{}  {}\n", code, open_places(diag::text(format("{}.title", code))));
  for (const std::string_view part :
       {"explain", "message", "found", "expected", "remedy", "help"}) {
    const std::string key = format("{}.{}", code, part);
    if (!diag::has_text(key)) continue;
    out += "\n";
    if (part != "explain") out += diag::text(format("explain.{}", part)) + "\n";
    const std::string_view indent = part == "explain" ? "" : "  ";
    for (const std::string& line : wrap(open_places(diag::text(key)), width - indent.size()))
      out += format("{}{}\n", indent, line);
  }
  return out;
}

ExitCode run(const Arguments& arguments, const Console& console) {
  if (arguments.has("--list") || !arguments.has("CODE")) return list(console);
  const std::vector<std::string> known = diag::known_codes();
  std::string code = arguments.text("CODE");
  std::transform(code.begin(), code.end(), code.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  if (std::find(known.begin(), known.end(), code) == known.end()) {
    const std::vector<std::string> close = nearest(code, known);
    return console.report(
        Error{.code = "E023",
              .args = {{"found", code}, {"nearest", close.empty() ? "E001" : join(close, ", ")}}});
  }
  console.print(page(code, console.style.width));
  return ExitCode::kFine;
}

}  // namespace

extern const Command explain = {
    .name = "explain",
    .options = {{.name = "CODE"}, {.name = "--list"}},
    .examples = {"godwit explain E006", "godwit explain --list"},
    .run = run,
};

}  // namespace godwit::cli::commands
