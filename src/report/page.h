// Page: what a report shows, as plain values: every number is decided here, the renderers only
// draw.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "diag/finding.h"
#include "report/checklist.h"

namespace godwit::report {

/// What a dossier holds, read by whoever owns its files.
struct Source {
  Json manifest;                                  // manifest.json
  std::map<std::string, diag::Outcome> outcomes;  // by stage, of the stages that applied
};

/// A part of a whole; `look` is its colour: good, fair, slow, bad, unknown.
struct Slice {
  std::string label{};
  std::string_view look{};
  std::size_t count = 0;
};

struct Range {
  double low = 0, high = 0;
};

struct StageRow {
  std::string name{};     // the title in the language of the page
  std::string command{};  // the same work as a command of its own
  double seconds = 0;
  bool applies = true;
  std::array<std::size_t, 3> findings{};  // by diag::Severity
};

struct EffortRow {
  std::string title{}, basis{};
  std::size_t count = 0;
  bool calibrated = false;
  Range first_run{}, production{}, peak{};  // each on top of the phase before
};

struct FileRow {
  std::string path{};
  std::array<std::size_t, 3> findings{};
};

struct Spot {
  std::string place{}, snippet{};
};

/// All findings that say the same.
struct Group {
  diag::Severity severity{};
  std::string code{}, stage{}, title{}, message{}, remedy{}, explain{};
  std::size_t count = 0;
  std::vector<Spot> spots{};  // the first ones
};

struct Model {
  std::string path{};
  std::vector<Slice> tiers{};
  std::string command{};   // of ATC
  std::string verified{};  // what the chip's numerics do to it, in a line
};

/// One component of the environment: what is there, what fits the target.
struct VersionRow {
  std::string component{}, found{}, wanted{};
};

struct Page {
  std::string name{}, target{}, version{}, data{}, command{}, kinds{};
  std::string apply{};           // command that applies source.diff
  std::string used_release{};    // torch_npu whose names count
  std::string solved_release{};  // torch_npu that is advised; empty when one was asked for
  std::size_t files = 0;
  std::array<std::size_t, 3> findings{};  // distinct ones, by severity
  std::array<std::size_t, 3> places{};    // where they stand
  std::vector<Slice> coverage{};          // of distinct APIs
  std::size_t apis = 0, supported = 0;    // as scan counts them
  std::vector<Model> models{};
  std::vector<StageRow> stages{};
  std::vector<EffortRow> effort{};
  Range first_run{}, production{}, peak{};  // cumulative: production holds first_run
  std::vector<FileRow> hot_files{};         // most findings first
  std::vector<Group> groups{};              // blocking first
  std::vector<VersionRow> versions{};
  std::vector<std::string> install{};  // commands that set up the environment
  std::vector<Check> checklist{};
  std::vector<std::string> trials{};  // commands that try the ported programs, in a copy of source/
  std::string trial{};  // what the trial of this run showed; empty: none was asked for
  bool is_ported = false;
  std::size_t edits = 0, edited_files = 0, left = 0;
};

/// True when the tables do not hold the release that is advised, and its nearest one was used.
bool is_nearest_release(const Page& page);

Page make_page(const Source& source);

}  // namespace godwit::report
