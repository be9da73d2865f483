// Indexes the interests of the rules and walks modules once for all of them.
#include "port/dispatch.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

using Rules = std::vector<const Rule*>;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool starts_with_word(std::string_view content, std::string_view word) {
  return content.starts_with(word) &&
         (content.size() == word.size() || !is_word(content[word.size()]));
}

void add_once(Rules& rules, const Rule* rule) {
  if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
}

void add_all(Rules& rules, const std::unordered_map<std::string_view, Rules>& index,
             std::string_view key) {
  const auto found = index.find(key);
  if (found == index.end()) return;
  for (const Rule* const rule : found->second) add_once(rules, rule);
}

// First part of a literal: kNoNode for one that begins with an interpolation, bytes and docstrings.
NodeIndex content_of(const Subject& subject, NodeIndex string) {
  NodeIndex child = subject.tree().first_child(string);
  if (child == kNoNode || subject[child].kind != Kind::kStringStart) return kNoNode;
  if (subject.text(child).find_first_of("bB") != std::string_view::npos) return kNoNode;
  child = subject.tree().next_sibling(child);
  return child != kNoNode && subject[child].kind == Kind::kStringContent ? child : kNoNode;
}

// A module that must stay as it is gets one finding, not one per place.
void apply_guards(const Subject& subject, World& world, std::vector<Change>& changes,
                  std::vector<diag::Finding>& left) {
  for (const Rule* const rule : kRules) {
    if (!rule->guard) continue;
    std::vector<diag::Finding> said;
    Changes own(rule->code, rule->severity, changes, said);
    if (!rule->guard(subject, world, own)) continue;
    if (changes.empty() && !rule->holds_values) continue;
    const std::size_t count = changes.size() + left.size();
    changes.clear();
    left.clear();
    if (count == 0) return;
    for (diag::Finding& finding : said) {
      finding.args.emplace_back("count", std::to_string(count));
      left.push_back(std::move(finding));
    }
    return;
  }
}

}  // namespace

Dispatch::Dispatch() {
  for (const Rule* const rule : kRules) {
    for (const std::string_view name : rule->names) {
      if (name.ends_with(".*"))
        below_.emplace_back(name.substr(0, name.size() - 1), rule);
      else if (name.starts_with('.'))
        method_[name.substr(1)].push_back(rule);
      else
        exact_[name].push_back(rule);
    }
    for (const std::string_view word : rule->strings) words_.emplace_back(word, rule);
  }
}

Rules Dispatch::for_use(std::string_view name) const {
  Rules rules;
  add_all(rules, exact_, name);
  add_all(rules, method_, name.substr(name.rfind('.') + 1));
  for (const auto& [prefix, rule] : below_) {
    if (name.starts_with(prefix)) add_once(rules, rule);
  }
  return rules;
}

Rules Dispatch::for_string(std::string_view content) const {
  Rules rules;
  for (const auto& [word, rule] : words_) {
    if (starts_with_word(content, word)) add_once(rules, rule);
  }
  return rules;
}

Rules Dispatch::for_file(project::FileKind kind) const {
  Rules rules;
  for (const Rule* const rule : kRules) {
    if (std::find(rule->files.begin(), rule->files.end(), kind) != rule->files.end())
      rules.push_back(rule);
  }
  return rules;
}

void run_rules(const Subject& subject, World& world, const Dispatch& dispatch,
               std::vector<Change>& changes, std::vector<diag::Finding>& left) {
  const auto with = [&](const Rule& rule) {
    return Changes(rule.code, rule.severity, changes, left);
  };
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    for (const Rule* const rule : dispatch.for_use(name)) {
      Changes own = with(*rule);
      if (rule->use) rule->use({.subject = subject, .use = use, .name = name}, world, own);
    }
  }
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kString) continue;
    const NodeIndex content = content_of(subject, node);
    if (content == kNoNode) continue;
    const Rules rules = dispatch.for_string(subject.text(content));
    if (rules.empty() || subject.module().is_docstring(node)) continue;
    const StringSite site{.subject = subject,
                          .node = node,
                          .content = subject.text(content),
                          .begin = nodes[content].begin,
                          .landing = world.flow.land(subject, node)};
    for (const Rule* const rule : rules) {
      Changes own = with(*rule);
      if (rule->string) rule->string(site, world, own);
    }
  }
  for (const Rule* const rule : kRules) {
    Changes own = with(*rule);
    if (rule->module) rule->module(subject, world, own);
  }
  apply_guards(subject, world, changes, left);
}

void hold_values(const Subject& subject, World& world) {
  for (const Rule* const rule : kRules) {
    if (!rule->guard || !rule->holds_values) continue;
    std::vector<Change> none;
    std::vector<diag::Finding> unheard;
    Changes own(rule->code, rule->severity, none, unheard);
    if (!rule->guard(subject, world, own)) continue;
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind != Kind::kString) continue;
      const NodeIndex content = content_of(subject, node);
      if (content != kNoNode && starts_with_word(subject.text(content), "cuda"))
        world.flow.hold(subject, node);
    }
    return;
  }
}

void run_rules(const Script& script, World& world, const Dispatch& dispatch,
               std::vector<Change>& changes, std::vector<diag::Finding>& left) {
  for (const Rule* const rule : dispatch.for_file(script.file().kind)) {
    Changes own(rule->code, rule->severity, changes, left);
    if (rule->script) rule->script(script, world, own);
  }
}

}  // namespace godwit::port
