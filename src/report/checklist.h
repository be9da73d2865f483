// Checklist: every item from prepare to accept with its state, computed from what the stages found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

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

/// The same as Markdown, for checklist.md.
std::string to_markdown(const std::vector<Check>& checks);

}  // namespace godwit::report
