// The directory at the end of an archive, its ZIP64 form, and the headers before each member.
#include "formats/zip/archive.h"

#include <array>
#include <optional>

#include "base/text.h"
#include "diag/messages.h"
#include "formats/zip/inflate.h"

namespace godwit::formats::zip {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr std::size_t kEndSize = 22, kCentralSize = 46, kLocalSize = 30, kLocatorSize = 20;
constexpr std::uint16_t kTag64 = 1;
constexpr std::uint32_t kSee64 = 0xffffffff;
constexpr std::size_t kLongestName = 0xffff;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < width; ++i)
    out |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return out;
}

void append(std::string& out, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

tl::unexpected<Error> damaged(const std::string& file, std::string_view what,
                              std::string_view member = {}) {
  return fail(
      "E181", {.file = file},
      {{"path", file},
       {"reason", diag::text(format("zip.{}", what), {{"member", to_valid_utf8(member)}})}});
}

std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320u ^ value >> 1 : value >> 1;
    out[i] = value;
  }
  return out;
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t crc = 0) {
  static const std::array<std::uint32_t, 256> kTable = crc_table();
  crc = ~crc;
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ crc >> 8;
  return ~crc;
}

// Where the directory lies and how many members it has.
struct Directory {
  std::uint64_t at = 0, bytes = 0, members = 0;
};

std::optional<Directory> find_directory(std::string_view bytes) {
  if (bytes.size() < kEndSize) return std::nullopt;
  // A comment of up to 64 KiB may follow the record.
  const std::size_t first = bytes.size() > kEndSize + 0xffff ? bytes.size() - kEndSize - 0xffff : 0;
  for (std::size_t at = bytes.size() - kEndSize + 1; at-- > first;) {
    if (number(bytes, at, 4) != kEnd) continue;
    Directory out{number(bytes, at + 16, 4), number(bytes, at + 12, 4), number(bytes, at + 10, 2)};
    if (out.at != kSee64 && out.members != 0xffff) return out;
    if (at < kLocatorSize || number(bytes, at - kLocatorSize, 4) != kLocator64) return out;
    const std::uint64_t at64 = number(bytes, at - kLocatorSize + 8, 8);
    if (bytes.size() < 56 || at64 > bytes.size() - 56 || number(bytes, at64, 4) != kEnd64)
      return std::nullopt;
    return Directory{number(bytes, at64 + 48, 8), number(bytes, at64 + 40, 8),
                     number(bytes, at64 + 32, 8)};
  }
  return std::nullopt;
}

// A row of the directory: what it says of the member, and its own length.
struct Row {
  Member member;
  std::uint64_t packed = 0, local = 0;
  std::size_t length = 0;
};

// The fields that are 0xffffffff in the row stand in the extra field of ZIP64, in this order.
bool read_extra64(std::string_view extra, Row& row) {
  while (extra.size() >= 4) {
    const std::size_t length = number(extra, 2, 2);
    if (length > extra.size() - 4) return false;
    if (number(extra, 0, 2) == kTag64) {
      std::size_t at = 4;
      for (std::uint64_t* const field : {&row.member.size, &row.packed, &row.local}) {
        if (*field != kSee64) continue;
        if (at + 8 > length + 4) return false;
        *field = number(extra, at, 8);
        at += 8;
      }
      return true;
    }
    extra.remove_prefix(4 + length);
  }
  return true;
}

std::optional<Row> read_row(std::string_view rest) {
  if (rest.size() < kCentralSize || number(rest, 0, 4) != kCentral) return std::nullopt;
  const std::size_t name = number(rest, 28, 2), extra = number(rest, 30, 2);
  const std::size_t length = kCentralSize + name + extra + number(rest, 32, 2);
  if (length > rest.size()) return std::nullopt;
  Row row{.packed = number(rest, 20, 4), .local = number(rest, 42, 4), .length = length};
  row.member.name = rest.substr(kCentralSize, name);
  row.member.size = number(rest, 24, 4);
  row.member.crc = static_cast<std::uint32_t>(number(rest, 16, 4));
  if (!read_extra64(rest.substr(kCentralSize + name, extra), row)) return std::nullopt;
  return row;
}

}  // namespace

bool is_archive(std::string_view bytes) {
  return bytes.size() >= 4 && (number(bytes, 0, 4) == kLocal || number(bytes, 0, 4) == kEnd);
}

