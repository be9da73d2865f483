// What stages share: options and the commands that manifests name.
#include "dossier/stage.h"

#include "base/text.h"
#include "facts/versions.h"

namespace godwit::dossier {
namespace {

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(word);
  return "'" + replace_all(word, "'", "'\\''") + "'";
}

}  // namespace

std::string Context::option(std::string_view name) const {
  const auto found = options.find(name);
  return found == options.end() ? std::string() : found->second;
}

std::string torch_npu_release(const Context& context) {
  if (std::string asked = context.option("torch-npu"); !asked.empty()) return asked;
  const diag::Outcome* const doctor = context.outcome("doctor");
  if (doctor == nullptr) return {};
  std::string solved(doctor->summary["plan"]["solution"]["torch_npu"].string());
  if (solved.empty()) return solved;
  return facts::read_release(solved).value_or(solved);
}

void add_release(std::vector<std::string>& words, const Context& context) {
  std::string release = torch_npu_release(context);
  if (!release.empty()) words.insert(words.end(), {"--torch-npu", std::move(release)});
}

std::string command_line(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(shell_word(word));
  return join(out, " ");
}

}  // namespace godwit::dossier
