// Reading suppression comments and applying them.
#include "scan/suppress.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"

namespace godwit::scan {
namespace {

constexpr std::string_view kMark = "godwit:";

// "ignore[S012, S03]" or "ignore-file" behind the mark; anything else is no suppression.
bool parse(std::string_view behind, Suppression& out) {
  behind = trim(behind);
  if (!behind.starts_with("ignore")) return false;
  behind.remove_prefix(6);
  if (behind.starts_with("-file")) {
    behind.remove_prefix(5);
    out.line = 0;
  }
  if (!behind.starts_with('[')) return behind.empty() || behind.front() == ' ';
  const std::size_t close = behind.find(']');
  if (close == std::string_view::npos) return false;
  for (const std::string_view code : split_list(behind.substr(1, close - 1), ',')) {
    out.codes.emplace_back(trim(code));
  }
  return true;
}

bool holds_for(const Suppression& suppression, const diag::Finding& finding) {
  const std::uint32_t last = std::max(finding.place.line, finding.end_line);
  const bool in_line =
      suppression.line == 0 || (finding.place.line <= suppression.line && suppression.line <= last);
  if (!in_line) return false;
  return suppression.codes.empty() ||
         std::any_of(suppression.codes.begin(), suppression.codes.end(),
                     [&](const std::string& code) { return finding.code.starts_with(code); });
}

void add(std::string_view path, std::string_view line, std::size_t hash, std::size_t mark,
         std::uint32_t number, std::vector<Suppression>& out) {
  Suppression suppression;
  const bool alone = trim(line.substr(0, hash)).empty();
  suppression.line = alone ? number + 1 : number;
  if (!parse(line.substr(mark + kMark.size()), suppression)) return;
  suppression.place = {
      .file = std::string(path), .line = number, .column = static_cast<std::uint32_t>(hash + 1)};
  suppression.text = to_valid_utf8(trim(line.substr(hash)));
  out.push_back(std::move(suppression));
}

// The comment node that covers an offset, or kNoNode.
syntax::NodeIndex comment_at(const syntax::Tree& tree, std::uint32_t offset) {
  const auto& nodes = tree.nodes();
  auto at =
      std::upper_bound(nodes.begin(), nodes.end(), offset,
                       [](std::uint32_t o, const syntax::Node& node) { return o < node.begin; });
  while (at != nodes.begin()) {
    --at;
    if (at->kind == syntax::Kind::kComment && at->end > offset) {
      return static_cast<syntax::NodeIndex>(at - nodes.begin());
    }
    if (at->begin < offset) break;
  }
  return syntax::kNoNode;
}

}  // namespace

void collect_suppressions(const project::Module& module, std::vector<Suppression>& out) {
  const std::string_view text = module.source().text();
  for (std::size_t at = text.find(kMark); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    const syntax::NodeIndex comment = comment_at(module.tree(), static_cast<std::uint32_t>(at));
    if (comment == syntax::kNoNode) continue;
    const std::size_t begin = text.rfind('\n', at) + 1;
    const std::string_view line = text.substr(begin, text.find('\n', at) - begin);
    const std::size_t hash = module.tree()[comment].begin - begin;
    const Place place = module.place(comment);
    add(place.file, line, hash, at - begin, place.line, out);
  }
}

void collect_suppressions(std::string_view path, std::string_view text,
                          std::vector<Suppression>& out) {
  if (!contains(text, kMark)) return;
  std::uint32_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::size_t mark = line.find(kMark);
    const std::size_t hash = mark == std::string_view::npos ? mark : line.rfind('#', mark);
    if (hash != std::string_view::npos) add(path, line, hash, mark, number, out);
  }
}

std::size_t suppress(Findings& findings, std::vector<Suppression>& suppressions) {
  if (suppressions.empty()) return 0;
  std::unordered_map<std::string_view, std::vector<Suppression*>> by_file;
  for (Suppression& each : suppressions) by_file[each.place.file].push_back(&each);
  return std::erase_if(findings, [&](const diag::Finding& finding) {
    const auto file = by_file.find(finding.place.file);
    if (file == by_file.end()) return false;
    bool held = false;
    for (Suppression* const each : file->second) {
      if (!holds_for(*each, finding)) continue;
      each->used = true;
      held = true;
    }
    return held;
  });
}

}  // namespace godwit::scan
