// BF16 in configuration and launch lines: it wins over source that was edited with care.
#include "base/text.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using project::FileKind;

// `bf16: false`, `"bf16": {"enabled": false}` and `--bf16=0` say no.
bool is_turned_off(std::string_view after) {
  const std::size_t begin = after.find_first_not_of("\"' :=\t{");
  if (begin == std::string_view::npos) return false;
  std::string_view value = after.substr(begin);
  if (value.starts_with("enabled")) return is_turned_off(value.substr(7));
  value = value.substr(0, value.find_first_of("\"' ,}\t\r#"));
  const std::string lower = to_lower(value);
  return lower == "false" || lower == "no" || lower == "0" || lower == "off" || lower == "none" ||
         lower == "null";
}

// As a value ("dtype: bfloat16"), a switch ("--bf16") or a key that is on; prose does not count.
bool is_setting(const Word& word) {
  const std::string_view before = trim(word.before());
  if (before.empty()) return !trim(word.after()).empty() || word.file.kind == FileKind::kShell;
  constexpr std::string_view kOpeners = ":=\"'-,[{(";
  return kOpeners.find(before.back()) != std::string_view::npos || contains(before, "dtype") ||
         contains(before, "precision") || contains(before, "--");
}

void read(const Word& word, Findings& out) {
  if (!facts::is_no(word.scene.soc().bf16)) return;
  const bool is_key = word.name != "bfloat16" && word.name != "torch.bfloat16";
  if (is_key && is_turned_off(word.after())) return;
  if (!is_setting(word)) return;
  diag::Finding finding = word.finding();
  // "auto" takes what the launch line says, and is judged there.
  if (contains(word.after(), "\"auto\"")) finding.severity = diag::Severity::kWarning;
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule bf16_configured = {
    .code = "S023",
    .severity = diag::Severity::kError,
    .words = {"bf16", "BF16", "bfloat16", "torch.bfloat16", "bf16-mixed", "bf16-true", "use_bf16",
              "bf16_full_eval", "enable_bf16"},
    .files = {FileKind::kYaml, FileKind::kJson, FileKind::kToml, FileKind::kShell,
              FileKind::kMakefile, FileKind::kDockerfile},
    .read = read,
};

}  // namespace godwit::scan::rules
