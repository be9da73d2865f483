// Environment variables of CUDA and NCCL: what they are called on an Ascend machine.
#include "base/text.h"
#include "facts/environment.h"
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using facts::Relation;
using facts::Variable;
using project::FileKind;

// The same name on both sides needs no word.
const Variable* worth_saying(const std::vector<Variable>& variables) {
  for (const Variable& variable : variables) {
    if (variable.ascend != variable.cuda) return &variable;
  }
  return nullptr;
}

Args args_of(const Variable& variable) {
  return {{"variable", variable.cuda}, {"ascend", variable.ascend}, {"note", variable.note}};
}

void finish_finding(diag::Finding finding, const Variable& variable, Findings& out) {
  if (variable.relation == Relation::kNone) finding.severity = diag::Severity::kNote;
  finding.properties.set("source", variable.source);
  finding.properties.set("at", variable.at);
  out.push_back(std::move(finding));
}

void visit(const Site& site, Findings& out) {
  if (site.module.is_docstring(site.node)) return;
  const auto variables = facts::find_variable(site.name);
  const Variable* const variable = variables ? worth_saying(*variables) : nullptr;
  if (variable == nullptr) return;
  finish_finding(site.finding(args_of(*variable), facts::to_string(variable->relation)), *variable,
                 out);
}

void read(const Word& word, Findings& out) {
  const auto variables = facts::find_variable(word.name);
  const Variable* const variable = variables ? worth_saying(*variables) : nullptr;
  if (variable == nullptr) return;
  finish_finding(word.finding(args_of(*variable), facts::to_string(variable->relation)), *variable,
                 out);
}

}  // namespace

extern const Rule environment = {
    .code = "S042",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .strings = {"CUDA_*", "NCCL_*", "TORCH_NCCL_*", "PYTORCH_CUDA_*", "PYTORCH_NO_CUDA*",
                "PYTORCH_NVML*", "NVIDIA_*", "CUBLAS_*", "CUDNN_*", "TORCH_CUDA_*", "TORCH_CUDNN_*",
                "TORCH_ALLOW_TF32*"},
    .words = {"CUDA_*", "NCCL_*", "TORCH_NCCL_*", "PYTORCH_CUDA_*", "PYTORCH_NO_CUDA*",
              "PYTORCH_NVML*", "NVIDIA_*", "CUBLAS_*", "CUDNN_*", "TORCH_CUDA_*", "TORCH_CUDNN_*",
              "TORCH_ALLOW_TF32*"},
    .files = {FileKind::kShell, FileKind::kYaml, FileKind::kDockerfile, FileKind::kMakefile,
              FileKind::kJson, FileKind::kToml},
    .visit = visit,
    .read = read,
};

}  // namespace godwit::scan::rules
