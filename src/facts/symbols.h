// Names: which torch_npu release has torch.npu.X, and what torch.cuda.X is called there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace godwit::facts {

struct Symbol {
  std::string name{};      // "torch_npu.npu.Event"
  std::string kind{};      // "class", "function" … several joined by '|'
  bool alias = false;      // the same name exists under torch.npu
  std::string releases{};  // see contains_release
};

/// A name under torch_npu or torch.npu, or nothing. A member of an imported overlay counts too.
Result<std::optional<Symbol>> find_symbol(std::string_view name);

/// True when torch_npu `release` (any version: see read_release) has the name. An overlay of that
/// very release can only add names: reading Python as text cannot prove that one is missing.
Result<bool> has_symbol(std::string_view name, std::string_view release);

/// same: only the name changes; differs: exists but behaves otherwise; renamed: another last part.
enum class Renaming : std::uint8_t { kSame, kDiffers, kRenamed };

struct Rename {
  std::string cuda{};    // "torch.cuda.Event"
  std::string npu{};     // "torch.npu.Event"
  std::string symbol{};  // key for find_symbol: "torch_npu.npu.Event"
  Renaming renaming = Renaming::kSame;
  std::string note{};  // what differs
};

/// The counterpart of a torch.cuda name, or nothing. Ask has_symbol for the release.
Result<std::optional<Rename>> find_rename(std::string_view cuda_name);

}  // namespace godwit::facts
