// From a path to one report: what it is, the scan of each part, figures and effort over all.
#include "scan/scan.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "diag/messages.h"
#include "project/files.h"
#include "scan/onnx_part.h"
#include "scan/project_scan.h"
#include "scan/trace.h"
#include "scan/trace_scan.h"

namespace godwit::scan {
namespace {

namespace fs = std::filesystem;
using project::FileKind;

constexpr std::size_t kSniffed = 4096;

// ModelProto begins with ir_version (field 1, a varint below 128) and a further field.
bool looks_like_onnx(std::string_view start) {
  return start.size() > 3 && start[0] == 0x08 && static_cast<unsigned char>(start[1]) < 0x20 &&
         (static_cast<unsigned char>(start[2]) & 7u) <= 2;
}

SubjectKind kind_of_file(const fs::path& path) {
  const std::string start = read_start(path, kSniffed);
  if (looks_like_trace(start)) return SubjectKind::kTrace;
  if (path.extension() == ".onnx" || looks_like_onnx(start)) return SubjectKind::kOnnx;
  return SubjectKind::kProject;
}

bool is_source(FileKind kind) {
  return kind != FileKind::kOnnx && kind != FileKind::kOther && kind != FileKind::kMarkdown;
}

Result<std::vector<Subject>> subjects_in(const fs::path& folder, const Options& options) {
  ASSIGN(const project::Listing listing, project::list_files(folder, {.exclude = options.exclude}));
  std::vector<Subject> subjects;
  bool sources = false;
  for (const project::File& file : listing.files) {
    if (file.kind == FileKind::kOnnx) subjects.push_back({SubjectKind::kOnnx, folder / file.path});
    if (file.kind == FileKind::kJson &&
        looks_like_trace(read_start(folder / file.path, kSniffed))) {
      subjects.push_back({SubjectKind::kTrace, folder / file.path});
    }
    sources |= is_source(file.kind);
  }
  if (sources || !listing.left_out.empty())
    subjects.insert(subjects.begin(), {SubjectKind::kProject, folder});
  if (subjects.empty())
    return fail("E052", {.file = show_path(folder)}, {{"path", show_path(folder)}});
  return subjects;
}

// In a folder every file is named from there, models and traces as sources are.
void name_from(const fs::path& folder, const Subject& subject, Part& part) {
  if (folder == subject.path || subject.kind == SubjectKind::kProject) return;
  const std::string whole = show_path(subject.path);
  const std::string name = show_path(subject.path.lexically_relative(folder));
  for (diag::Finding& finding : part.findings) {
    if (finding.place.file == whole) finding.place.file = name;
  }
  for (diag::Section& section : part.sections)
    section.title = replace_all(section.title, whole, name);
}

Result<Part> scan_subject(const Subject& subject, const Options& options, bool alone) {
  switch (subject.kind) {
    case SubjectKind::kTrace: return scan_trace(subject.path, options);
    case SubjectKind::kOnnx: return scan_model(subject.path, options, alone);
    case SubjectKind::kProject: break;
  }
  return scan_project(subject.path, options);
}

void add(const Figures& part, Figures& all) {
  all.apis += part.apis;
  all.supported += part.supported;
  all.unknown += part.unknown;
  all.calls += part.calls;
  all.supported_calls += part.supported_calls;
  all.training |= part.training;
}

Json target_json(const facts::Target& target) {
  Json out = Json::object();
  out.set("soc_version", target.soc.soc_version);
  out.set("family", target.soc.family);
  if (!target.product.empty()) out.set("product", target.product);
  out.set("understood", target.understood());
  return out;
}

void finish(const Options& options, Report& report) {
  Json& summary = report.outcome.summary;
  summary.set("target", target_json(options.target));
  summary.set("effort", to_json(report.effort));
  diag::Section target{.title = diag::text("scan.target_title"),
                       .lines = {options.target.understood()}};
  report.outcome.sections.insert(report.outcome.sections.begin(), std::move(target));
  report.outcome.sections.push_back(to_section(report.effort));
}

// A file that is named alone must be one that somebody reads; in a folder it would be passed over.
Status check_lone_file(const fs::path& path) {
  ASSIGN(const project::Listing listing, project::list_files(path));
  if (!listing.left_out.empty()) return tl::unexpected(listing.left_out.front());
  const FileKind kind = listing.files.front().kind;
  if (!is_source(kind)) return fail("E052", {.file = show_path(path)}, {{"path", show_path(path)}});
  if (kind != FileKind::kJson && kind != FileKind::kToml) return {};
  ASSIGN(const std::string text, read_file(path));
  const auto parsed = kind == FileKind::kJson ? parse_json(text, show_path(path))
                                              : parse_toml(text, show_path(path));
  return parsed ? Status() : tl::unexpected(parsed.error());
}

}  // namespace

Result<std::vector<Subject>> open_subject(const fs::path& path, const Options& options) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    return fail("E001", {.file = show_path(path)}, {{"path", show_path(path)}});
  if (fs::is_directory(status)) return subjects_in(path, options);
  if (!fs::is_regular_file(status))
    return fail("E003", {.file = show_path(path)}, {{"path", show_path(path)}});
  const SubjectKind kind = kind_of_file(path);
  if (kind == SubjectKind::kProject) TRY(check_lone_file(path));
  return std::vector<Subject>{{kind, path}};
}

Result<Report> scan(const fs::path& path, const Options& options) {
  ASSIGN(const std::vector<Subject> subjects, open_subject(path, options));
  Report report;
  report.outcome.command = "scan";
  for (const Subject& subject : subjects) {
    ASSIGN(Part part, scan_subject(subject, options, subjects.size() == 1));
    add(part.figures, report.figures);
    name_from(path, subject, part);
    std::move(part.findings.begin(), part.findings.end(),
              std::back_inserter(report.outcome.findings));
    std::move(part.sections.begin(), part.sections.end(),
              std::back_inserter(report.outcome.sections));
    if (subject.kind == SubjectKind::kProject) {
      report.outcome.summary.set(part.key, std::move(part.summary));
      continue;
    }
    part.summary.set(
        "path", show_path(subject.path == path ? path : subject.path.lexically_relative(path)));
    Json parts = report.outcome.summary[part.key];
    parts.add(std::move(part.summary));
    report.outcome.summary.set(part.key, std::move(parts));
  }
  diag::sort(report.outcome.findings);
  ASSIGN(report.effort, estimate_effort(report.outcome.findings));
  finish(options, report);
  return report;
}

}  // namespace godwit::scan
