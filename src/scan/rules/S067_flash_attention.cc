// Attention implementations that are CUDA kernels, chosen by name or by switch.
#include "base/text.h"
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using project::FileKind;

void visit(const Site& site, Findings& out) {
  if (site.kind == Site::Kind::kString) {
    if (is_in_effect(role_of(site.module, site.node))) out.push_back(site.finding());
    return;
  }
  const auto flag = site.argument("use_flash_attention_2");
  if (flag != syntax::kNoNode && site.text(flag) == "True") out.push_back(site.finding());
}

void read(const Word& word, Findings& out) {
  const std::string_view after = trim(word.after());
  if (contains(word.name, "use_") && (contains(after, "false") || contains(after, "False"))) return;
  out.push_back(word.finding());
}

}  // namespace

extern const Rule flash_attention = {
    .code = "S067",
    .severity = diag::Severity::kError,
    .once_per_file = true,
    .names = {"*.from_pretrained", "*.from_config"},
    .strings = {"flash_attention_2", "flash_attention_3"},
    .words = {"flash_attention_2", "flash_attention_3", "use_flash_attention_2"},
    .files = {FileKind::kYaml, FileKind::kJson, FileKind::kToml, FileKind::kShell},
    .visit = visit,
    .read = read,
};

}  // namespace godwit::scan::rules
