// Collecting outside names over all modules and asking facts about each once.
#include "scan/inventory.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "base/parallel.h"
#include "base/text.h"
#include "facts/tables.h"
#include "scan/api_pattern.h"
#include "scan/arguments.h"
#include "scan/forms.h"
#include "scan/host.h"
#include "scan/wrappers.h"

namespace godwit::scan {
namespace {

using Names = std::unordered_set<std::string_view>;

// Methods of tensors that Python's own containers, strings and files have too: a receiver that is
// not known to be a tensor says nothing with them.
constexpr std::array<std::string_view, 24> kAmbiguous = {
    "add",    "all",   "any",       "apply_", "bool",  "copy_", "count", "difference",
    "format", "get",   "index",     "item",   "items", "map",   "max",   "min",
    "mode",   "numpy", "remainder", "size",   "sort",  "split", "type",  "values"};

bool is_ambiguous(std::string_view method) {
  return std::find(kAmbiguous.begin(), kAmbiguous.end(), method) != kAmbiguous.end();
}

std::string_view root_of(std::string_view name) { return name.substr(0, name.find('.')); }

Names project_roots(const project::Project& project) {
  Names roots;
  for (const project::Module& module : project.modules) roots.insert(root_of(module.dotted()));
  roots.erase("torch");  // a script called torch.py is no reason to see nothing
  return roots;
}

bool imports_torch(const project::Module& module) {
  return std::any_of(module.imports().begin(), module.imports().end(), [&](const auto& import) {
    return root_of(module.name(import.target)) == "torch";
  });
}

// `isinstance(x, nn.Embedding)`, `type(x) is nn.Embedding` and annotations name a class; they use
// none of it.
bool only_names(const syntax::Tree& tree, syntax::NodeIndex node) {
  using syntax::Kind;
  syntax::NodeIndex at = tree[node].parent;
  while (at != syntax::kNoNode &&
         (tree[at].kind == Kind::kTuple || tree[at].kind == Kind::kList ||
          tree[at].kind == Kind::kSet || tree[at].kind == Kind::kParenthesized ||
          tree[at].kind == Kind::kSubscript)) {
    at = tree[at].parent;
  }
  if (at == syntax::kNoNode) return false;
  if (tree[at].kind == Kind::kType || tree[at].kind == Kind::kComparisonOperator) return true;
  if (tree[at].kind != Kind::kArgumentList) return false;
  const syntax::NodeIndex function = tree.child(tree[at].parent, syntax::Field::kFunction);
  if (function == syntax::kNoNode) return false;
  const std::string_view name = tree.text(function);
  return name == "isinstance" || name == "issubclass";
}

struct Found {
  std::string_view name;
  bool is_guess = false;
  std::vector<ApiPlace> places;
};

// The uses of one module by name, in source order.
std::vector<Found> collect_module(const project::Module& module, std::uint32_t index,
                                  const Names& own_roots) {
  constexpr std::uint32_t kUnseen = 0xFFFFFFFFu, kSkipped = 0xFFFFFFFEu;
  std::vector<std::uint32_t> slot(module.names().size(), kUnseen);
  std::vector<Found> found;
  const bool torch_here = imports_torch(module);
  for (const project::Use& use : module.uses()) {
    if (use.kind == project::UseKind::kReference && only_names(module.tree(), use.node)) continue;
    // A method of something unknown says nothing until it is called: `config.angle` is no operator.
    const bool called = use.call != syntax::kNoNode;
    if (!called && module.name(use.name).starts_with('.')) continue;
    std::uint32_t& at = slot[use.name];
    if (at == kUnseen) {
      const std::string_view name = module.name(use.name);
      const bool method = name.starts_with('.');
      const bool skip =
          name.empty() || (method && !torch_here) ||
          (!method && (own_roots.contains(root_of(name)) || is_standard_library(root_of(name))));
      at = skip ? kSkipped : static_cast<std::uint32_t>(found.size());
      if (!skip) found.push_back({name, method, {}});
    }
    if (at != kSkipped) {
      found[at].places.push_back({.module = index,
                                  .node = use.node,
                                  .call = use.call,
                                  .is_mention = use.kind == project::UseKind::kReference});
    }
  }
  return found;
}

Origin origin_of(std::string_view name) {
  if (name.starts_with("torch.cuda.") || name == "torch.cuda") return Origin::kCuda;
  if (name.starts_with("torch.distributed") || name.starts_with("torch.nn.parallel."))
    return Origin::kDistributed;
  const std::string_view root = root_of(name);
  if (root == "torch") return name.starts_with("torch.npu") ? Origin::kTorchNpu : Origin::kTorch;
  if (root == "torchvision") return Origin::kTorchvision;
  if (root == "torch_npu") return Origin::kTorchNpu;
  return Origin::kThirdParty;
}

// The name by which facts know an API; a guess is taken only when a tensor has such a method.
Result<std::string> name_for(const Found& found) {
  const std::string asked =
      found.is_guess ? format("torch.Tensor{}", found.name) : std::string(found.name);
  if (found.is_guess && is_ambiguous(found.name.substr(1))) return std::string();
  if (!found.is_guess && origin_of(asked) == Origin::kThirdParty) return asked;
  ASSIGN(const std::optional<std::string> known, facts::resolve_api(asked));
  if (known) return *known;
  return found.is_guess ? std::string() : asked;
}

// A call whose arguments keep clear of the blocked operators is supported; when all are, so is the
// API as this project uses it.
void settle(const project::Project& project, Api& api) {
  bool all_clear = true;
  for (ApiPlace& place : api.places) {
    const auto reached = reached_operators(api.name, project.modules[place.module], place.call);
    if (reached) {
      place.reach =
          offenders_among(api.eager, *reached).empty() ? Reach::kSupported : Reach::kBlocked;
    }
    all_clear &= place.reach == Reach::kSupported;
  }
  if (all_clear) api.eager.verdict = facts::Verdict::kSupported;
}

// Work of the host says nothing about the chip; an API that is nothing else runs.
void set_host_apart(const project::Project& project, Api& api) {
  const auto host =
      std::stable_partition(api.places.begin(), api.places.end(), [&](const ApiPlace& place) {
        return !is_host_work(api.name, project.modules[place.module], place.call);
      });
  api.on_host = static_cast<std::size_t>(api.places.end() - host);
  if (api.on_host == api.places.size()) api.eager.verdict = facts::Verdict::kSupported;
}

}  // namespace

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::kTorch: return "torch";
    case Origin::kCuda: return "torch.cuda";
    case Origin::kDistributed: return "torch.distributed";
    case Origin::kTorchvision: return "torchvision";
    case Origin::kTorchNpu: return "torch_npu";
    case Origin::kThirdParty: break;
  }
  return "third party";
}

