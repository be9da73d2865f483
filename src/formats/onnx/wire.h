// The protobuf wire format: fields of a message, read in place.
#pragma once

#include <cstdint>
#include <string_view>

namespace godwit::formats::onnx {

enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

/// One field. `number` is the value of varint and fixed fields, `bytes` of the others.
struct Field {
  std::uint32_t id = 0;
  Wire wire = Wire::kVarint;
  std::uint64_t number = 0;
  std::string_view bytes{};
  std::uint64_t said = 0;  // length that the file states; more than bytes.size() when `cut`
  bool cut = false;        // the file ends inside this field
};

enum class Fault : std::uint8_t {
  kFine,
  kCut,       // the file ends inside a tag or a number
  kOverlong,  // a length leads out of the message it stands in
  kVarint,    // a number longer than ten bytes
  kTag,       // field number 0, or a wire type that protobuf no longer writes
};

/// Walks the fields of one message. A cursor that was told that its message is `cut` hands out
/// what is left of the last field, so that the reader can say in which tensor the file ends.
class Cursor {
 public:
  explicit Cursor(std::string_view message, bool cut = false)
      : at_(message.data()), end_(message.data() + message.size()), cut_(cut) {}

  bool done() const { return at_ == end_; }
  const char* at() const { return at_; }
  Fault next(Field& field);
  /// One number of a packed list.
  Fault varint(std::uint64_t& value) {
    // Most tags and lengths take one byte.
    if (at_ == end_ || (*at_ & 0x80)) return long_varint(value);
    value = static_cast<unsigned char>(*at_++);
    return Fault::kFine;
  }

 private:
  Fault long_varint(std::uint64_t& value);
  Fault fixed(std::uint64_t& value, unsigned width);
  Fault bytes(Field& field);
  Fault too_short() const { return cut_ ? Fault::kCut : Fault::kOverlong; }

  const char* at_;
  const char* end_;
  bool cut_;
};

}  // namespace godwit::formats::onnx
