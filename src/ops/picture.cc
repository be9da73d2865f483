// Readers of bitmaps and portable anymaps.
#include "ops/picture.h"

#include <algorithm>
#include <array>
#include <utility>

namespace godwit::ops {
namespace {

using Bytes = std::span<const std::uint8_t>;
using namespace std::string_view_literals;

constexpr std::pair<std::string_view, std::string_view> kForms[] = {
    {"BM"sv, "BMP"sv},      {"P2"sv, "PNM"sv},
    {"P3"sv, "PNM"sv},      {"P5"sv, "PNM"sv},
    {"P6"sv, "PNM"sv},      {"\xFF\xD8\xFF"sv, "JPEG"sv},
    {"\x89PNG"sv, "PNG"sv}, {"\0\0\0\x0CjP  "sv, "JPEG 2000"sv},
    {"II*\0"sv, "TIFF"sv},  {"MM\0*"sv, "TIFF"sv},
    {"RIFF"sv, "WebP"sv},
};

constexpr std::int64_t kMostPixels = std::int64_t{1} << 30;
bool is_size(std::int64_t height, std::int64_t width) {
  return height >= 1 && width >= 1 && height <= kMostPixels / width;
}

// A number of so many bytes, the low byte first; 0 where the file has ended.
std::int64_t little(Bytes bytes, std::size_t at, std::size_t width) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
    out |= std::int64_t{bytes[at + i]} << (8 * i);
  return out;
}

// Words of a header, between blanks and comments.
struct Words {
  Bytes bytes;
  std::size_t at = 2;  // behind the magic

  bool is_blank() const {
    return at < bytes.size() && (bytes[at] == ' ' || (bytes[at] >= '\t' && bytes[at] <= '\r'));
  }
  std::optional<std::int64_t> number() {
    while (is_blank() || (at < bytes.size() && bytes[at] == '#')) {
      const bool is_comment = bytes[at] == '#';
      while (is_comment && at < bytes.size() && bytes[at] != '\n') ++at;
      if (!is_comment) ++at;
    }
    std::int64_t out = 0;
    const std::size_t first = at;
    for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' && out < kMostPixels; ++at)
      out = out * 10 + (bytes[at] - '0');
    return at == first ? std::nullopt : std::optional(out);
  }
};

}  // namespace

std::string_view picture_form(Bytes bytes) {
  for (const auto& [magic, form] : kForms) {
    const bool starts = bytes.size() >= magic.size() &&
                        std::equal(magic.begin(), magic.end(), bytes.begin(), [](char a, auto b) {
                          return static_cast<std::uint8_t>(a) == b;
                        });
    if (starts) return form;
  }
  return "";
}

// https://learn.microsoft.com/windows/win32/gdi/bitmap-storage
std::optional<Picture> read_bmp(Bytes bytes) {
  constexpr std::size_t kFileHeader = 14;
  const std::int64_t data = little(bytes, 10, 4), header = little(bytes, kFileHeader, 4);
  const auto signed32 = [&](std::size_t at) {
    return std::int64_t{static_cast<std::int32_t>(little(bytes, at, 4))};
  };
  const std::int64_t width = signed32(18), lines = signed32(22);  // negative: from the top
  const std::int64_t height = lines < 0 ? -lines : lines;
  const std::int64_t bits = little(bytes, 28, 2), compression = little(bytes, 30, 4);
  if (header < 40 || compression != 0 || (bits != 8 && bits != 24 && bits != 32)) return {};
  if (!is_size(height, width)) return {};
  const std::int64_t row = (width * bits + 31) / 32 * 4;
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (data > size || height > (size - data) / row) return {};
  const auto palette = kFileHeader + static_cast<std::size_t>(header);
  if (bits == 8 && palette + 4 * 256 > static_cast<std::size_t>(data)) return {};

  Picture out{height, width, {}};
  for (std::int64_t y = 0; y < height; ++y) {
    const auto first = static_cast<std::size_t>(data + (lines < 0 ? y : height - 1 - y) * row);
    for (std::int64_t x = 0; x < width; ++x) {
      std::size_t at = first + static_cast<std::size_t>(x * bits / 8);
      if (bits == 8) at = palette + std::size_t{4} * bytes[at];
      out.pixels.insert(out.pixels.end(), {bytes[at + 2], bytes[at + 1], bytes[at]});
    }
  }
  return out;
}

// https://netpbm.sourceforge.net/doc/pnm.html
std::optional<Picture> read_pnm(Bytes bytes) {
  if (bytes.size() < 2) return {};
  const bool is_color = bytes[1] == '3' || bytes[1] == '6';
  const bool is_binary = bytes[1] == '5' || bytes[1] == '6';
  Words words{bytes};
  const auto width = words.number(), height = words.number(), most = words.number();
  if (!width || !height || !most || !is_size(*height, *width)) return {};
  if (*most < 1 || *most > 255) return {};
  ++words.at;  // one blank ends the header
  const std::int64_t count = *width * *height * (is_color ? 3 : 1);
  if (count > static_cast<std::int64_t>(bytes.size())) return {};
  Picture out{*height, *width, {}};
  for (std::int64_t i = 0; i < count; ++i) {
    std::optional<std::int64_t> level;
    if (!is_binary)
      level = words.number();
    else if (words.at < bytes.size())
      level = bytes[words.at++];
    if (!level || *level > *most) return {};
    const auto value = static_cast<std::uint8_t>((*level * 255 + *most / 2) / *most);
    out.pixels.insert(out.pixels.end(), is_color ? 1 : 3, value);
  }
  return out;
}

}  // namespace godwit::ops
