// Canonical Huffman codes, read bit by bit by their lengths: short, and safe on any input.
#include "formats/zip/inflate.h"

#include <array>
#include <cstdint>
#include <span>

namespace godwit::formats::zip {
namespace {

constexpr int kMostBits = 15;

class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  /// The next `count` bits, low ones first; -1 when there are none left.
  int take(int count) {
    while (held_ < count) {
      if (at_ == bytes_.size()) return -1;
      buffer_ |= std::uint32_t{static_cast<unsigned char>(bytes_[at_++])} << held_;
      held_ += 8;
    }
    const auto out = static_cast<int>(buffer_ & ((1u << count) - 1));
    buffer_ >>= count;
    held_ -= count;
    return out;
  }
  /// Drops the rest of a byte; then whole bytes.
  void align() { take(held_ % 8); }
  std::optional<std::string_view> bytes(std::size_t count) {
    at_ -= static_cast<std::size_t>(held_) / 8;
    buffer_ = 0;
    held_ = 0;
    if (count > bytes_.size() - at_) return std::nullopt;
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint32_t buffer_ = 0;
  int held_ = 0;
};

/// Codes as RFC 1951 section 3.2.2 numbers them.
class Code {
 public:
  explicit Code(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    std::array<std::uint16_t, kMostBits + 1> next{};
    for (std::size_t i = 1; i < kMostBits; ++i)
      next[i + 1] = static_cast<std::uint16_t>(next[i] + counts_[i]);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol]) symbols_[next[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
    }
  }
  /// More codes of a length than there can be.
  bool is_oversubscribed() const {
    int left = 1;
    for (int i = 1; i <= kMostBits; ++i) {
      left = left * 2 - counts_[static_cast<std::size_t>(i)];
      if (left < 0) return true;
    }
    return false;
  }
  int read(Bits& bits) const {
    int code = 0, first = 0, index = 0;
    for (std::size_t length = 1; length <= kMostBits; ++length) {
      const int bit = bits.take(1);
      if (bit < 0) return -1;
      code |= bit;
      const int count = counts_[length];
      if (code - first < count) return symbols_[static_cast<std::size_t>(index + code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

 private:
  std::array<std::uint16_t, kMostBits + 1> counts_{};
  std::array<std::uint16_t, 288> symbols_{};
};

struct Codes {
  Code literal, distance;
};

Codes fixed_codes() {
  std::array<std::uint8_t, 288> lengths{};
  for (std::size_t i = 0; i < 288; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  std::array<std::uint8_t, 30> distances{};
  distances.fill(5);
  return {Code(lengths), Code(distances)};
}

// Lengths of 16, 17 and 18 repeat the one before, or zeros.
bool read_lengths(Bits& bits, const Code& code, std::span<std::uint8_t> out) {
  for (std::size_t i = 0; i < out.size();) {
    const int symbol = code.read(bits);
    if (symbol < 0) return false;
    if (symbol < 16) {
      out[i++] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    const int extra = bits.take(symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    if (extra < 0 || (symbol == 16 && i == 0)) return false;
    const std::uint8_t value = symbol == 16 ? out[i - 1] : std::uint8_t{0};
    const auto times = static_cast<std::size_t>(extra + (symbol == 18 ? 11 : 3));
    if (times > out.size() - i) return false;
    for (std::size_t end = i + times; i < end; ++i) out[i] = value;
  }
  return true;
}

std::optional<Codes> dynamic_codes(Bits& bits) {
  static constexpr std::uint8_t kOrder[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};
  const int literals = bits.take(5), distances = bits.take(5), codes = bits.take(4);
  if (literals < 0 || distances < 0 || codes < 0 || literals > 29 || distances > 29)
    return std::nullopt;
  std::array<std::uint8_t, 19> short_lengths{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(codes) + 4; ++i) {
    const int length = bits.take(3);
    if (length < 0) return std::nullopt;
    short_lengths[kOrder[i]] = static_cast<std::uint8_t>(length);
  }
  const Code of_lengths(short_lengths);
  std::array<std::uint8_t, 288 + 32> lengths{};
  const auto split = static_cast<std::size_t>(literals) + 257;
  const std::span<std::uint8_t> used(lengths.data(),
                                     split + static_cast<std::size_t>(distances) + 1);
  if (of_lengths.is_oversubscribed() || !read_lengths(bits, of_lengths, used)) return std::nullopt;
  Codes out{Code(used.first(split)), Code(used.subspan(split))};
  if (out.literal.is_oversubscribed() || out.distance.is_oversubscribed()) return std::nullopt;
  return out;
}

bool copy_back(std::string& out, std::size_t length, std::size_t distance, std::size_t size) {
  if (distance > out.size() || length > size - out.size()) return false;
  for (std::size_t from = out.size() - distance; length > 0; --length) out += out[from++];
  return true;
}

bool read_compressed(Bits& bits, const Codes& codes, std::string& out, std::size_t size) {
  static constexpr std::uint16_t kLength[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                              15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                              67, 83, 99, 115, 131, 163, 195, 227, 258};
  static constexpr std::uint8_t kLengthBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static constexpr std::uint16_t kDistance[] = {
      1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
      193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  while (true) {
    const int symbol = codes.literal.read(bits);
    if (symbol < 0 || symbol > 285) return false;
    if (symbol == 256) return true;
    if (symbol < 256) {
      if (out.size() == size) return false;
      out += static_cast<char>(symbol);
      continue;
    }
    const auto row = static_cast<std::size_t>(symbol - 257);
    const int more_length = bits.take(kLengthBits[row]);
    const int code = codes.distance.read(bits);
    if (more_length < 0 || code < 0 || code > 29) return false;
    const int more_distance = bits.take(code < 2 ? 0 : code / 2 - 1);
    if (more_distance < 0) return false;
    const auto length = static_cast<std::size_t>(kLength[row] + more_length);
    const auto distance =
        static_cast<std::size_t>(kDistance[static_cast<std::size_t>(code)] + more_distance);
    if (!copy_back(out, length, distance, size)) return false;
  }
}

bool read_stored(Bits& bits, std::string& out, std::size_t size) {
  bits.align();
  const int length = bits.take(16), check = bits.take(16);
  if (length < 0 || check < 0 || (length ^ check) != 0xffff) return false;
  const auto bytes = bits.bytes(static_cast<std::size_t>(length));
  if (!bytes || bytes->size() > size - out.size()) return false;
  out += *bytes;
  return true;
}

}  // namespace

std::optional<std::string> inflate(std::string_view packed, std::size_t size) {
  Bits bits(packed);
  std::string out;
  // A byte of DEFLATE makes at most 1032: what is said beyond that is not reserved.
  out.reserve(size / 1032 > packed.size() ? packed.size() : size);
  for (bool is_last = false; !is_last;) {
    const int head = bits.take(3);
    if (head < 0) return std::nullopt;
    is_last = head & 1;
    bool fine = false;
    if (head >> 1 == 0) {
      fine = read_stored(bits, out, size);
    } else if (head >> 1 == 1) {
      static const Codes kFixed = fixed_codes();
      fine = read_compressed(bits, kFixed, out, size);
    } else if (head >> 1 == 2) {
      const std::optional<Codes> codes = dynamic_codes(bits);
      fine = codes && read_compressed(bits, *codes, out, size);
    }
    if (!fine) return std::nullopt;
  }
  return out.size() == size ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace godwit::formats::zip
