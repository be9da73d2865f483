// Libraries of the CUDA side and what stands in for them on an Ascend chip.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/soc.h"

namespace godwit::facts {

/// How far a library gets: the library itself runs; another build or package exists; in part; no.
enum class Replacement : std::uint8_t { kSame, kPort, kPartial, kNone };

std::string_view to_string(Replacement how);  // "same", "port", "partial", "none"

struct Library {
  std::string name{}, purpose{};
  std::vector<std::string> imports{};       // top-level import names
  std::vector<std::string> replacements{};  // what to use instead; may be empty
  Replacement how = Replacement::kNone;
  std::vector<std::string> needs{};  // versions: "CANN 8.5.0"
  Flag on_soc = Flag::kUnknown;      // runs on the chip asked for
  std::string note{}, source{}, at{};
};

/// The library behind an import ("flash_attn.bert_padding" and "flash_attn" are one), or nothing.
Result<std::optional<Library>> find_library(std::string_view import_name, const Soc& soc);

/// All of them, sorted by name.
Result<std::vector<Library>> libraries(const Soc& soc);

}  // namespace godwit::facts
