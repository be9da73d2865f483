// Scan: what of a project, a model or an operator trace does a chip support, and what does it cost?
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "diag/finding.h"
#include "facts/soc.h"
#include "scan/effort.h"
#include "scan/mode.h"

namespace godwit::scan {

struct Options {
  facts::Target target{};
  Mode mode = Mode::kAuto;
  bool installed = false;   // count CUDA calls of imported packages in site-packages
  std::string torch_npu{};  // release whose names count ("2.12.0"); empty: the newest known
  std::vector<std::string> exclude{};  // globs as in .gitignore
  bool progress = false;
};

/// Figures that others build on; the same stand in `outcome.summary`.
struct Figures {
  std::size_t apis = 0, supported = 0, unknown = 0;  // distinct, judged
  std::size_t calls = 0, supported_calls = 0;        // places
  bool training = false;
};

struct Report {
  diag::Outcome outcome{};
  Figures figures{};
  Effort effort{};
};

enum class SubjectKind : std::uint8_t { kProject, kOnnx, kTrace };

/// What a path turned out to be.
struct Subject {
  SubjectKind kind = SubjectKind::kProject;
  std::filesystem::path path{};
};

/// By content. A folder with sources is a project; ONNX files inside it are subjects of their own.
/// Errors: E001 nothing there, E003 a device or a pipe, E052 nothing to scan in it; of a lone
/// configuration file E012 or E013.
Result<std::vector<Subject>> open_subject(const std::filesystem::path& path,
                                          const Options& options);

/// Scans all subjects of a path into one report. Errors: those of open_subject, of the readers and
/// of facts.
Result<Report> scan(const std::filesystem::path& path, const Options& options);

}  // namespace godwit::scan
