// The wire format, written; lengths are known before the weights are touched.
#include "formats/onnx/encode.h"

#include <bit>
#include <iterator>
#include <utility>

namespace godwit::formats::onnx {

std::uint64_t packed_bytes(const ir::Tensor& tensor) {
  const std::uint64_t width = ir::bits(tensor.type());
  const auto count = static_cast<std::uint64_t>(tensor.count());
  return width && width < 8 ? (count * width + 7) / 8 : tensor.bytes();
}

Status write_values(const ir::Tensor& tensor, NewFile& out) {
  const std::uint32_t width = ir::bits(tensor.type());
  const auto* const data = reinterpret_cast<const char*>(tensor.data());
  if (width == 0 || width >= 8) return out.append({data, tensor.bytes()});
  const std::uint32_t per_byte = 8 / width;
  const auto count = static_cast<std::size_t>(tensor.count());
  std::string block;
  for (std::size_t i = 0; i < count; i += per_byte) {
    std::uint32_t byte = 0;
    for (std::uint32_t k = 0; k < per_byte && i + k < count; ++k)
      byte |= (static_cast<unsigned char>(data[i + k]) & ((1u << width) - 1)) << (width * k);
    block += static_cast<char>(byte);
    if (block.size() < (1u << 16)) continue;
    TRY(out.append(block));
    block.clear();
  }
  return out.append(block);
}

std::string& Encoder::tail() {
  if (pieces_.empty() || pieces_.back().tensor) pieces_.emplace_back();
  return pieces_.back().bytes;
}

void Encoder::put(std::string_view bytes) {
  tail() += bytes;
  size_ += bytes.size();
}

void Encoder::varint(std::uint64_t value) {
  char bytes[10];
  std::size_t used = 0;
  for (; value >= 0x80; value >>= 7) bytes[used++] = static_cast<char>(value | 0x80);
  bytes[used++] = static_cast<char>(value);
  put({bytes, used});
}

Encoder& Encoder::integer(std::uint32_t id, std::int64_t value) {
  varint(id << 3);
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

Encoder& Encoder::number(std::uint32_t id, float value) {
  varint(id << 3 | 5);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  char bytes[4];
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
  put({bytes, 4});
  return *this;
}

Encoder& Encoder::text(std::uint32_t id, std::string_view value) {
  varint(id << 3 | 2);
  varint(value.size());
  put(value);
  return *this;
}

Encoder& Encoder::some_text(std::uint32_t id, std::string_view value) {
  return value.empty() ? *this : text(id, value);
}

Encoder& Encoder::message(std::uint32_t id, Encoder&& inner) {
  varint(id << 3 | 2);
  varint(inner.size_);
  for (Piece& piece : inner.pieces_) {
    tail() += piece.bytes;
    pieces_.back().tensor = std::move(piece.tensor);
  }
  size_ += inner.size_;
  return *this;
}

Encoder& Encoder::values(std::uint32_t id, std::shared_ptr<const ir::Tensor> tensor) {
  const std::uint64_t bytes = packed_bytes(*tensor);
  varint(id << 3 | 2);
  varint(bytes);
  tail();
  pieces_.back().tensor = std::move(tensor);
  size_ += bytes;
  return *this;
}

Status Encoder::write(NewFile& out) const {
  for (const Piece& piece : pieces_) {
    TRY(out.append(piece.bytes));
    if (piece.tensor) TRY(write_values(*piece.tensor, out));
  }
  return {};
}

}  // namespace godwit::formats::onnx
