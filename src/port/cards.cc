// Decides per program and per chip, and makes the text of the helper modules.
#include "port/cards.h"

#include <algorithm>

#include "base/resources.h"
#include "base/text.h"
#include "facts/hccl.h"

namespace godwit::port {
namespace {

using facts::CollectiveSupport;

bool imports(const Subject& subject, std::string_view name) {
  return std::any_of(
      subject.module().imports().begin(), subject.module().imports().end(),
      [&](const project::Import& import) { return subject.module().name(import.target) == name; });
}

// What DistributedDataParallel calls, in itself or through our replacement.
constexpr std::string_view kNeeded[] = {"AllReduce", "AllGather"};
constexpr std::string_view kReplaced[] = {"Broadcast", "Reduce", "Scatter"};

}  // namespace

bool Cards::takes(const TrainingProgram& program) const {
  return is_asked() && program.trains && collectives.refusal.empty() && program.doubts.empty() &&
         !program.is_distributed && !is_ported(program);
}

bool Cards::is_ported(const TrainingProgram& program) {
  return std::any_of(program.modules.begin(), program.modules.end(), [](const Subject* module) {
    return imports(*module, kCardsModule) || imports(*module, kCollectivesModule);
  });
}

bool Cards::has(const Subject& subject) const {
  return std::any_of(programs.begin(), programs.end(), [&](const TrainingProgram& program) {
    const auto& modules = program.modules;
    return takes(program) && std::find(modules.begin(), modules.end(), &subject) != modules.end();
  });
}

bool Cards::replaces_in(const Subject& subject) const {
  if (!is_asked() || collectives.lacking.empty() || !collectives.refusal.empty()) return false;
  return std::any_of(programs.begin(), programs.end(), [&](const TrainingProgram& program) {
    const auto& modules = program.modules;
    return program.is_distributed && !is_ported(program) &&
           std::find(modules.begin(), modules.end(), &subject) != modules.end();
  });
}

Result<Collectives> find_collectives(const facts::Soc& soc, std::uint32_t cards) {
  Collectives made;
  for (const std::string_view name : kNeeded) {
    ASSIGN(const facts::Collective found, facts::find_collective(name, soc));
    const std::int64_t most = found.max_ranks.value_or(0);
    if (most > 0 && (made.most == 0 || most < made.most)) made.most = most;
    if (made.limits.empty()) made.limits = join(found.restrictions, "; ");
    if (found.support == CollectiveSupport::kYes || !made.refusal.empty()) continue;
    made.refusal = "refused";
    made.name = name;
  }
  if (made.refusal.empty() && made.most > 0 && static_cast<std::int64_t>(cards) > made.most)
    made.refusal = "too_many";
  for (const std::string_view name : kReplaced) {
    ASSIGN(const facts::Collective found, facts::find_collective(name, soc));
    if (found.support != CollectiveSupport::kYes) made.lacking.emplace_back(name);
  }
  return made;
}

Result<std::string> helper_text(std::string_view module, const Cards& cards) {
  ASSIGN(const std::string whole, resource(format("port/helpers/{}.py", module)));
  std::string text;
  bool is_kept = true;
  std::vector<std::string_view> lines = split(whole, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const std::string_view line : lines) {
    const std::string_view sign = trim(line);
    if (sign == "# [collectives]") {
      is_kept = !cards.collectives.lacking.empty();
    } else if (sign == "# [npu]") {
      is_kept = cards.style == Style::kNpu;
    } else if (sign == "# [portable]") {
      is_kept = cards.style == Style::kPortable;
    } else if (sign == "# [end]") {
      is_kept = true;
    } else if (is_kept) {
      text.append(line).append("\n");
    }
  }
  return replace_all(text, "\n\n\n\n", "\n\n\n");
}

std::string as_statement(const Subject& subject, NodeIndex statement, std::string_view text) {
  const syntax::Source& source = subject.module().source();
  const std::uint32_t at = subject[statement].begin;
  const std::size_t line = at == 0 ? 0 : source.bytes().rfind('\n', at - 1) + 1;
  std::string_view indent = source.bytes().substr(line, at - line);
  if (line == 0 && source.has_bom()) indent.remove_prefix(3);
  if (!trim(indent).empty()) return format("{}; ", text);
  return format("{}{}{}", text, source.newline(), indent);
}

ImportPlace import_place(const Subject& subject) {
  NodeIndex after = kNoNode, first = kNoNode;
  bool is_torch = false;
  for (const NodeIndex child : subject.children(0)) {
    const Kind kind = subject[child].kind;
    const bool is_import = kind == Kind::kImportStatement || kind == Kind::kImportFromStatement ||
                           kind == Kind::kFutureImport;
    if (!is_import) {
      const bool is_text = kind == Kind::kComment ||
                           (kind == Kind::kExpressionStatement &&
                            subject[subject.tree().first_child(child)].kind == Kind::kString);
      if (is_text) continue;
      if (first == kNoNode) first = child;
      if (after != kNoNode) break;
      continue;
    }
    const std::string_view text = subject.text(child);
    const bool names_torch = contains(text, "torch");
    if (!is_torch || names_torch) after = child;
    is_torch = is_torch || names_torch;
  }
  const syntax::Source& source = subject.module().source();
  const std::string newline(source.newline());
  if (after == kNoNode) {
    const std::uint32_t at =
        first == kNoNode ? static_cast<std::uint32_t>(source.bytes().size()) : subject[first].begin;
    return {.at = at, .before = {}, .after = newline, .reason = 0};
  }
  const std::size_t next = source.bytes().find('\n', subject[after].end);
  if (next == std::string_view::npos) {
    return {.at = static_cast<std::uint32_t>(source.bytes().size()),
            .before = newline,
            .after = {},
            .reason = after};
  }
  return {
      .at = static_cast<std::uint32_t>(next) + 1, .before = {}, .after = newline, .reason = after};
}

}  // namespace godwit::port
