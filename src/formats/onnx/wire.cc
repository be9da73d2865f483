// Decoding of protobuf tags, numbers and lengths; nothing is read outside the message.
#include "formats/onnx/wire.h"

#include <cstddef>

namespace godwit::formats::onnx {

Fault Cursor::long_varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at_ == end_) return too_short();
    const auto byte = static_cast<unsigned char>(*at_++);
    value |= shift < 64 ? std::uint64_t{byte & 0x7fu} << shift : 0;
    if (byte < 0x80) return Fault::kFine;
  }
  return Fault::kVarint;
}

Fault Cursor::fixed(std::uint64_t& value, unsigned width) {
  if (static_cast<std::size_t>(end_ - at_) < width) return too_short();
  value = 0;
  for (unsigned i = 0; i < width; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(at_[i])} << (8 * i);
  }
  at_ += width;
  return Fault::kFine;
}

Fault Cursor::bytes(Field& field) {
  if (const Fault fault = varint(field.said); fault != Fault::kFine) return fault;
  const auto left = static_cast<std::uint64_t>(end_ - at_);
  if (field.said > left && !cut_) return Fault::kOverlong;
  field.cut = field.said > left;
  field.bytes = {at_, static_cast<std::size_t>(field.cut ? left : field.said)};
  at_ += field.bytes.size();
  return Fault::kFine;
}

Fault Cursor::next(Field& field) {
  std::uint64_t tag = 0;
  if (const Fault fault = varint(tag); fault != Fault::kFine) return fault;
  field = {.id = static_cast<std::uint32_t>(tag >> 3), .wire = static_cast<Wire>(tag & 7)};
  if (field.id == 0 || tag >> 32 != 0) return Fault::kTag;
  switch (field.wire) {
    case Wire::kVarint: return varint(field.number);
    case Wire::kFixed64: return fixed(field.number, 8);
    case Wire::kFixed32: return fixed(field.number, 4);
    case Wire::kBytes: return bytes(field);
  }
  return Fault::kTag;
}

}  // namespace godwit::formats::onnx
