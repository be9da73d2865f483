// Reads data/port/positions.tsv and answers by call name.
#include "port/positions.h"

#include <algorithm>
#include <utility>

#include "base/resources.h"
#include "base/text.h"

namespace godwit::port {
namespace {

constexpr std::pair<std::string_view, Role> kRoles[] = {
    {"device", Role::kDevice},
    {"device_type", Role::kDeviceType},
    {"map_location", Role::kMapLocation},
    {"pin_memory", Role::kPinMemory},
    {"backend", Role::kBackend},
    {"tensor_type", Role::kTensorType},
};

Role role_of(std::string_view cell) {
  for (const auto& [name, role] : kRoles) {
    if (name == cell) return role;
  }
  return Role::kDevice;
}

std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

}  // namespace

Result<Positions> Positions::load() {
  ASSIGN(std::string text, resource("port/positions.tsv"));
  Positions made;
  ASSIGN(made.table_, Table::parse("port/positions.tsv", std::move(text)));
  const Table& table = made.table_;
  const std::size_t call = table.column("call"), keyword = table.column("keyword"),
                    index = table.column("index"), role = table.column("role");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view place = table.at(row, index);
    if (place == "result") {
      made.makers_.emplace(table.at(row, call), role_of(table.at(row, role)));
      continue;
    }
    made.by_call_[table.at(row, call)].push_back(made.positions_.size());
    made.positions_.push_back({.call = table.at(row, call),
                               .keywords = split_list(table.at(row, keyword)),
                               .index = static_cast<int>(parse_integer(place).value_or(-1)),
                               .role = role_of(table.at(row, role))});
  }
  return made;
}

const Position* Positions::match(std::string_view key, std::string_view keyword, int index) const {
  const auto found = by_call_.find(key);
  if (found == by_call_.end()) return nullptr;
  for (const std::size_t at : found->second) {
    const Position& position = positions_[at];
    if (keyword.empty() ? position.index >= 0 && position.index == index
                        : std::find(position.keywords.begin(), position.keywords.end(), keyword) !=
                              position.keywords.end()) {
      return &position;
    }
  }
  return nullptr;
}

const Position* Positions::find(std::string_view call, std::string_view keyword, int index) const {
  if (const Position* const exact = match(call, keyword, index)) return exact;
  const std::string_view method = last_part(call);
  const bool is_method = call.starts_with('.') || call.starts_with("torch.Tensor.") ||
                         call.starts_with("torch.nn.Module.");
  if (is_method && !method.empty()) {
    if (const Position* const known = match(method, keyword, index)) return known;
  }
  const std::size_t dot = call.find('.');
  if (dot == std::string_view::npos || dot == 0) return nullptr;
  return match(std::string(call.substr(0, dot)) + ".*", keyword, index);
}

bool Positions::makes(std::string_view call, Role role) const {
  const auto found = makers_.find(call);
  return found != makers_.end() && found->second == role;
}

}  // namespace godwit::port
