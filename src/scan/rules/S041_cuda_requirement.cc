// Requirements that install CUDA builds: they do not install, or pull CUDA onto an Ascend host.
#include "base/text.h"
#include "scan/library.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using project::FileKind;

// Outside a requirements file a package name counts on an install line only.
bool installs(const Word& word) {
  if (word.file.kind == FileKind::kRequirements) return trim(word.before()).empty();
  if (word.file.kind == FileKind::kToml)
    return contains(word.before(), "\"") || contains(word.before(), "'");
  return contains(word.before(), "pip") && contains(word.before(), " install ");
}

bool is_cuda_tag(std::string_view name) {
  return name.starts_with("cu1") && name.size() >= 4 && name.size() <= 6 &&
         name.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

void read(const Word& word, Findings& out) {
  if (is_cuda_tag(word.name)) {
    if (word.before().ends_with('+') || contains(word.before(), "whl/"))
      out.push_back(word.finding({}, "wheel"));
    return;
  }
  if (!installs(word)) return;
  if (word.name.starts_with("nvidia-")) {
    out.push_back(word.finding({}, "nvidia"));
    return;
  }
  const facts::Library* const library = library_of_package(word.name, word.scene.soc());
  if (library == nullptr || library->how == facts::Replacement::kSame) return;
  if (word.scene.project.find(replace_all(word.name, "-", "_")) != nullptr) return;  // itself
  diag::Finding finding =
      word.finding(args_of(*library), facts::is_no(library->on_soc) ? "soc" : "");
  finding.severity = severity_of(*library);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule cuda_requirement = {
    .code = "S041",
    .severity = diag::Severity::kWarning,
    .words = {"nvidia-*", "cu1*"},
    .files = {FileKind::kRequirements, FileKind::kToml, FileKind::kDockerfile, FileKind::kShell,
              FileKind::kYaml},
    .more = library_packages,
    .more_in = kMoreWords,
    .read = read,
};

}  // namespace godwit::scan::rules
