// godwit explain: what a code means, why it matters and what to do, from the message tables.
#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "diag/messages.h"

namespace godwit::cli::commands {
namespace {

// A text shown without a finding has nothing to fill its places with: {api} is read as <api>.
std::string open_places(std::string text) {
  for (char& c : text) c = c == '{' ? '<' : c == '}' ? '>' : c;
  return text;
}

std::string line_of(const std::string& code) {
  return format("{}  {}\n", code, open_places(diag::text(format("{}.title", code))));
}

// All codes, under a heading for each letter: who says them.
ExitCode list(const Console& console) {
  std::string out;
  char letter = 0;
  for (const std::string& code : diag::known_codes()) {
    if (code[0] != letter) {
      if (letter != 0) out += "\n";
      letter = code[0];
      out += diag::text(format("explain.letter_{}", letter)) + "\n";
    }
    out += "  " + line_of(code);
  }
  console.print(out);
  return ExitCode::kFine;
}

bool is_code(std::string_view word) {
  return word.size() == 4 && word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// Codes whose title, or explanation, holds the words; those whose title does come first.
std::vector<std::string> codes_about(const std::string& words) {
  std::vector<std::string> titled, explained;
  const std::string wanted = to_lower(words);
  for (const std::string& code : diag::known_codes()) {
    const auto holds = [&](std::string_view part) {
      return contains(to_lower(diag::text(format("{}.{}", code, part))), wanted);
    };
    if (holds("title"))
      titled.push_back(code);
    else if (diag::has_text(code + ".explain") && holds("explain"))
      explained.push_back(code);
  }
  titled.insert(titled.end(), explained.begin(), explained.end());
  return titled;
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

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

Error unknown(const std::string& code, const std::vector<std::string>& known) {
  std::vector<std::string> same_letter;
  for (const std::string& each : known) {
    if (each[0] == code[0]) same_letter.push_back(each);
  }
  const std::vector<std::string> close = nearest(code, same_letter);
  return {.code = "E023",
          .args = {{"found", code}, {"nearest", close.empty() ? "S020" : join(close, ", ")}}};
}

// The page of a code, or, for words, the codes that are about them.
ExitCode run(const Arguments& arguments, const Console& console) {
  if (arguments.has("--list") || !arguments.has("CODE")) return list(console);
  const std::vector<std::string> known = diag::known_codes();
  const std::string asked = arguments.text("CODE"), code = upper(asked);
  std::string out;
  if (is_code(code)) {
    if (std::find(known.begin(), known.end(), code) == known.end())
      return console.report(unknown(code, known));
    out = page(code, console.style.width);
  } else {
    for (const std::string& about : codes_about(asked)) out += line_of(about);
    if (out.empty()) return console.report(unknown(asked, known));
  }
  console.print(out);
  return ExitCode::kFine;
}

}  // namespace

extern const Command explain = {
    .name = "explain",
    .options = {{.name = "CODE"}, {.name = "--list"}},
    .examples = {"godwit explain S020", "godwit explain bf16", "godwit explain --list"},
    .run = run,
};

}  // namespace godwit::cli::commands
