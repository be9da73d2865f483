// Libraries of the CUDA side: what stands in for each on the chip.
#include <array>
#include <deque>
#include <set>

#include "base/text.h"
#include "scan/library.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

// Libraries whose plain import is harmless; the text beside it shows the use of CUDA.
struct Needs {
  std::string_view import_root, sign;
};
constexpr std::array<Needs, 4> kNeeds = {{{"numba", "numba.cuda"},
                                          {"numba", "import cuda"},
                                          {"faiss", "pu"},
                                          {"onnxruntime", "CUDAExecutionProvider"}}};

bool is_harmless(const Site& site) {
  const std::string_view root = site.name.substr(0, site.name.find('.'));
  bool listed = false;
  for (const Needs& needs : kNeeds) {
    if (needs.import_root != root) continue;
    listed = true;
    if (contains(site.name, needs.sign) || contains(site.module.source().text(), needs.sign))
      return false;
  }
  return listed;
}

// A project may be one of these libraries itself.
bool is_own(const Site& site) {
  return site.scene.project.find(site.name.substr(0, site.name.find('.'))) != nullptr;
}

void visit(const Site& site, Findings& out) {
  const facts::Library* const library = library_of(site.name, site.scene.soc());
  if (library == nullptr || is_own(site) || is_harmless(site)) return;
  std::string_view variant = facts::to_string(library->how);
  if (facts::is_no(library->on_soc)) variant = "soc";
  diag::Finding finding = site.finding(args_of(*library), variant);
  finding.severity = severity_of(*library);
  // A guarded import has another way to go; only the speed or a feature is lost.
  if (site.import->is_guarded && finding.severity == diag::Severity::kError) {
    finding.severity = diag::Severity::kWarning;
    finding.properties.set("guarded", true);
  }
  finding.properties.set("source", library->source);
  finding.properties.set("at", library->at);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule cuda_library = {
    .code = "S040",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .more = library_imports,
    .more_in = kMoreImports,
    .visit = visit,
};

}  // namespace godwit::scan::rules
