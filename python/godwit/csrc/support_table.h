// The rows of the profile about operators, and how the device words what it has to say.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <c10/core/ScalarType.h>

namespace godwit {

/// Verdicts of `godwit facts`, best first, and what follows for a call.
enum class Support : uint8_t {
  kSupported,
  kFramework,
  kUndocumented,
  kAicpu,
  kCpuFallback,
  kPartial,
  kUnknown,
  kBlocked
};

/// One overload under one compile mode.
struct Kernel {
  Support support = Support::kUnknown;
  uint64_t types = 0;      // bit per ScalarType; 0: not known
  std::string types_text;  // "fp16|fp32"
  std::string missing;     // "EmbeddingDenseGrad"
};

struct Row {
  Kernel on, off;  // jit_compile
};

/// Whether a type is among those of a set.
inline bool has_type(uint64_t types, c10::ScalarType type) {
  return types >> static_cast<unsigned>(type) & 1;
}

/// "name \t on \t off \t types on \t types off \t missing on \t missing off"
std::pair<std::string, Row> read_row(const std::string& line);

/// The code of the tables: "fp16"; empty for a type that they do not know.
std::string code_of(c10::ScalarType type);

using Places = std::vector<std::pair<std::string, std::string>>;

/// Texts of the profile, by key; a key that is missing is shown as it is.
void set_texts(const std::vector<std::string>& keys, const std::vector<std::string>& texts);
std::string say(const std::string& key, const Places& places = {});

}  // namespace godwit