Result<std::vector<Member>> read(std::string_view bytes, const std::string& name) {
  const std::optional<Directory> found = find_directory(bytes);
  if (!found || found->at > bytes.size() || found->bytes > bytes.size() - found->at)
    return damaged(name, "no_directory");
  std::string_view rest = bytes.substr(found->at, found->bytes);
  std::vector<Member> out;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < found->members; ++i) {
    std::optional<Row> row = read_row(rest);
    if (!row) return damaged(name, "directory");
    const std::uint64_t flags = number(rest, 8, 2), method = number(rest, 10, 2);
    Member& member = row->member;
    if (flags & 1) return damaged(name, "encrypted", member.name);
    if (method != 0 && method != 8) return damaged(name, "method", member.name);
    member.is_stored = method == 0;
    if (bytes.size() < kLocalSize || row->local > bytes.size() - kLocalSize ||
        number(bytes, row->local, 4) != kLocal)
      return damaged(name, "local", member.name);
    const std::uint64_t data = row->local + kLocalSize + number(bytes, row->local + 26, 2) +
                               number(bytes, row->local + 28, 2);
    if (data > bytes.size() || row->packed > bytes.size() - data ||
        (member.is_stored && row->packed != member.size))
      return damaged(name, "cut", member.name);
    // Members that share their bytes would let a small file stand for any amount of data.
    total += row->packed;
    if (total > bytes.size()) return damaged(name, "overlap", member.name);
    member.packed = bytes.substr(data, row->packed);
    rest.remove_prefix(row->length);
    out.push_back(member);
  }
  return out;
}

Result<std::string> unpack(const Member& member, const std::string& name, std::uint64_t most) {
  if (member.size > most) return damaged(name, "large", member.name);
  std::optional<std::string> out = inflate(member.packed, member.size);
  if (!out) return damaged(name, "packed", member.name);
  return *std::move(out);
}

Status check_content(const Member& member, std::string_view content, const std::string& name) {
  if (crc32(content) == member.crc) return {};
  return damaged(name, "checksum", member.name);
}

Status Writer::put(std::string_view bytes) {
  size_ += bytes.size();
  return sink_(bytes);
}

Status Writer::add(std::string_view name, std::initializer_list<std::string_view> parts) {
  if (name.size() > kLongestName) {
    return fail("E183", {},
                {{"found", diag::text("zip.name", {{"bytes", with_thousands(name.size())}})}});
  }
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  for (const std::string_view part : parts) {
    size += part.size();
    crc = crc32(part, crc);
  }
  const std::uint64_t local = size_;
  const bool is_large = size >= kSee64 || local >= kSee64;
  const auto header = [&](std::string& out, std::uint32_t magic, bool is_central) {
    append(out, magic, 4);
    if (is_central) append(out, 45, 2);  // version 4.5 knows ZIP64
    append(out, 45, 2);
    append(out, 0x800, 2);     // names are UTF-8
    append(out, 0, 2);         // stored
    append(out, 0x210000, 4);  // 1980-01-01: the same members give the same bytes
    append(out, crc, 4);
    append(out, is_large ? kSee64 : size, 4);
    append(out, is_large ? kSee64 : size, 4);
    append(out, name.size(), 2);
    append(out, is_large ? (is_central ? 28 : 20) : 0, 2);
    if (is_central) append(out, 0, 10);  // no comment, first disk, no attributes
    if (is_central) append(out, is_large ? kSee64 : local, 4);
    out += name;
    if (!is_large) return;
    append(out, kTag64, 2);
    append(out, is_central ? 24 : 16, 2);
    append(out, size, 8);
    append(out, size, 8);
    if (is_central) append(out, local, 8);
  };
  std::string before;
  header(before, kLocal, false);
  TRY(put(before));
  for (const std::string_view part : parts) TRY(put(part));
  header(directory_, kCentral, true);
  ++members_;
  return {};
}

Status Writer::finish() && {
  const std::uint64_t at = size_, size = directory_.size();
  std::string& out = directory_;  // the end follows it
  const bool is_large = at >= kSee64 || members_ >= 0xffff;
  if (is_large) {
    const std::uint64_t end64 = at + size;
    append(out, kEnd64, 4);
    append(out, 44, 8);
    append(out, 45, 2);
    append(out, 45, 2);
    append(out, 0, 8);
    append(out, members_, 8);
    append(out, members_, 8);
    append(out, size, 8);
    append(out, at, 8);
    append(out, kLocator64, 4);
    append(out, 0, 4);
    append(out, end64, 8);
    append(out, 1, 4);
  }
  append(out, kEnd, 4);
  append(out, 0, 4);
  append(out, is_large ? 0xffff : members_, 2);
  append(out, is_large ? 0xffff : members_, 2);
  append(out, is_large ? kSee64 : size, 4);
  append(out, is_large ? kSee64 : at, 4);
  append(out, 0, 2);
  return put(out);
}

}  // namespace godwit::formats::zip
