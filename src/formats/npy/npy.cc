// The head of a .npy is a Python dictionary in a fixed form; it is read by a small parser, never
// evaluated.
#include "formats/npy/npy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/file.h"
#include "base/new_file.h"
#include "base/text.h"
#include "diag/messages.h"
#include "formats/zip/archive.h"

namespace godwit::formats::npy {
namespace {

using ir::ElementType;
using ir::Tensor;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // of the values behind the head, as numpy writes it
constexpr std::size_t kMostHead = std::size_t{1} << 16;

struct TypeRow {
  ElementType type;
  std::string_view code;  // kind and bytes of an element
};
constexpr std::array<TypeRow, 14> kTypes = {{
    {ElementType::kBool, "b1"},
    {ElementType::kInt8, "i1"},
    {ElementType::kInt16, "i2"},
    {ElementType::kInt32, "i4"},
    {ElementType::kInt64, "i8"},
    {ElementType::kUint8, "u1"},
    {ElementType::kUint16, "u2"},
    {ElementType::kUint32, "u4"},
    {ElementType::kUint64, "u8"},
    {ElementType::kFloat16, "f2"},
    {ElementType::kFloat, "f4"},
    {ElementType::kDouble, "f8"},
    {ElementType::kComplex64, "c8"},
    {ElementType::kComplex128, "c16"},
}};

struct Head {
  std::string_view type{};  // "<f4"
  bool is_fortran = false;
  ir::Sizes dims{};
};

tl::unexpected<Error> damaged(const std::string& name, std::string_view what) {
  return fail("E180", {.file = name},
              {{"path", name}, {"reason", diag::text(format("npy.{}", what))}});
}

/// Reads what numpy writes: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Head> dictionary() {
    Head head;
    if (!take("{")) return std::nullopt;
    while (!take("}")) {
      const std::optional<std::string_view> key = string();
      if (!key || !take(":") || !value(*key, head)) return std::nullopt;
      if (!take(",") && !next("}")) return std::nullopt;
    }
    return seen_ == 7 && rest_.empty() ? std::optional(head) : std::nullopt;
  }

 private:
  void skip_blanks() {
    const std::size_t at = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(std::min(at, rest_.size()));
  }
  bool next(std::string_view word) {
    skip_blanks();
    return rest_.starts_with(word);
  }
  bool take(std::string_view word) {
    if (!next(word)) return false;
    rest_.remove_prefix(word.size());
    skip_blanks();
    return true;
  }
  std::optional<std::string_view> string() {
    const bool is_double = next("\"");
    if (!take(is_double ? "\"" : "'")) return std::nullopt;
    const std::size_t end = rest_.find(is_double ? '"' : '\'');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return out;
  }
  bool shape(ir::Sizes& out) {
    if (!take("(")) return false;
    while (!take(")")) {
      const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
      const std::optional<std::int64_t> size = parse_integer(rest_.substr(0, digits));
      if (!size || out.size() == 64) return false;
      out.push_back(*size);
      rest_.remove_prefix(digits);
      take("L");  // of Python 2
      if (!take(",") && !next(")")) return false;
    }
    return true;
  }
  bool value(std::string_view key, Head& head) {
    if (key == "descr") {
      const std::optional<std::string_view> type = string();
      if (!type) return false;
      head.type = *type;
      seen_ |= 1;
      return true;
    }
    if (key == "fortran_order") {
      head.is_fortran = next("True");
      seen_ |= 2;
      return take("True") || take("False");
    }
    seen_ |= 4;
    return key == "shape" && shape(head.dims);
  }

  std::string_view rest_;
  unsigned seen_ = 0;
};

std::optional<ElementType> type_of(std::string_view code) {
  if (!code.empty() && contains("<>|=", code.substr(0, 1))) code.remove_prefix(1);
  for (const TypeRow& row : kTypes) {
    if (row.code == code) return row.type;
  }
  return std::nullopt;
}

// The bytes of every number in the opposite order; a complex number is two.
void swap_bytes(Tensor& tensor) {
  const bool is_complex =
      tensor.type() == ElementType::kComplex64 || tensor.type() == ElementType::kComplex128;
  const std::size_t width = bytes_in_memory(tensor.type()) / (is_complex ? 2 : 1);
  std::byte* const data = tensor.mutable_data();
  for (std::size_t at = 0; at < tensor.bytes(); at += width)
    std::reverse(data + at, data + at + width);
}

// Values whose first axis runs fastest, in our order.
Result<Tensor> from_fortran(const Tensor& tensor) {
  ASSIGN(Tensor out, Tensor::make(tensor.type(), tensor.dims()));
  const std::size_t width = bytes_in_memory(tensor.type()), rank = tensor.rank();
  ir::Sizes at(rank, 0), strides(rank, 1);
  for (std::size_t i = 1; i < rank; ++i) strides[i] = strides[i - 1] * tensor.dims()[i - 1];
  std::int64_t from = 0;
  for (std::size_t to = 0; to < static_cast<std::size_t>(tensor.count()); ++to) {
    std::memcpy(out.mutable_data() + to * width,
                tensor.data() + static_cast<std::size_t>(from) * width, width);
    for (std::size_t axis = rank; axis-- > 0;) {
      from += strides[axis];
      if (++at[axis] < tensor.dims()[axis]) break;
      from -= strides[axis] * tensor.dims()[axis];
      at[axis] = 0;
    }
  }
  return out;
}

