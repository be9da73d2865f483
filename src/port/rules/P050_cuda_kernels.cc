// Inventory of CUDA sources: kernels with their launches, calls of CUDA's libraries, and what each
// would need on Ascend. Nothing of it is rewritten.
#include <map>
#include <set>

#include "base/text.h"
#include "port/kernel_work.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view word_before(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n')) --at;
  // kernel<float, 4><<<...>>>
  if (at > 0 && text[at - 1] == '>') {
    int depth = 0;
    while (at > 0) {
      --at;
      if (text[at] == '>') ++depth;
      if (text[at] == '<' && --depth == 0) break;
    }
  }
  std::size_t begin = at;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin, at - begin);
}

// The name of the function that `__global__` at this place declares: the word before its brackets.
std::string_view kernel_at(std::string_view text, std::size_t at) {
  std::size_t open = text.find('(', at);
  std::string_view name = open == std::string_view::npos ? "" : word_before(text, open);
  if (name == "__launch_bounds__") {
    open = text.find('(', text.find(')', open));
    name = open == std::string_view::npos ? "" : word_before(text, open);
  }
  return name;
}

std::map<std::string_view, int> count_launches(std::string_view text) {
  std::map<std::string_view, int> counts;
  for (std::size_t at = text.find("<<<"); at != std::string_view::npos;
       at = text.find("<<<", at + 3))
    ++counts[word_before(text, at)];
  return counts;
}

void leave_kernel(const Script& script, std::size_t at, std::string_view name, int launches,
                  Changes& changes) {
  Args args = {{"name", std::string(name)}, {"launches", std::to_string(launches)}};
  const Place place = script.place(static_cast<std::uint32_t>(at));
  if (const auto known = substitute_of(name)) {
    args.insert(args.end(), {{"instead", known->instead}, {"note", known->note}});
    return changes.leave(place, script.line(static_cast<std::uint32_t>(at)), "known", args);
  }
  args.emplace_back("days", days_of_a_kernel());
  changes.leave(place, script.line(static_cast<std::uint32_t>(at)), "new", args);
}

void visit_kernels(const Script& script, Changes& changes) {
  const std::string_view text = script.text();
  auto launches = count_launches(text);
  std::set<std::string_view> said;
  for (std::size_t at = text.find("__global__"); at != std::string_view::npos;
       at = text.find("__global__", at + 10)) {
    const std::string_view name = kernel_at(text, at);
    if (!name.empty() && said.insert(name).second)
      leave_kernel(script, at, name, launches[name], changes);
  }
}

constexpr std::pair<std::string_view, std::string_view> kLibraries[] = {
    {"cublas", "aclnnMatmul, torch.matmul"},
    {"cudnn", "aclnn operators, torch.nn"},
    {"cufft", "torch.fft on the CPU"},
    {"curand", "torch.rand, aclnn random operators"},
    {"cusparse", "dense or index_add code"},
    {"cutlass", "Ascend C matmul API"},
    {"cub::", "torch.sort, torch.cumsum"},
    {"thrust::", "torch.sort, torch.cumsum"},
    {"nccl", "HCCL"},
};

bool is_include(std::string_view text, std::size_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at) + 1;
  return trim(text.substr(line, at - line)).starts_with('#');
}

void visit_libraries(const Script& script, Changes& changes) {
  const std::string_view text = script.text();
  for (const auto& [word, instead] : kLibraries) {
    int calls = 0;
    std::size_t first = std::string_view::npos;
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + word.size())) {
      if ((at > 0 && is_word(text[at - 1])) || is_include(text, at)) continue;
      if (calls++ == 0) first = at;
    }
    if (calls == 0) continue;
    const auto at = static_cast<std::uint32_t>(first);
    changes.leave(script.place(at), script.line(at), "library",
                  {{"name", std::string(word)},
                   {"calls", std::to_string(calls)},
                   {"instead", std::string(instead)}});
  }
}

void visit(const Script& script, World&, Changes& changes) {
  const bool is_cuda =
      script.file().kind == project::FileKind::kCuda || contains(script.text(), "__global__") ||
      contains(script.text(), "cuda_runtime") || contains(script.text(), "ATen/cuda");
  if (!is_cuda) return;
  visit_kernels(script, changes);
  visit_libraries(script, changes);
}

}  // namespace

extern const Rule cuda_kernels = {
    .code = "P050",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kCuda, project::FileKind::kCpp},
    .script = visit,
};

}  // namespace godwit::port::rules
