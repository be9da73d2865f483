// Names: what a name under torch.cuda is called under torch.npu in the chosen torch_npu release.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"

namespace godwit::port {

struct Counterpart {
  bool exists = false;    // the release has it
  bool is_known = false;  // some release has it
  bool differs = false;   // exists but behaves otherwise
  std::string npu{};      // "torch.npu.Event"; empty when nothing stands for it
  std::string note{};     // what differs
};

/// Answers from facts/symbols.h, kept per name; threads may ask together. The release is exact:
/// "2.1.0.post17".
class Names {
 public:
  explicit Names(std::string release) : release_(std::move(release)) {}
  /// `cuda` is "torch.cuda" or below it. Errors: those of the tables.
  Result<const Counterpart*> find(std::string_view cuda) const;
  /// The release has the name: "torch_npu.npu.conv.allow_hf32".
  bool has(std::string_view symbol) const;
  const std::string& release() const { return release_; }

 private:
  std::string release_;
  mutable std::mutex guard_;
  mutable std::unordered_map<std::string, Counterpart> known_;
};

}  // namespace godwit::port
