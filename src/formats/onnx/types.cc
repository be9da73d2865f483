// Types of values: tensors with their shapes, and the sequences, maps and optionals around them.
#include "formats/onnx/types.h"
#include "base/text.h"

namespace godwit::formats::onnx {
namespace {

constexpr std::uint32_t kDeepestType = 5;  // what Type can hold: four kinds around a tensor

Status read_dim(const Walk& walk, const Message& message, std::vector<Dim>& dims) {
  Dim dim;
  TRY(walk.each(message, [&](const Field& field) -> Status {
    if (field.id == 1) return walk.integer(message, field, dim.size);
    if (field.id == 2) return walk.text(message, field, dim.symbol);
    return walk.skip(message, field);
  }));
  // Some exporters write -1 or another negative size for "not known".
  if (dim.size < 0 || !dim.symbol.empty()) dim.size = -1;
  return walk.add(dims, dim);
}

Status read_shape(const Walk& walk, const Message& message, std::vector<Dim>& dims) {
  return walk.each(message, [&](const Field& field) -> Status {
    if (field.id != 1) return walk.skip(message, field);
    Message dim;
    TRY(walk.message(message, field, "shape", dim));
    return read_dim(walk, dim, dims);
  });
}

Status read_tensor_type(const Walk& walk, const Message& message, std::vector<Dim>& dims,
                        Type& type) {
  const std::size_t first = dims.size();
  TRY(walk.each(message, [&](const Field& field) -> Status {
    if (field.id == 1) {
      std::int64_t element = 0;
      TRY(walk.integer(message, field, element));
      type.element = static_cast<ElementType>(element);
      return {};
    }
    if (field.id != 2) return walk.skip(message, field);
    Message shape;
    TRY(walk.message(message, field, "shape", shape));
    type.has_shape = true;
    return read_shape(walk, shape, dims);
  }));
  type.dims = {static_cast<Index>(first), static_cast<Index>(dims.size() - first)};
  return {};
}

// The kinds of TypeProto by field; 0 in `inner`: a tensor, else the field of the inner type.
struct KindRow {
  std::uint32_t field;
  Type::Kind kind;
  std::uint32_t inner;
};
constexpr KindRow kKinds[] = {
    {1, Type::Kind::kTensor, 0}, {4, Type::Kind::kSequence, 1}, {5, Type::Kind::kMap, 2},
    {8, Type::Kind::kSparse, 0}, {9, Type::Kind::kOptional, 1},
};

}  // namespace

Status read_type(const Walk& walk, Message message, std::vector<Dim>& dims, Type& type) {
  for (std::uint32_t depth = 0; depth < kDeepestType; ++depth) {
    const KindRow* row = nullptr;
    Message kind;
    TRY(walk.each(message, [&](const Field& field) -> Status {
      for (const KindRow& known : kKinds) {
        if (known.field != field.id) continue;
        row = &known;
        return walk.message(message, field, "type", kind);
      }
      return walk.skip(message, field);
    }));
    if (!row) return {};
    if (depth == 0) type.kind = row->kind;
    if (row->inner == 0) return read_tensor_type(walk, kind, dims, type);
    if (depth > 0 && depth <= type.inner.size()) type.inner[depth - 1] = row->kind;
    Message inner;
    TRY(walk.each(kind, [&](const Field& field) -> Status {
      if (field.id == row->inner) return walk.message(kind, field, "type", inner);
      if (row->kind != Type::Kind::kMap || field.id != 1) return walk.skip(kind, field);
      std::int64_t key = 0;
      TRY(walk.integer(kind, field, key));
      type.key = static_cast<ElementType>(key);
      return {};
    }));
    message = inner;
  }
  return walk.failure("E034", message, {{"limit", format("{}", kDeepestType)}});
}

Status read_value(const Walk& walk, Message message, std::vector<Dim>& dims, std::string_view& name,
                  Type& type) {
  return walk.each(message, [&](const Field& field) -> Status {
    if (field.id == 1) {
      TRY(walk.text(message, field, name));
      message.name = name;
      return {};
    }
    if (field.id != 2) return walk.skip(message, field);
    Message part;
    TRY(walk.message(message, field, "type", part));
    part.name = name;
    return read_type(walk, part, dims, type);
  });
}

}  // namespace godwit::formats::onnx
