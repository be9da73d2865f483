// Config: settings of YAML, JSON and TOML files as pairs of a key and a value, without reading the
// file's structure: what stands left and right of a colon or an equals sign.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "port/script.h"

namespace godwit::port {

struct Setting {
  std::string_view key{};    // without quotes: "device"
  std::string_view value{};  // without quotes; "{" or "[" when a table or list begins
  std::uint32_t key_at = 0, value_at = 0;
};

/// In the order of the file; comments are left out. An item of a list, `- cuda:0` on a line of its
/// own or in `[cuda:0, cuda:1]`, has the key of its list.
std::vector<Setting> settings(const Script& script);

}  // namespace godwit::port
