// Positions: which argument of which call takes a device, a backend or a tensor type.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/table.h"

namespace godwit::port {

/// The rule that a literal at the position belongs to, and what it means.
enum class Role : std::uint8_t {
  kDevice,      // torch.device(...), device=
  kDeviceType,  // torch.autocast(...): wrong values are silent
  kMapLocation,
  kPinMemory,
  kBackend,     // init_process_group(backend)
  kTensorType,  // .type('torch.cuda.FloatTensor')
};

struct Position {
  std::string_view call;  // "torch.load", ".to" (a method of something), "torch.*"
  std::vector<std::string_view> keywords;
  int index = -1;  // from 0; -1: by keyword only
  Role role = Role::kDevice;
};

/// data/port/positions.tsv.
class Positions {
 public:
  /// Errors: as Table::parse.
  static Result<Positions> load();

  /// The position of an argument, given by keyword or (keyword empty) by index; null when the call
  /// or the argument is not known. `call` as Use::name: "torch.device", "torch.Tensor.to", ".to".
  const Position* find(std::string_view call, std::string_view keyword, int index) const;
  /// Calls whose result is a device or a backend: torch.device, get_backend.
  bool makes(std::string_view call, Role role) const;

 private:
  const Position* match(std::string_view key, std::string_view keyword, int index) const;

  Table table_;
  std::vector<Position> positions_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_call_;
  std::unordered_map<std::string_view, Role> makers_;
};

}  // namespace godwit::port
