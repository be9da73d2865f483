// Protobuf messages as a list of pieces: what we made, and weights that stay where they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"
#include "ir/tensor.h"

namespace godwit::formats::onnx {

/// Bytes that the values of a tensor take in a file; types under eight bits are packed.
std::uint64_t packed_bytes(const ir::Tensor& tensor);
/// Appends them, a block at a time.
Status write_values(const ir::Tensor& tensor, NewFile& out);

class Encoder {
 public:
  Encoder& integer(std::uint32_t id, std::int64_t value);
  Encoder& number(std::uint32_t id, float value);
  Encoder& text(std::uint32_t id, std::string_view value);
  /// The same, but an empty text is left out.
  Encoder& some_text(std::uint32_t id, std::string_view value);
  Encoder& message(std::uint32_t id, Encoder&& inner);
  Encoder& values(std::uint32_t id, std::shared_ptr<const ir::Tensor> tensor);

  std::uint64_t size() const { return size_; }
  Status write(NewFile& out) const;

 private:
  struct Piece {
    std::string bytes;
    std::shared_ptr<const ir::Tensor> tensor;  // behind them
  };
  void varint(std::uint64_t value);
  void put(std::string_view bytes);
  std::string& tail();

  std::vector<Piece> pieces_;
  std::uint64_t size_ = 0;
};

}  // namespace godwit::formats::onnx
