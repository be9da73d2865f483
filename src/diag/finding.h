// Findings: what the user asked us to look for, as data; and the outcome that every command makes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace godwit::diag {

/// error: will fail or be silently wrong on the target. warning: may. note: good to know.
enum class Severity : std::uint8_t { kNote, kWarning, kError };

std::string_view to_string(Severity severity);  // "note", "warning", "error"

/// One finding. Its texts are found by `code`: title, message, remedy and explain in
/// data/messages; `variant` picks another message and remedy ("message_bf16") where one code has
/// several forms.
struct Finding {
  std::string code;
  Severity severity = Severity::kWarning;
  Place place{};
  std::uint32_t end_line = 0;    // 0: not known
  std::uint32_t end_column = 0;  // one past the last column, counted from 1
  Args args{};
  std::string variant{};
  std::string snippet{};    // the source line, or the node, as it stands
  std::uint32_t count = 1;  // how many places it stands for
  Json properties{};        // further facts for machines: verdict, evidence, tier …

  std::string title() const;
  std::string message() const;
  std::string remedy() const;  // empty when there is nothing to do
};

/// A stable name of a finding that survives edits elsewhere in the file: code, file, message and
/// source line, not the line number. Used by baselines.
std::string fingerprint(const Finding& finding);

/// Blocking first, then by file, line, column, code.
void sort(std::vector<Finding>& findings);

/// One part of what a person reads below the findings: lines, or a table.
struct Section {
  std::string title;
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> rows{};
  std::vector<std::string> lines{};
};

/// What a command found: rendered as text for people and as JSON, SARIF … for machines.
struct Outcome {
  std::string command{};
  std::vector<Finding> findings{};
  Json summary = Json::object();    // figures, for machines
  std::vector<Section> sections{};  // the same figures, for people, in their language
};

/// An error as a person reads it: code, place, what was found, what was expected, what to do.
std::string render(const Error& error);

}  // namespace godwit::diag
