// DEFLATE (RFC 1951), unpacking only: the members of archives that numpy and others compress.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace godwit::formats::zip {

/// The bytes that `packed` stands for; nothing when it is damaged or does not unpack to exactly
/// `size` bytes. Never makes more than `size` bytes.
std::optional<std::string> inflate(std::string_view packed, std::size_t size);

}  // namespace godwit::formats::zip
