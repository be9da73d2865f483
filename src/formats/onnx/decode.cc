// TensorProto to values: the packed fields that protobuf keeps numbers in, raw bytes, sparse form.
#include "formats/onnx/decode.h"

#include <bit>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "formats/onnx/tensor.h"
#include "formats/onnx/walk.h"
#include "formats/onnx/wire.h"

namespace godwit::formats::onnx {
namespace {

constexpr int kDeepestSequence = 16;

// Fields of TensorProto that hold numbers.
enum FieldId : std::uint32_t {
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kDoubleData = 10,
  kUint64Data = 11,
};

FieldId field_of(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kComplex64: return kFloatData;
    case ElementType::kDouble:
    case ElementType::kComplex128: return kDoubleData;
    case ElementType::kInt64: return kInt64Data;
    case ElementType::kUint32:
    case ElementType::kUint64: return kUint64Data;
    case ElementType::kString: return kStringData;
    default: return kInt32Data;
  }
}

tl::unexpected<Error> wrong_count(const Tensor& tensor, std::uint64_t found,
                                  const std::string& path) {
  return fail("E143", {.file = path},
              {{"path", path},
               {"what", describe("tensor", tensor.name)},
               {"found", with_thousands(found)},
               {"expected", with_thousands(tensor.elements)}});
}

// Appends `width` bytes of each number, least significant first.
void append(std::string& out, std::uint64_t number, std::uint32_t width) {
  for (std::uint32_t i = 0; i < width; ++i) out += static_cast<char>(number >> (8 * i));
}

// Numbers of the typed fields, as they would lie in raw_data with a byte or more each.
std::string gather_numbers(const Tensor& tensor) {
  std::string out;
  const FieldId wanted = field_of(tensor.element);
  const std::uint32_t width = ir::bytes_in_memory(tensor.element);
  Cursor cursor(tensor.body);
  Field field;
  while (!cursor.done() && cursor.next(field) == Fault::kFine) {
    if (field.id != wanted) continue;
    if (field.wire != Wire::kBytes) {
      append(out, field.number,
             field.wire == Wire::kFixed32   ? 4
             : field.wire == Wire::kFixed64 ? 8
                                            : width);
    } else if (wanted == kFloatData || wanted == kDoubleData) {
      out += field.bytes;
    } else {
      Cursor numbers(field.bytes);
      std::uint64_t number = 0;
      while (!numbers.done() && numbers.varint(number) == Fault::kFine) append(out, number, width);
    }
  }
  return out;
}

Result<ir::Tensor> strings(const Tensor& tensor, ir::Sizes dims, const std::string& path) {
  std::vector<std::string> out;
  Cursor cursor(tensor.body);
  Field field;
  while (!cursor.done() && cursor.next(field) == Fault::kFine) {
    if (field.id == kStringData) out.emplace_back(field.bytes);
  }
  if (out.size() != tensor.elements) return wrong_count(tensor, out.size(), path);
  return ir::Tensor::of(std::move(dims), std::move(out));
}

// Types under eight bits: the first element lies in the low bits of its byte.
Result<ir::Tensor> unpack(ElementType type, ir::Sizes dims, std::string_view bytes) {
  ASSIGN(ir::Tensor out, ir::Tensor::make(type, std::move(dims)));
  const std::uint32_t width = bits(type), per_byte = 8 / width;
  const std::uint32_t mask = (1u << width) - 1;
  std::byte* const at = out.mutable_data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(out.count()); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i / per_byte]);
    at[i] = static_cast<std::byte>((byte >> (width * (i % per_byte))) & mask);
  }
  return out;
}

// The TensorProto of a SparseTensorProto's field.
Result<Tensor> part(std::string_view body, std::uint32_t id, std::vector<std::int64_t>& dims,
                    const std::string& path) {
  Tensor out;
  Cursor cursor(body);
  Field field;
  while (!cursor.done() && cursor.next(field) == Fault::kFine) {
    if (field.id != id || field.wire != Wire::kBytes) continue;
    const Walk walk(field.bytes, path);
    TRY(read_tensor(walk, {.bytes = field.bytes, .kind = "tensor"}, dims, out));
  }
  return out;
}

// Where a row of indices leads: one number counts through the whole tensor, several are
// coordinates.
std::optional<std::size_t> offset_of(std::span<const std::int64_t> at, const ir::Sizes& dims,
                                     std::int64_t count) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::int64_t size = at.size() == 1 ? count : dims[i];
    if (at[i] < 0 || at[i] >= size) return std::nullopt;
    offset = offset * size + at[i];
  }
  return static_cast<std::size_t>(offset);
}

