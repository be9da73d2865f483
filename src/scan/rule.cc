// What rules share: arguments of a site, and findings with place, snippet and chip filled in.
#include "scan/rule.h"

#include "base/text.h"

namespace godwit::scan {
namespace {

using syntax::kNoNode;
using syntax::NodeIndex;

constexpr std::size_t kLongestSnippet = 240;  // columns; minified files have lines of a megabyte
constexpr std::size_t kSnippetBytes = 4 * kLongestSnippet;  // more cannot be shown

diag::Finding base_finding(const Rule& rule, const Scene& scene, Args args,
                           std::string_view variant) {
  diag::Finding finding{.code = std::string(rule.code), .severity = rule.severity};
  args.emplace_back("chip", scene.chip());
  finding.args = std::move(args);
  finding.variant = variant;
  if (rule.answered_by.empty()) return finding;
  Json answers = Json::array();
  for (const std::string_view code : rule.answered_by) answers.add(code);
  finding.properties = Json::object();
  finding.properties.set("answered_by", std::move(answers));
  return finding;
}

}  // namespace

bool Site::is_call() const { return use != nullptr && use->call != kNoNode; }

bool Site::is_put_to_use() const {
  return is_call() || (use != nullptr && (use->kind == project::UseKind::kBase ||
                                          use->kind == project::UseKind::kDecorator));
}

std::string_view Site::last_part() const { return name.substr(name.rfind('.') + 1); }

NodeIndex Site::argument(std::string_view keyword, int position) const {
  return is_call() ? module.argument(use->call, keyword, position) : kNoNode;
}

std::optional<std::string_view> Site::literal(std::string_view keyword, int position) const {
  const NodeIndex value = argument(keyword, position);
  return value == kNoNode ? std::nullopt : module.literal(value);
}

std::string_view Site::text(NodeIndex at) const {
  return at == kNoNode ? std::string_view() : module.tree().text(at);
}

diag::Finding Site::finding(Args args, std::string_view variant) const {
  return make_finding(rule, scene, module, node, std::move(args), variant);
}

diag::Finding Word::finding(Args args, std::string_view variant) const {
  args.emplace_back("name", name);
  diag::Finding finding = base_finding(rule, scene, std::move(args), variant);
  finding.place = {.file = file.path, .line = number, .column = column};
  finding.end_line = number;
  finding.end_column = column + static_cast<std::uint32_t>(name.size());
  finding.snippet = shorten(to_valid_utf8(trim(line.substr(0, kSnippetBytes))), kLongestSnippet);
  return finding;
}

diag::Finding make_finding(const Rule& rule, const Scene& scene, const project::Module& module,
                           NodeIndex node, Args args, std::string_view variant) {
  diag::Finding finding = base_finding(rule, scene, std::move(args), variant);
  finding.place = module.place(node);
  const Place end = module.source().place(module.tree()[node].end);
  finding.end_line =
      finding.place.line + (end.line - module.source().place(module.tree()[node].begin).line);
  finding.end_column = end.column;
  // In a notebook the place counts inside its cell, the source over all cells.
  const Place begin = module.source().place(module.tree()[node].begin);
  finding.snippet = shorten(trim(module.source().line(begin.line, kSnippetBytes)), kLongestSnippet);
  return finding;
}

diag::Finding make_finding(const Rule& rule, const Scene& scene, const Api& api, Args args,
                           std::string_view variant) {
  const ApiPlace& first = api.on_device().front();
  args.emplace_back("api", api.name);
  diag::Finding finding = make_finding(rule, scene, scene.project.modules[first.module], first.node,
                                       std::move(args), variant);
  finding.count = static_cast<std::uint32_t>(api.on_device().size());
  return finding;
}

void add_at_all_places(const Rule& rule, const Scene& scene, const Api& api, const Args& args,
                       std::string_view variant, Findings& out) {
  for (const ApiPlace& place : api.on_device()) {
    Args own = args;
    own.emplace_back("api", api.name);
    out.push_back(make_finding(rule, scene, scene.project.modules[place.module], place.node,
                               std::move(own), variant));
  }
}

}  // namespace godwit::scan
