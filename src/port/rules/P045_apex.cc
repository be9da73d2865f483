// apex: its mixed precision runs on torch's own through a small module with the same interface,
// its layers have counterparts in torch.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

using project::Import;

// Same arguments, same meaning.
constexpr std::pair<std::string_view, std::string_view> kSame[] = {
    {"apex.normalization.FusedLayerNorm", "torch.nn.LayerNorm"},
    {"apex.normalization.fused_layer_norm.FusedLayerNorm", "torch.nn.LayerNorm"},
    {"apex.optimizers.FusedSGD", "torch.optim.SGD"},
};

// What the helper has.
bool is_in_helper(std::string_view name) {
  constexpr std::string_view kNames[] = {"initialize", "scale_loss", "master_params", "state_dict",
                                         "load_state_dict"};
  return name == "apex.amp" ||
         std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view known) { return name == format("apex.amp.{}", known); });
}

std::vector<const Import*> imports_of(const Subject& subject, NodeIndex statement) {
  std::vector<const Import*> all;
  for (const Import& import : subject.module().imports()) {
    if (import.statement == statement) all.push_back(&import);
  }
  return all;
}

// Every use of the name in the module is one that the helper has.
bool is_served(const Subject& subject) {
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    if (name.starts_with("apex.amp") && !is_in_helper(name)) return false;
  }
  return true;
}

void port_amp(const Subject& subject, const Import& import, World& world, Changes& changes) {
  if (imports_of(subject, import.statement).size() != 1 || !is_served(subject))
    return changes.leave(subject, import.statement, "amp");
  const std::string_view bound = subject.module().name(import.bound);
  changes.with(Helper::kAmp)
      .replace(subject, import.statement,
               world.helpers.place(subject, Helper::kAmp).import_as(bound), Proof::kImport);
  changes.with(Helper::kNone);
  changes.as(diag::Severity::kNote).leave(subject, import.statement, "helper");
}

void port_layer(const Subject& subject, const Import& import, std::string_view by,
                Changes& changes) {
  const std::string_view target = subject.module().name(import.target);
  if (imports_of(subject, import.statement).size() != 1 ||
      subject[import.statement].kind != Kind::kImportFromStatement)
    return changes.leave(subject, import.statement, "left", {{"name", std::string(target)}});
  const std::size_t dot = by.rfind('.');
  const std::string_view name = by.substr(dot + 1), bound = subject.module().name(import.bound);
  const std::string as = name == bound ? std::string() : format(" as {}", bound);
  changes.replace(subject, import.statement,
                  format("from {} import {}{}", by.substr(0, dot), name, as), Proof::kTable);
}

void visit(const Subject& subject, World& world, Changes& changes) {
  for (const Import& import : subject.module().imports()) {
    const std::string_view target = subject.module().name(import.target);
    if (target != "apex" && !target.starts_with("apex.")) continue;
    if (world.project.find("apex")) return;
    const auto same = std::find_if(std::begin(kSame), std::end(kSame),
                                   [&](const auto& pair) { return pair.first == target; });
    if (target == "apex.amp" && !import.is_star) {
      port_amp(subject, import, world, changes);
    } else if (same != std::end(kSame)) {
      port_layer(subject, import, same->second, changes);
    } else {
      changes.leave(subject, import.statement, "left", {{"name", std::string(target)}});
    }
  }
}

}  // namespace

extern const Rule apex = {
    .code = "P045",
    .severity = diag::Severity::kError,
    .module = visit,
};

}  // namespace godwit::port::rules
