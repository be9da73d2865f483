// Inventory: every outside API that a project uses, once, with its places and its verdict.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "facts/eager.h"
#include "project/project.h"

namespace godwit::scan {

/// Whose API it is; decides what can be said about it.
enum class Origin : std::uint8_t {
  kTorch,
  kCuda,
  kDistributed,
  kTorchvision,
  kTorchNpu,
  kThirdParty,
};

std::string_view to_string(Origin origin);  // "torch", "torch.cuda", "torch.distributed" …

/// What the arguments of one call say where an API is supported in part.
enum class Reach : std::uint8_t { kOpen, kSupported, kBlocked };

struct ApiPlace {
  std::uint32_t module = 0;  // index into Project::modules
  syntax::NodeIndex node = 0;
  syntax::NodeIndex call = syntax::kNoNode;
  Reach reach = Reach::kOpen;
  bool is_mention = false;  // named, neither called nor derived from
};

struct Api {
  std::string name;  // canonical: "torch.nn.Conv2d"; "torch.Tensor.nonzero" for `x.nonzero`
  Origin origin = Origin::kTorch;
  bool is_guess = false;         // a tensor method by its name alone: the receiver is not proven
  std::vector<ApiPlace> places;  // in order of file and line; those on the host come last
  std::size_t on_host = 0;       // places whose tensors are made on the CPU

  bool is_judged = false;       // counts for coverage: torch's own, called or derived from
  facts::EagerVerdict eager{};  // filled for judged ones
  std::string said_by{};        // a rule that speaks about it in place of those on verdicts

  /// Places that a verdict on the chip is about.
  std::span<const ApiPlace> on_device() const {
    return std::span(places).first(places.size() - on_host);
  }
};

class Inventory {
 public:
  /// Collects the uses of all modules; no verdicts yet. Errors: those of facts.
  static Result<Inventory> collect(const project::Project& project);

  /// Asks facts for each API of torch, torchvision and torch_npu. Errors: those of facts.
  /// Where a verdict is partial, the arguments of each call are looked at (api/arguments.tsv).
  Status judge(const project::Project& project, const facts::Soc& soc,
               const facts::EagerOptions& options, std::string_view torch_npu);

  const std::vector<Api>& apis() const { return apis_; }  // sorted by name
  /// By canonical name, or null.
  const Api* find(std::string_view name) const;
  /// Places over all names that fit a pattern: exact, "torch.optim.*", or "*.half" for a method of
  /// anything.
  std::size_t count(std::string_view pattern) const;

 private:
  Api& named(std::string_view name, bool is_guess);
  void add(std::string_view name, bool is_guess, std::span<const ApiPlace> places,
           const project::Project& project);

  std::vector<Api> apis_;
  std::unordered_map<std::string, std::size_t> index_;        // while collecting: name → api
  std::vector<std::pair<std::string, std::size_t>> methods_;  // of unknown receivers: ".half", 3
};

/// Modules of Python's own library: their use is no API of a third party.
bool is_standard_library(std::string_view root);

}  // namespace godwit::scan
