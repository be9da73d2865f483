// The names of one API: code imports torch.nn.modules.activation.ReLU, the tables say
// torch.nn.ReLU.
#include "base/text.h"
#include "facts/eager.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

using Names = std::vector<std::string>;

// "torch.optim.adam.Adam" → "torch.optim.Adam": submodules that only hold the definition.
std::string without_module(std::string_view name, std::string_view package, std::size_t depth) {
  const auto parts = split(name, '.');
  const std::size_t kept = split(package, '.').size();
  if (parts.size() != kept + depth + 1) return std::string(name);
  return format("{}.{}", package, parts.back());
}

void add_moved(std::string_view name, Names& names) {
  constexpr std::pair<std::string_view, std::string_view> kMoved[] = {
      {"torch.functional.", "torch."},
      {"torch._C._nn.", "torch.nn.functional."},
      {"torch._C._VariableFunctions.", "torch."},
      {"torch._tensor.Tensor.", "torch.Tensor."},
      {"torch._C.TensorBase.", "torch.Tensor."},
      {"torch.nn.init.", "torch.nn.init."},
      {"torch.autograd.Variable.", "torch.Tensor."},
  };
  for (const auto& [from, to] : kMoved) {
    if (name.starts_with(from))
      names.push_back(std::string(to) + std::string(name.substr(from.size())));
  }
  if (name.starts_with("torch.nn.modules.")) names.push_back(without_module(name, "torch.nn", 2));
  if (name.starts_with("torch.optim.")) names.push_back(without_module(name, "torch.optim", 1));
}

// A method and a function of one name reach the same operators.
void add_twins(std::string_view name, Names& names) {
  constexpr std::string_view method = "torch.Tensor.", function = "torch.",
                             functional = "torch.nn.functional.";
  const std::string last(name.substr(name.rfind('.') + 1));
  if (name.starts_with(functional) || name.starts_with("torch.special.")) {
    names.push_back(std::string(function) + last);
  } else if (name.starts_with(method)) {
    names.push_back(std::string(function) + last);
    names.push_back(std::string(functional) + last);
  } else if (name.starts_with(function) && split(name, '.').size() == 2) {
    names.push_back(std::string(method) + last);
    names.push_back(std::string(functional) + last);
  }
  if (!last.ends_with('_') || last.starts_with("__")) return;
  names.emplace_back(name.substr(0, name.size() - 1));  // in place: the same work
  if (name.starts_with(method))
    names.push_back(std::string(function) + last.substr(0, last.size() - 1));
}

}  // namespace

Result<std::optional<std::string>> resolve_api(std::string_view name) {
  ASSIGN(const Table* const apis, table("api/torch_to_aten.tsv", {"api"}));
  const std::size_t api = apis->column("api");
  Names candidates = {std::string(name)};
  add_moved(name, candidates);
  const std::size_t direct = candidates.size();
  for (std::size_t i = 0; i < direct; ++i) add_twins(std::string(candidates[i]), candidates);
  for (const std::string& candidate : candidates) {
    if (!apis->find(api, candidate).empty()) return candidate;
  }
  return std::nullopt;
}

}  // namespace godwit::facts
