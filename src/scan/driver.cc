// Dispatch of names, imports, strings, words and verdicts to rules.
#include "scan/driver.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/file.h"
#include "base/parallel.h"
#include "base/text.h"
#include "scan/interest.h"
#include "scan/words.h"

namespace godwit::scan {
namespace {

using syntax::Kind;
using syntax::NodeIndex;

constexpr std::size_t kLongestKey = 96;  // string literals that rules ask for are short

struct Interests {
  Interest names, imports, strings, words;
};

Interests gather() {
  Interests all;
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    const Rule& rule = *kRules[i];
    const auto id = static_cast<std::uint16_t>(i);
    const auto more = rule.more ? rule.more() : std::vector<std::string_view>();
    const auto add = [&](Interest& to, const std::vector<std::string_view>& patterns) {
      for (const std::string_view pattern : patterns) to.add(pattern, id);
    };
    add(all.names, rule.names);
    add(all.imports, rule.imports);
    add(all.strings, rule.strings);
    add(all.words, rule.words);
    if (rule.more_in & kMoreImports) add(all.imports, more);
    if (rule.more_in & kMoreStrings) add(all.strings, more);
    if (rule.more_in & kMoreWords) add(all.words, more);
  }
  return all;
}

// One module: what each rule asked for, in source order of each kind.
class ModuleVisitor {
 public:
  ModuleVisitor(const Scene& scene, const Interests& interests, const project::Module& module,
                Findings& out)
      : scene_(scene), interests_(interests), module_(module), out_(out) {}

  void visit_all() {
    visit_names();
    visit_imports();
    visit_strings();
  }

 private:
  void visit_names() {
    std::vector<std::vector<std::uint16_t>> rules_of(module_.names().size());
    bool any = false;
    for (std::size_t i = 0; i < rules_of.size(); ++i) {
      interests_.names.find(module_.names()[i], rules_of[i]);
      any |= !rules_of[i].empty();
    }
    if (!any) return;
    for (const project::Use& use : module_.uses()) {
      for (const std::uint16_t id : rules_of[use.name]) {
        show({.rule = *kRules[id],
              .scene = scene_,
              .module = module_,
              .kind = Site::Kind::kName,
              .name = module_.name(use.name),
              .node = use.node,
              .use = &use});
      }
    }
  }

  void visit_imports() {
    for (const project::Import& import : module_.imports()) {
      const std::string_view target = imported(import);
      interests_.imports.find(target, hits_);
      const NodeIndex node = import.node == syntax::kNoNode ? import.statement : import.node;
      for (const std::uint16_t id : hits_) {
        show({.rule = *kRules[id],
              .scene = scene_,
              .module = module_,
              .kind = Site::Kind::kImport,
              .name = target,
              .node = node,
              .import = &import});
      }
    }
  }

  // `import a.b` binds a alone, and still imports a.b: what is written counts.
  std::string_view imported(const project::Import& import) const {
    const std::string_view target = module_.name(import.target);
    if (import.node == syntax::kNoNode) return target;
    const syntax::Node& node = module_.tree()[import.node];
    const std::string_view written =
        std::string_view(module_.source().text()).substr(node.begin, node.end - node.begin);
    const bool is_longer = written.starts_with(target) &&
                           written.substr(target.size()).starts_with('.') &&
                           written.find_first_of(" \t\r\n\\") == std::string_view::npos;
    return is_longer ? written : target;
  }

  void visit_strings() {
    const auto& nodes = module_.tree().nodes();
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
      if (nodes[i].kind != Kind::kString || nodes[i].end - nodes[i].begin > kLongestKey) continue;
      const auto content = module_.literal(i);
      if (!content) continue;
      interests_.strings.find(*content, hits_);
      for (const std::uint16_t id : hits_) {
        show({.rule = *kRules[id],
              .scene = scene_,
              .module = module_,
              .kind = Site::Kind::kString,
              .name = *content,
              .node = i});
      }
    }
  }

  void show(const Site& site) { site.rule.visit(site, out_); }

  const Scene& scene_;
  const Interests& interests_;
  const project::Module& module_;
  Findings& out_;
  std::vector<std::uint16_t> hits_;
};

