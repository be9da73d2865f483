// Rows of api/models.tsv: the worst of the parts is the verdict of the whole.
#include "facts/model_parts.h"

#include <optional>
#include <string>

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

std::optional<std::uint32_t> find_row(const Table& models, std::string_view api) {
  const std::size_t key = models.column("api");
  if (const auto exact = models.find(key, api); !exact.empty()) return exact.front();
  for (std::string prefix(api); !prefix.empty() && !prefix.ends_with('.'); prefix.pop_back()) {
    if (const auto found = models.find(key, prefix + "*"); !found.empty()) return found.front();
  }
  return std::nullopt;
}

}  // namespace

Status judge_model(const Soc& soc, const EagerOptions& options, EagerVerdict& verdict) {
  if (verdict.known || !verdict.api.starts_with("torchvision.models.")) return {};
  ASSIGN(const Table* const models, table("api/models.tsv", {"api"}));
  const auto row = find_row(*models, verdict.api);
  if (!row) return {};
  verdict.known = true;
  verdict.verdict = Verdict::kSupported;
  for (const std::string_view name : split_list(cell(*models, *row, "consists_of"))) {
    ASSIGN(const EagerVerdict part, eager_verdict(name, soc, options));
    if (part.verdict <= Verdict::kFramework) continue;
    if (part.verdict > verdict.verdict) verdict.offenders.clear();
    verdict.verdict = worst(verdict.verdict, part.verdict);
    if (part.verdict == verdict.verdict) verdict.offenders.emplace_back(name);
    verdict.evidence.push_back({.layer = Layer::kReading,
                                .table = "api/models.tsv",
                                .subject = verdict.api,
                                .says = format("{}: {}", name, to_string(part.verdict)),
                                .source = std::string(cell(*models, *row, "source")),
                                .at = std::string(cell(*models, *row, "at"))});
  }
  return {};
}

}  // namespace godwit::facts
