// Files that could not be read are listed, so that silence about them is not taken for support.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

std::string reason_of(const Error& error) {
  // The first line of the rendered error: "error[E060]: title".
  const std::string text = diag::render(error);
  const std::size_t colon = text.find(": ");
  const std::size_t end = text.find('\n');
  return colon == std::string::npos ? text : text.substr(colon + 2, end - colon - 2);
}

void report(const Rule& rule, const Scene& scene, const Error& error, Findings& out) {
  diag::Finding finding{
      .code = std::string(rule.code), .severity = rule.severity, .place = error.place};
  finding.args = {{"error", error.code}, {"reason", reason_of(error)}, {"chip", scene.chip()}};
  out.push_back(std::move(finding));
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const Error& error : scene.project.unreadable) report(rule, scene, error, out);
  for (const Error& error : scene.project.listing.left_out) report(rule, scene, error, out);
}

}  // namespace

extern const Rule left_out = {
    .code = "S081",
    .severity = diag::Severity::kWarning,
    .finish = finish,
};

}  // namespace godwit::scan::rules
