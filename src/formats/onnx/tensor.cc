// Tensors: raw_data is stepped over, so the pages that hold the weights are never touched.
#include "formats/onnx/tensor.h"

#include <limits>

#include "base/text.h"

namespace godwit::formats::onnx {
namespace {

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 56;

Status read_entry(const Walk& walk, const Message& tensor, const Message& entry, Tensor& out) {
  std::string_view key, value;
  TRY(walk.each(entry, [&](const Field& field) -> Status {
    if (field.id == 1) return walk.text(entry, field, key);
    if (field.id == 2) return walk.text(entry, field, value);
    return walk.skip(entry, field);
  }));
  if (key == "location") out.location = value;
  if (key != "offset" && key != "length") return {};
  const std::optional<std::int64_t> number = parse_integer(value);
  if (!number || *number < 0) {
    return walk.failure("E042", tensor,
                        {{"key", std::string(key)}, {"found", to_valid_utf8(value)}});
  }
  if (key == "offset") out.offset = *number;
  // The onnx package takes a length of 0 for none, and reads to the end.
  if (key == "length" && *number > 0) out.length = *number;
  return {};
}

Status measure(const Walk& walk, const Message& message, std::span<const std::int64_t> dims,
               Tensor& out) {
  for (const std::int64_t dim : dims) {
    const auto size = static_cast<std::uint64_t>(dim);
    const bool too_large = dim > 0 && out.elements > kMostElements / size;
    if (dim < 0 || too_large) {
      return walk.failure("E046", message, {{"found", format("{}", dim)}});
    }
    out.elements *= size;
  }
  const std::uint32_t width = bits(out.element);
  if (width) out.bytes = (out.elements * width + 7) / 8;
  return {};
}

// Data in the file and data beside it must both be as long as shape and type say.
Status check_size(const Walk& walk, const Message& message, const Tensor& tensor) {
  const bool outside = tensor.external && tensor.length >= 0;
  const std::uint64_t held =
      outside ? static_cast<std::uint64_t>(tensor.length) : tensor.raw.size();
  const bool says_nothing = !outside && tensor.raw.empty();
  if (says_nothing || bits(tensor.element) == 0 || held == tensor.bytes) return {};
  return walk.failure(
      "E041", message,
      {{"found", with_thousands(held)}, {"expected", with_thousands(tensor.bytes)}});
}

}  // namespace

Status read_tensor(const Walk& walk, Message message, std::vector<std::int64_t>& dims,
                   Tensor& out) {
  const std::size_t first = dims.size();
  std::uint64_t string_bytes = 0;
  std::int64_t element = 0, location = 0;
  TRY(walk.each(message, [&](const Field& field) -> Status {
    switch (field.id) {
      case 1: return walk.integers(message, field, dims);
      case 2: return walk.integer(message, field, element);
      case 6: string_bytes += field.bytes.size(); break;
      case 5:
      case 7:
        if (field.wire == Wire::kBytes) out.packed = field.bytes;
        break;
      case 8: TRY(walk.text(message, field, message.name)); break;
      case 9: return walk.text(message, field, out.raw);
      case 13: {
        Message entry;
        TRY(walk.message(message, field, "external", entry));
        return read_entry(walk, message, entry, out);
      }
      case 14: return walk.integer(message, field, location);
      default: break;
    }
    return walk.skip(message, field);
  }));
  out.name = message.name;
  out.body = message.bytes;
  out.element = static_cast<ElementType>(element);
  out.external = location == 1;
  out.dims = {static_cast<Index>(first), static_cast<Index>(dims.size() - first)};
  TRY(measure(walk, message, Model::rows(dims, out.dims), out));
  if (out.element == ElementType::kString) out.bytes = string_bytes;
  return check_size(walk, message, out);
}

Status read_sparse_tensor(const Walk& walk, Message message, std::vector<std::int64_t>& dims,
                          Tensor& out) {
  Tensor values, indices;
  std::vector<std::int64_t> own;
  TRY(walk.each(message, [&](const Field& field) -> Status {
    Message part;
    if (field.id == 1 || field.id == 2) {
      TRY(walk.message(message, field, "tensor", part));
      return read_tensor(walk, part, dims, field.id == 1 ? values : indices);
    }
    if (field.id == 3) return walk.integers(message, field, own);
    return walk.skip(message, field);
  }));
  out.name = message.name = values.name;
  out.body = message.bytes;
  out.sparse = true;
  out.element = values.element;
  out.dims = {static_cast<Index>(dims.size()), static_cast<Index>(own.size())};
  dims.insert(dims.end(), own.begin(), own.end());
  TRY(measure(walk, message, own, out));
  out.bytes = values.bytes + indices.bytes;
  return {};
}

}  // namespace godwit::formats::onnx