// E144: strings and unknown types are no bytes that could be pointed at or copied.
Status check_plain(ElementType type, std::string_view name, const std::string& path) {
  if (bits(type) != 0) return {};
  return fail("E144", {.file = path}, {{"path", path}, {"what", describe("tensor", name)}});
}

Result<ir::Tensor> dense(const Tensor& tensor, ir::Sizes dims, std::shared_ptr<const void> owner,
                         const std::string& path) {
  TRY(check_plain(tensor.element, tensor.name, path));
  std::vector<std::int64_t> value_dims, index_dims;
  ASSIGN(const Tensor value_row, part(tensor.body, 1, value_dims, path));
  ASSIGN(const Tensor index_row, part(tensor.body, 2, index_dims, path));
  ASSIGN(const ir::Tensor values, decode(value_row, value_dims, owner, path));
  ASSIGN(const ir::Tensor indices, decode(index_row, index_dims, owner, path));
  ASSIGN(ir::Tensor out, ir::Tensor::make(tensor.element, std::move(dims)));
  const auto places = to_integers(indices);
  const auto rows = static_cast<std::size_t>(values.count());
  const std::size_t per_row = rows && places ? places->size() / rows : 0;
  const bool fits = per_row == 1 || per_row == out.rank();
  if (rows && (!places || !fits || places->size() != rows * per_row))
    return wrong_count(tensor, places ? places->size() : 0, path);
  const std::size_t width = ir::bytes_in_memory(tensor.element);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const std::int64_t> at(places->data() + row * per_row, per_row);
    const auto offset = offset_of(at, out.dims(), out.count());
    if (!offset) return wrong_count(tensor, static_cast<std::uint64_t>(at[0]), path);
    std::memcpy(out.mutable_data() + *offset * width, values.data() + row * width, width);
  }
  return out;
}

}  // namespace

Result<ir::Tensor> from_bytes(ElementType type, ir::Sizes dims, std::string_view bytes,
                              std::shared_ptr<const void> owner) {
  if (const std::uint32_t width = bits(type); width && width < 8)
    return unpack(type, std::move(dims), bytes);
  if (type == ElementType::kBool &&
      bytes.find_first_not_of(std::string_view("\0\1", 2)) != std::string_view::npos) {
    ASSIGN(ir::Tensor out, ir::Tensor::make(type, std::move(dims)));
    for (std::size_t i = 0; i < bytes.size(); ++i) out.mutable_data()[i] = std::byte{bytes[i] != 0};
    return out;
  }
  return ir::Tensor::view(type, std::move(dims), bytes.data(), std::move(owner));
}

Result<ir::Tensor> decode(const Tensor& tensor, std::span<const std::int64_t> shape,
                          std::shared_ptr<const void> owner, const std::string& path) {
  ir::Sizes dims(shape.begin(), shape.end());
  if (tensor.sparse) return dense(tensor, std::move(dims), std::move(owner), path);
  if (tensor.element == ElementType::kString) return strings(tensor, std::move(dims), path);
  const std::uint64_t width = ir::bytes_in_memory(tensor.element);
  if (width == 0 || tensor.elements > tensor.body.size() * 8) return wrong_count(tensor, 0, path);
  if (!tensor.raw.empty())
    return from_bytes(tensor.element, std::move(dims), tensor.raw, std::move(owner));
  auto numbers = std::make_shared<std::string>(gather_numbers(tensor));
  // Types under eight bits are packed in int32_data as they are in raw_data.
  const bool is_packed = bits(tensor.element) < 8;
  if (numbers->size() != (is_packed ? tensor.bytes : tensor.elements * width))
    return wrong_count(tensor, numbers->size() / width, path);
  const std::string_view bytes = *numbers;
  return from_bytes(tensor.element, std::move(dims), bytes, std::move(numbers));
}

Result<ir::Tensor> parse_tensor(std::string_view bytes, std::shared_ptr<const void> owner,
                                std::string name) {
  std::vector<std::int64_t> dims;
  Tensor tensor;
  TRY(read_tensor(Walk(bytes, name), {.bytes = bytes, .kind = "tensor"}, dims, tensor));
  return decode(tensor, dims, std::move(owner), name);
}