Api& Inventory::named(std::string_view name, bool is_guess) {
  const auto [at, is_new] = index_.emplace(name, apis_.size());
  if (is_new) {
    apis_.push_back({.name = std::string(name), .origin = origin_of(name), .is_guess = is_guess});
  }
  Api& api = apis_[at->second];
  api.is_guess = api.is_guess && is_guess;
  return api;
}

// Where the arguments choose another function, the place counts for that one.
void Inventory::add(std::string_view name, bool is_guess, std::span<const ApiPlace> places,
                    const project::Project& project) {
  if (!has_forms(name)) {
    auto& all = named(name, is_guess).places;
    all.insert(all.end(), places.begin(), places.end());
    return;
  }
  for (const ApiPlace& place : places) {
    const std::string_view form = form_of(name, project.modules[place.module], place.call);
    named(form, is_guess).places.push_back(place);
  }
}

Result<Inventory> Inventory::collect(const project::Project& project) {
  const Names own_roots = project_roots(project);
  std::vector<std::vector<Found>> per_module(project.modules.size());
  parallel_for(project.modules.size(), [&](std::size_t i, std::size_t) {
    per_module[i] = collect_module(project.modules[i], static_cast<std::uint32_t>(i), own_roots);
  });

  Inventory inventory;
  std::unordered_map<std::string_view, std::string> named;  // as written → canonical
  std::unordered_map<std::string_view, std::size_t> methods;
  for (std::vector<Found>& module : per_module) {
    for (Found& found : module) {
      auto known = named.find(found.name);
      if (known == named.end()) {
        ASSIGN(std::string name, name_for(found));
        known = named.emplace(found.name, std::move(name)).first;
      }
      if (found.is_guess) methods[found.name] += found.places.size();
      if (known->second.empty()) continue;
      inventory.add(known->second, found.is_guess, found.places, project);
    }
  }
  inventory.index_.clear();
  for (const auto& [name, places] : methods) inventory.methods_.emplace_back(name, places);
  std::sort(inventory.methods_.begin(), inventory.methods_.end());
  std::sort(inventory.apis_.begin(), inventory.apis_.end(),
            [](const Api& a, const Api& b) { return a.name < b.name; });
  return inventory;
}

Status Inventory::judge(const project::Project& project, const facts::Soc& soc,
                        const facts::EagerOptions& options, std::string_view torch_npu) {
  const bool host_is_default = !changes_default_device(project);
  for (Api& api : apis_) {
    if (api.origin == Origin::kThirdParty) continue;
    api.is_judged = true;
    ASSIGN(auto wrapper, wrapper_verdict(api.name, soc, torch_npu));
    if (wrapper) {
      api.eager = std::move(wrapper->eager);
      api.said_by = std::move(wrapper->said_by);
      continue;
    }
    ASSIGN(api.eager, facts::eager_verdict(api.name, soc, options));
    // An API of torch_npu that the chip lacks is a rule of its own: it was written for another NPU.
    if (api.origin == Origin::kTorchNpu && api.eager.known &&
        (api.eager.verdict == facts::Verdict::kUnknown ||
         api.eager.verdict >= facts::Verdict::kBlockedBackward)) {
      api.said_by = "S011";
      continue;
    }
    if (api.eager.verdict == facts::Verdict::kPartial) settle(project, api);
    if (host_is_default) set_host_apart(project, api);
  }
  return {};
}

const Api* Inventory::find(std::string_view name) const {
  const auto at =
      std::lower_bound(apis_.begin(), apis_.end(), name,
                       [](const Api& api, std::string_view key) { return api.name < key; });
  return at != apis_.end() && at->name == name ? &*at : nullptr;
}

std::size_t Inventory::count(std::string_view pattern) const {
  std::size_t places = 0;
  for (const Api& api : apis_) {
    if (!api.is_guess && fits(api.name, pattern)) places += api.places.size();
  }
  for (const auto& [name, uses] : methods_) {
    if (fits(name, pattern)) places += uses;
  }
  return places;
}

bool is_standard_library(std::string_view root) {
  static const Names* const kNames = [] {
    static Names names;  // views into a table that facts keep
    if (const auto table = facts::table("api/python.tsv", {}); table) {
      for (std::size_t row = 0; row < (*table)->rows(); ++row)
        names.insert(facts::cell(**table, row, "module"));
    }
    return &names;
  }();
  return kNames->contains(root);
}

}  // namespace godwit::scan
