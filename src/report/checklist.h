// Checklist: every item from prepare to accept with its state, computed from what the stages found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "diag/finding.h"

namespace godwit::report {

struct Source;

enum class CheckState : std::uint8_t { kDone, kOpen, kUnknown, kNeedsCard, kNotApplicable };

std::string_view to_string(CheckState state);  // also a CSS class: "done", "open", "unknown" …

struct Check {
  std::string item{};     // key of checklist.tsv
  std::string phase{};    // "prepare" … "accept"
  std::string title{};    // in the language of the page
  std::string command{};  // what does it, where a command does
  CheckState state = CheckState::kOpen;
  std::string why{};  // what the state rests on
};

/// data/checklist.tsv over the outcomes. Done only when nothing is left and nothing is unknown.
std::vector<Check> judge_checklist(const Source& source);

/// How many items are in each state: {"done": 3, "open": 1 …}.
Json count_states(const std::vector<Check>& checks);

/// The items as a table, without those that do not apply.
diag::Section to_section(const std::vector<Check>& checks);

/// The same as Markdown, for checklist.md.
std::string to_markdown(const std::vector<Check>& checks);

}  // namespace godwit::report
