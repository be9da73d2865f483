// The name of NCCL as a backend: in process groups, comparisons and configuration.
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using project::FileKind;

void visit(const Site& site, Findings& out) {
  const Role role = role_of(site.module, site.node);
  if (role.kind == RoleKind::kCompared) {
    out.push_back(site.finding({}, "compared"));
  } else if (is_in_effect(role) || role.kind == RoleKind::kChoice) {
    out.push_back(site.finding());
  }
}

void read(const Word& word, Findings& out) {
  if (word.file.kind == FileKind::kRequirements) return;
  out.push_back(word.finding({}, "configured"));
}

}  // namespace

extern const Rule nccl = {
    .code = "S034",
    .severity = diag::Severity::kWarning,
    .strings = {"nccl", "NCCL", "cuda:nccl", "cpu:gloo,cuda:nccl"},
    .words = {"nccl"},
    .files = {FileKind::kYaml, FileKind::kJson, FileKind::kToml, FileKind::kShell},
    .answered_by = {"P012", "P013"},
    .visit = visit,
    .read = read,
};

}  // namespace godwit::scan::rules
