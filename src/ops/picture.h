// Pictures in files: the forms that hold plain pixels. Compressed forms are named, not read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace godwit::ops {

/// Rows of pixels, red, green and blue.
struct Picture {
  std::int64_t height = 0, width = 0;
  std::vector<std::uint8_t> pixels{};
};

/// The form of a file by its first bytes: "BMP", "PNM", "JPEG" …; "" when it is none of them.
std::string_view picture_form(std::span<const std::uint8_t> bytes);

/// Bitmaps of 8, 24 and 32 bits, without compression. Nothing: damaged, or of another kind.
std::optional<Picture> read_bmp(std::span<const std::uint8_t> bytes);
/// Grey and colour maps of up to 255 levels, in bytes or in decimal (P2, P3, P5, P6).
std::optional<Picture> read_pnm(std::span<const std::uint8_t> bytes);

}  // namespace godwit::ops
