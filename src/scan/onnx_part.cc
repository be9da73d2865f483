// From the report on a model to what the scan of a path adds up.
#include "scan/onnx_part.h"

#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "diag/messages.h"
#include "scan/onnx.h"

namespace godwit::scan {
namespace {

diag::Finding unreadable(const std::filesystem::path& path, const Options& options,
                         const Error& error) {
  return {.code = "S135",
          .severity = diag::Severity::kError,
          .place = {.file = show_path(path)},
          .args = {{"path", show_path(path)},
                   {"chip", options.target.soc.soc_version},
                   {"code", error.code},
                   {"title", diag::text(format("{}.title", error.code), error.args)},
                   {"found", diag::text(format("{}.found", error.code), error.args)}}};
}

}  // namespace

Result<Part> scan_model(const std::filesystem::path& path, const Options& options, bool alone) {
  Part part{.key = "models"};
  auto report = scan_onnx(path, options.target);
  if (!report && alone) return tl::unexpected(std::move(report).error());
  if (!report) {
    part.findings.push_back(unreadable(path, options, report.error()));
    return part;
  }
  const OnnxFigures& figures = report->figures;
  part.findings = std::move(report->findings);
  part.summary = std::move(report->summary);
  part.sections = std::move(report->sections);
  part.figures.apis = figures.operators;
  part.figures.supported = figures.operators_direct;
  part.figures.unknown = figures.operators_unknown;
  part.figures.calls = figures.nodes;
  part.figures.supported_calls = figures.direct;
  return part;
}

}  // namespace godwit::scan