Result<Tensor> tensor_of(const Head& head, std::string_view values,
                         std::shared_ptr<const void> owner, const std::string& name) {
  const std::optional<ElementType> type = type_of(head.type);
  if (!type) {
    return fail("E182", {.file = name}, {{"path", name}, {"found", to_valid_utf8(head.type)}});
  }
  const std::optional<std::int64_t> count = ir::count(head.dims);
  const std::size_t width = bytes_in_memory(*type);
  if (!count || static_cast<std::uint64_t>(*count) > values.size() / width)
    return damaged(name, "short");
  if (static_cast<std::uint64_t>(*count) * width != values.size()) return damaged(name, "long");
  Tensor out = Tensor::view(*type, head.dims, values.data(), std::move(owner));
  if (head.type.starts_with('>') && width > 1) {
    ASSIGN(Tensor swapped, Tensor::make(*type, head.dims));
    if (*count) std::memcpy(swapped.mutable_data(), values.data(), values.size());
    swap_bytes(swapped);
    out = std::move(swapped);
  }
  if (head.is_fortran && out.rank() > 1) return from_fortran(out);
  return out.aligned();
}

// As numpy can hold it.
Result<Tensor> for_numpy(const Tensor& tensor) {
  const ElementType type = tensor.type();
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return tensor;
  }
  if (is_floating(type)) return convert(tensor, ElementType::kFloat);
  if (type == ElementType::kInt4 || type == ElementType::kInt2)
    return convert(tensor, ElementType::kInt8);
  if (type == ElementType::kUint4 || type == ElementType::kUint2)
    return convert(tensor, ElementType::kUint8);
  return fail("E183", {}, {{"found", std::string(ir::name(type))}});
}

std::string header(const Tensor& tensor) {
  std::string_view code;
  for (const TypeRow& row : kTypes) {
    if (row.type == tensor.type()) code = row.code;
  }
  std::string shape;
  for (const std::int64_t size : tensor.dims()) shape += format("{}, ", size);
  if (tensor.rank() > 1) shape.resize(shape.size() - 2);
  if (tensor.rank() == 1) shape.resize(shape.size() - 1);
  std::string text = format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                            bytes_in_memory(tensor.type()) == 1 ? '|' : '<', code, shape);
  constexpr std::size_t kBefore = 10;
  text.append(kAlignment - (kBefore + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  std::string out(kMagic);
  out +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return out + text;
}

std::string_view bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.bytes()};
}

Result<Tensor> member_tensor(const zip::Member& member, std::shared_ptr<const void> owner,
                             const std::string& file) {
  const std::string name = format("{}: {}", file, to_valid_utf8(member.name));
  if (member.is_stored) {
    TRY(zip::check_content(member, member.packed, file));
    return parse(member.packed, std::move(owner), name);
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 36;
  ASSIGN(std::string content, zip::unpack(member, file, kMost));
  TRY(zip::check_content(member, content, file));
  auto kept = std::make_shared<const std::string>(std::move(content));
  return parse(*kept, kept, name);
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<Tensor> parse(std::string_view bytes, std::shared_ptr<const void> owner,
                     const std::string& name) {
  if (!is_npy(bytes)) return damaged(name, "magic");
  if (bytes.size() < 12) return damaged(name, "cut");
  const auto byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(bytes[at])};
  };
  const std::size_t version = byte(6), before = version == 1 ? 10 : 12;
  if (version < 1 || version > 3) return damaged(name, "version");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > kMostHead || length > bytes.size() - before) return damaged(name, "cut");
  const std::optional<Head> head = Parser(bytes.substr(before, length)).dictionary();
  if (!head) {
    // Structured arrays have a list where others have a string.
    return damaged(name, contains(bytes.substr(before, length), "[(") ? "structured" : "head");
  }
  return tensor_of(*head, bytes.substr(before + length), std::move(owner), name);
}

Result<std::vector<Named>> read(std::string_view bytes, std::shared_ptr<const void> owner,
                                const std::string& name) {
  std::vector<Named> out;
  if (!zip::is_archive(bytes)) {
    ASSIGN(Tensor tensor, parse(bytes, std::move(owner), name));
    out.emplace_back("", std::move(tensor));
    return out;
  }
  ASSIGN(const std::vector<zip::Member> members, zip::read(bytes, name));
  for (const zip::Member& member : members) {
    ASSIGN(Tensor tensor, member_tensor(member, owner, name));
    std::string_view key = member.name;
    if (key.ends_with(".npy")) key.remove_suffix(4);
    out.emplace_back(std::string(key), std::move(tensor));
  }
  return out;
}

Result<std::vector<Named>> read(const std::filesystem::path& path) {
  ASSIGN(MappedFile file, MappedFile::open(path));
  auto kept = std::make_shared<const MappedFile>(std::move(file));
  return read(kept->bytes(), kept, show_path(path));
}

Status write_npz(const std::filesystem::path& path, const std::vector<Named>& arrays) {
  ASSIGN(NewFile file, NewFile::open(path));
  zip::Writer writer([&file](std::string_view bytes) { return file.append(bytes); });
  for (const auto& [name, tensor] : arrays) {
    ASSIGN(const Tensor kept, for_numpy(tensor));
    TRY(writer.add(name + ".npy", {header(kept), bytes_of(kept)}));
  }
  TRY(std::move(writer).finish());
  return file.commit();
}

Status write_npy(const std::filesystem::path& path, const Tensor& tensor) {
  ASSIGN(const Tensor kept, for_numpy(tensor));
  return write_file(path, header(kept) + std::string(bytes_of(kept)), Sync::kLater);
}

}  // namespace godwit::formats::npy
