// Opening a model, and reading attributes and small constants out of the mapped file when asked.
#include "formats/onnx/model.h"

#include <bit>
#include <cstring>
#include <utility>

#include "formats/onnx/reader.h"
#include "formats/onnx/wire.h"

namespace godwit::formats::onnx {
namespace {

// The last field with this number: what protobuf calls the value of a field that occurs twice.
std::optional<Field> last(std::string_view body, std::uint32_t id) {
  Cursor cursor(body);
  Field field;
  std::optional<Field> found;
  while (!cursor.done() && cursor.next(field) == Fault::kFine) {
    if (field.id == id) found = field;
  }
  return found;
}

void append_varints(std::string_view packed, std::vector<std::int64_t>& out) {
  Cursor cursor(packed);
  std::uint64_t value = 0;
  while (!cursor.done() && cursor.varint(value) == Fault::kFine) {
    out.push_back(static_cast<std::int64_t>(value));
  }
}

template <class T>
std::vector<std::int64_t> little_endian(std::string_view raw) {
  std::vector<std::int64_t> out;
  for (std::size_t at = 0; at + sizeof(T) <= raw.size(); at += sizeof(T)) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bits |= std::uint64_t{static_cast<unsigned char>(raw[at + i])} << (8 * i);
    }
    out.push_back(static_cast<T>(bits));
  }
  return out;
}

}  // namespace

const Attribute* Model::attribute(const Node& node, std::string_view name) const {
  for (const Attribute& row : rows(attributes, node.attributes)) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::int64_t Model::integer(const Node& node, std::string_view name, std::int64_t fallback) const {
  const Attribute* const row = attribute(node, name);
  if (!row || row->kind != Attribute::Kind::kInt) return fallback;
  const std::optional<Field> field = last(row->body, 3);
  return field ? static_cast<std::int64_t>(field->number) : 0;
}

float Model::number(const Node& node, std::string_view name, float fallback) const {
  const Attribute* const row = attribute(node, name);
  if (!row || row->kind != Attribute::Kind::kFloat) return fallback;
  const std::optional<Field> field = last(row->body, 2);
  return field ? std::bit_cast<float>(static_cast<std::uint32_t>(field->number)) : 0;
}

std::string_view Model::text(const Node& node, std::string_view name,
                             std::string_view fallback) const {
  const Attribute* const row = attribute(node, name);
  if (!row || row->kind != Attribute::Kind::kString) return fallback;
  const std::optional<Field> field = last(row->body, 4);
  return field ? field->bytes : std::string_view();
}

std::vector<std::int64_t> Model::integers(const Node& node, std::string_view name) const {
  std::vector<std::int64_t> out;
  const Attribute* const row = attribute(node, name);
  if (!row || row->kind != Attribute::Kind::kInts) return out;
  Cursor cursor(row->body);
  Field field;
  while (!cursor.done() && cursor.next(field) == Fault::kFine) {
    if (field.id != 8) continue;
    if (field.wire == Wire::kVarint) out.push_back(static_cast<std::int64_t>(field.number));
    if (field.wire == Wire::kBytes) append_varints(field.bytes, out);
  }
  return out;
}

std::optional<std::vector<std::int64_t>> Model::integers(const Tensor& tensor,
                                                         std::size_t most) const {
  const bool wide = tensor.element == ElementType::kInt64;
  const bool narrow = tensor.element == ElementType::kInt32;
  if (tensor.external || tensor.elements > most || (!wide && !narrow)) return std::nullopt;
  std::vector<std::int64_t> out;
  if (!tensor.raw.empty()) {
    out = wide ? little_endian<std::int64_t>(tensor.raw) : little_endian<std::int32_t>(tensor.raw);
  } else if (tensor.packed.size() <= 10 * most) {
    append_varints(tensor.packed, out);
  }
  if (out.size() != tensor.elements) return std::nullopt;
  return out;
}

const Tensor* Model::constant(Index value) const {
  if (value == kNone) return nullptr;
  const Value& row = values[value];
  if (row.tensor != kNone) return &tensors[row.tensor];
  if (row.producer == kNone || nodes[row.producer].op != "Constant") return nullptr;
  const Attribute* const held = attribute(nodes[row.producer], "value");
  return held && held->tensors.count ? &tensors[held->tensors.first] : nullptr;
}

Result<Model> read(std::string_view bytes, const std::string& name) {
  ASSIGN(Unlinked unlinked, read_structure(bytes, name));
  TRY(link(unlinked));
  return std::move(unlinked.model);
}

Result<Model> read(const std::filesystem::path& path) {
  ASSIGN(MappedFile file, MappedFile::open(path));
  ASSIGN(Model model, read(file.bytes(), show_path(path)));
  model.file = std::move(file);
  return model;
}

}  // namespace godwit::formats::onnx
