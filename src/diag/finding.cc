// Texts, order and fingerprints of findings; the shape of errors.
#include "diag/finding.h"

#include <algorithm>
#include <tuple>

#include "base/hash.h"
#include "base/markup.h"
#include "base/text.h"
#include "diag/error_text.h"
#include "diag/messages.h"

namespace godwit::diag {
namespace {

bool names_an_empty_one(std::string_view pattern, const Args& args) {
  return std::any_of(args.begin(), args.end(), [&](const auto& arg) {
    return arg.second.empty() && contains(pattern, format("{{{}}}", arg.first));
  });
}

// "message_port_bare" says the same as "message_port" where one of its places has nothing to say.
std::string say(const std::string& key, const Args& args) {
  const std::string bare = key + "_bare";
  return text(has_text(bare) && names_an_empty_one(text(key), args) ? bare : key, args);
}

std::string form(const Finding& finding, std::string_view part) {
  if (!finding.variant.empty()) {
    const std::string key = format("{}.{}_{}", finding.code, part, finding.variant);
    if (has_text(key)) return say(key, finding.args);
  }
  const std::string key = format("{}.{}", finding.code, part);
  return has_text(key) ? say(key, finding.args) : std::string();
}

std::string place_of(const Place& place) {
  std::string out = replace_all(place.file, "\n", "\\n");
  if (place.line) out += format(":{}", place.line);
  if (place.column) out += format(":{}", place.column);
  if (place.byte >= 0)
    out += format(", byte {}", with_thousands(static_cast<std::uint64_t>(place.byte)));
  return out;
}

// The operating system gives its reasons in English; [system] says them in the reader's language.
Args in_our_words(Args args) {
  for (auto& [name, value] : args) {
    if (name != "reason") continue;
    std::string key = "system.";
    for (const char c : to_lower(value)) key += c >= 'a' && c <= 'z' ? c : '_';
    if (has_text(key)) value = text(key);
  }
  return args;
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: break;
  }
  return "note";
}

std::string Finding::title() const { return form(*this, "title"); }
std::string Finding::message() const { return form(*this, "message"); }
std::string Finding::remedy() const { return form(*this, "remedy"); }

std::string fingerprint(const Finding& finding) {
  std::string key = format("{}\n{}\n{}\n{}", finding.code, finding.place.file, finding.variant,
                           trim(finding.snippet));
  for (const auto& [name, value] : finding.args) key += format("\n{}={}", name, value);
  return format("{:016x}", hash64(key));
}

void sort(std::vector<Finding>& findings) {
  const auto key = [](const Finding& f) {
    return std::make_tuple(-static_cast<int>(f.severity), std::string_view(f.place.file),
                           f.place.line, f.place.column, f.place.byte, std::string_view(f.code));
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

std::string render(const Error& error) { return render(error, 0); }

std::string render(const Error& error, std::size_t width) {
  const Args args = in_our_words(error.args);
  const auto lines = [&](std::string_view lead, const std::string& said) {
    if (said.empty()) return std::string();
    std::string out;
    const std::size_t room = width > lead.size() + 20 ? width - lead.size() : said.size();
    for (const std::string& line : wrap(said, room))
      out += format("{}{}\n", out.empty() ? lead : std::string(lead.size(), ' '), line);
    return out;
  };
  std::string out = format("error[{}]: {}\n", error.code, text(error.code + ".title", args));
  if (!error.place.file.empty()) out += format("  --> {}\n", place_of(error.place));
  for (const std::string_view part : {"found", "expected", "help"}) {
    const std::string key = format("{}.{}", error.code, part);
    const std::string said = has_text(key) ? text(key, args) : std::string();
    if (said.empty()) continue;
    const bool is_found = part == "found";
    out += lines(is_found ? "   |  " : "   = ",
                 is_found ? said : text(format("error.{}", part), {{"text", said}}));
  }
  return printable(out);  // what a hostile file is called must not steer the terminal
}

}  // namespace godwit::diag