namespace {

// SequenceProto and OptionalProto: 1 name, 2 kind of the elements, 3 tensor, 5 sequence; the others
// hold kinds that we do not read.
Result<ir::Datum> parse_items(ir::Type::Kind kind, std::string_view bytes,
                              const std::shared_ptr<const void>& owner, const std::string& name,
                              int depth) {
  using Kind = ir::Type::Kind;
  const Walk walk(bytes, name);
  const Message message{.bytes = bytes, .kind = "value"};
  if (depth > kDeepestSequence)
    return walk.failure("E034", message, {{"limit", format("{}", kDeepestSequence)}});
  std::vector<ir::Datum> items;
  TRY(walk.each(message, [&](const Field& field) -> Status {
    if (field.id == 1 || field.id == 2) return walk.skip(message, field);
    if (field.id != 3 && field.id != 5)
      return fail("E144", {.file = name}, {{"path", name}, {"what", describe("value", name)}});
    Message item;
    TRY(walk.message(message, field, "tensor", item));
    if (field.id == 5) {
      ASSIGN(ir::Datum inner, parse_items(Kind::kSequence, item.bytes, owner, name, depth + 1));
      items.push_back(std::move(inner));
      return {};
    }
    ASSIGN(const ir::Tensor tensor, parse_tensor(item.bytes, owner, name));
    ASSIGN(ir::Tensor aligned, tensor.aligned());
    items.emplace_back(std::move(aligned));
    return {};
  }));
  return kind == Kind::kSequence ? ir::Datum::sequence(std::move(items))
                                 : ir::Datum::optional(std::move(items));
}

// One tensor of the values of a map, each of one number or text. Nothing when they are of several
// types, or of more.
Result<std::optional<ir::Tensor>> joined(const std::vector<ir::Datum>& items) {
  const ElementType type = items.empty() ? ElementType::kFloat : items[0].tensor.type();
  ASSIGN(ir::Tensor out, ir::Tensor::make(type, {static_cast<std::int64_t>(items.size())}));
  const std::size_t width = ir::bytes_in_memory(type);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ir::Tensor& item = items[i].tensor;
    if (!items[i].is_tensor() || item.type() != type || item.count() != 1) return std::nullopt;
    if (type == ElementType::kString)
      out.mutable_values<std::string>()[i] = item.values<std::string>()[0];
    else
      std::memcpy(out.mutable_data() + i * width, item.data(), width);
  }
  return std::optional(std::move(out));
}

// MapProto: 1 name, 2 type of the keys, 3 whole numbers or 4 texts as keys, 5 the values.
Result<ir::Datum> parse_map(std::string_view bytes, const std::shared_ptr<const void>& owner,
                            const std::string& name) {
  const Walk walk(bytes, name);
  const Message message{.bytes = bytes, .kind = "value"};
  std::vector<std::int64_t> numbers;
  std::vector<std::string> texts;
  ir::Datum values = ir::Datum::sequence({});
  TRY(walk.each(message, [&](const Field& field) -> Status {
    if (field.id == 3) return walk.integers(message, field, numbers);
    if (field.id == 4) {
      std::string_view text;
      TRY(walk.text(message, field, text));
      texts.emplace_back(text);
      return {};
    }
    if (field.id != 5) return walk.skip(message, field);
    Message held;
    TRY(walk.message(message, field, "value", held));
    ASSIGN(values, parse_items(ir::Type::Kind::kSequence, held.bytes, owner, name, 0));
    return {};
  }));
  ASSIGN(std::optional<ir::Tensor> tensor, joined(values.items));
  const std::size_t keys = texts.empty() ? numbers.size() : texts.size();
  if (!tensor || keys != values.items.size() || (!texts.empty() && !numbers.empty()))
    return fail("E144", {.file = name}, {{"path", name}, {"what", describe("value", name)}});
  const auto count = static_cast<std::int64_t>(keys);
  ir::Datum out;
  out.kind = ir::Datum::Kind::kMap;
  out.items = {ir::Datum(texts.empty() ? ir::Tensor::integers(std::move(numbers))
                                       : ir::Tensor::of<std::string>({count}, std::move(texts))),
               ir::Datum(*std::move(tensor))};
  return out;
}

}  // namespace

Result<ir::Datum> parse_datum(ir::Type::Kind kind, std::string_view bytes,
                              std::shared_ptr<const void> owner, std::string name) {
  if (kind == ir::Type::Kind::kSequence || kind == ir::Type::Kind::kOptional)
    return parse_items(kind, bytes, owner, name, 0);
  if (kind == ir::Type::Kind::kMap) return parse_map(bytes, owner, name);
  ASSIGN(const ir::Tensor tensor, parse_tensor(bytes, std::move(owner), std::move(name)));
  ASSIGN(ir::Tensor aligned, tensor.aligned());
  return ir::Datum(std::move(aligned));
}

}  // namespace godwit::formats::onnx