void read_words(const Scene& scene, const Interests& interests, const project::File& file,
                std::string_view text, Findings& out) {
  std::vector<std::uint16_t> hits;
  for_each_word(text, file.kind, [&](const WordPlace& place) {
    interests.words.find(place.name, hits);
    for (const std::uint16_t id : hits) {
      const Rule& rule = *kRules[id];
      if (std::find(rule.files.begin(), rule.files.end(), file.kind) == rule.files.end()) continue;
      rule.read({.rule = rule,
                 .scene = scene,
                 .file = file,
                 .name = place.name,
                 .line = place.line,
                 .number = place.number,
                 .column = place.column},
                out);
    }
  });
}

const Rule* rule_of(std::string_view code) {
  const auto at = std::find_if(kRules.begin(), kRules.end(),
                               [&](const Rule* rule) { return rule->code == code; });
  return at == kRules.end() ? nullptr : *at;
}

// Findings of a rule that wants one per file: the first place stands for all that say the same.
void merge_per_file(Findings& findings) {
  std::map<std::string, std::size_t> first;
  Findings kept;
  for (diag::Finding& finding : findings) {
    const Rule* const rule = rule_of(finding.code);
    if (rule == nullptr || !rule->once_per_file) {
      kept.push_back(std::move(finding));
      continue;
    }
    std::string key = format("{} {} {} {}", finding.code, finding.variant, finding.place.file,
                             static_cast<int>(finding.severity));
    for (const auto& [name, value] : finding.args) key += format("\n{}={}", name, value);
    const auto [at, is_new] = first.emplace(std::move(key), kept.size());
    if (is_new) {
      kept.push_back(std::move(finding));
    } else {
      kept[at->second].count += finding.count;
    }
  }
  findings = std::move(kept);
}

struct Share {  // what one module or file gave
  Findings findings;
  std::vector<Suppression> suppressions;
  bool skipped = false;
};

std::vector<Share> visit_modules(const Scene& scene, const Interests& interests) {
  const auto& modules = scene.project.modules;
  std::vector<Share> shares(modules.size());
  parallel_for(modules.size(), [&](std::size_t i, std::size_t) {
    ModuleVisitor(scene, interests, modules[i], shares[i].findings).visit_all();
    collect_suppressions(modules[i], shares[i].suppressions);
  });
  return shares;
}

std::vector<Share> visit_texts(const Scene& scene, const Interests& interests) {
  std::vector<const project::File*> files;
  for (const project::File& file : scene.project.listing.files) {
    if (has_words(file.kind)) files.push_back(&file);
  }
  std::vector<Share> shares(files.size());
  parallel_for(files.size(), [&](std::size_t i, std::size_t) {
    const project::File& file = *files[i];
    const auto text = read_file(scene.project.listing.root / file.path, kMostTextBytes);
    shares[i].skipped = !text.has_value();
    if (!text) return;
    read_words(scene, interests, file, *text, shares[i].findings);
    collect_suppressions(file.path, *text, shares[i].suppressions);
  });
  return shares;
}

void append(std::vector<Share> shares, Findings& findings, std::vector<Suppression>& suppressions,
            std::size_t& skipped) {
  for (Share& share : shares) {
    std::move(share.findings.begin(), share.findings.end(), std::back_inserter(findings));
    std::move(share.suppressions.begin(), share.suppressions.end(),
              std::back_inserter(suppressions));
    skipped += share.skipped ? 1 : 0;
  }
}

void judge_apis(const Scene& scene, Findings& out) {
  for (const Rule* const rule : kRules) {
    if (rule->judge == nullptr) continue;
    for (const Api& api : scene.inventory.apis()) {
      if (!api.is_judged || !api.said_by.empty()) continue;
      const auto& wanted = rule->verdicts;
      if (std::find(wanted.begin(), wanted.end(), api.eager.verdict) == wanted.end()) continue;
      rule->judge(*rule, scene, api, out);
    }
  }
}

}  // namespace

Findings run_rules(const Scene& scene, std::vector<Suppression>& suppressions, Tally& tally) {
  const Interests interests = gather();
  Findings findings;
  append(visit_modules(scene, interests), findings, suppressions, tally.skipped);
  append(visit_texts(scene, interests), findings, suppressions, tally.skipped);
  judge_apis(scene, findings);
  for (const Rule* const rule : kRules) {
    if (rule->finish != nullptr) rule->finish(*rule, scene, findings);
  }
  // Before places are merged: a comment speaks of its own line only.
  tally.suppressed = suppress(findings, suppressions);
  merge_per_file(findings);
  return findings;
}

}  // namespace godwit::scan
