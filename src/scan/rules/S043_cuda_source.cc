// CUDA sources of the project: kernels and launches counted, each a piece of Ascend C work.
#include "base/file.h"
#include "base/text.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using project::FileKind;

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

std::uint32_t line_of(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string_view::npos) return 1;
  return static_cast<std::uint32_t>(count_of(text.substr(0, at), "\n") + 1);
}

// C++ that only calls kernels or the CUDA runtime has to change too, but holds no kernel.
bool names_cuda(std::string_view text) {
  for (const std::string_view sign :
       {"cuda_runtime", "ATen/cuda", "c10/cuda", "cuda.h>", "is_cuda()", "NvInfer"}) {
    if (contains(text, sign)) return true;
  }
  return false;
}

void report(const Rule& rule, const Scene& scene, const project::File& file, std::string_view text,
            Findings& out) {
  const std::size_t kernels = count_of(text, "__global__");
  const std::size_t launches = count_of(text, "<<<");
  const bool holds = file.kind == FileKind::kCuda || kernels + launches > 0;
  if (!holds && !names_cuda(text)) return;
  diag::Finding finding{
      .code = std::string(rule.code),
      .severity = holds ? rule.severity : diag::Severity::kWarning,
      .place = {.file = file.path, .line = line_of(text, "__global__"), .column = 1}};
  finding.args = {{"kernels", std::to_string(kernels)},
                  {"launches", std::to_string(launches)},
                  {"name", file.path},
                  {"chip", scene.chip()}};
  if (!holds) finding.variant = "host";
  finding.properties.set("kernels", kernels);
  finding.properties.set("launches", launches);
  out.push_back(std::move(finding));
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  const project::Listing& listing = scene.project.listing;
  for (const project::File& file : listing.files) {
    if (file.kind != FileKind::kCuda && file.kind != FileKind::kCpp) continue;
    const auto text = read_file(listing.root / file.path, kMostBytes);
    if (text) report(rule, scene, file, *text, out);
  }
}

}  // namespace

extern const Rule cuda_source = {
    .code = "S043",
    .severity = diag::Severity::kError,
    .finish = finish,
};

}  // namespace godwit::scan::rules
