// Walking one message after another: what every read_… function shares, above all its errors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/onnx/model.h"
#include "formats/onnx/wire.h"

namespace godwit::formats::onnx {

/// Rows that a table may have: no real model comes near, and a hostile one cannot fill the memory.
inline constexpr std::size_t kMostRows = std::size_t{1} << 23;

/// A message that is about to be read.
struct Message {
  std::string_view bytes{};
  std::string_view kind{};  // "tensor": the text "onnx_file.part_tensor"
  std::string_view name{};  // filled while reading, for errors
  std::uint64_t said = 0;   // its length as the file states it
  bool cut = false;         // the file ends inside it
};

class Walk {
 public:
  Walk(std::string_view file, std::string name) : file_(file), name_(std::move(name)) {}

  /// Calls `visit` for each field. Errors: E031 cut off, E032 a length that leads out of its
  /// message, E040 not protobuf.
  template <class Visit>
  Status each(const Message& message, Visit&& visit) const {
    Cursor cursor(message.bytes, message.cut);
    Field field;
    while (!cursor.done()) {
      const char* const start = cursor.at();
      const Fault fault = cursor.next(field);
      if (fault != Fault::kFine) return damaged(fault, message, start);
      TRY(visit(std::as_const(field)));
    }
    return message.cut && message.said ? cut_off(message, message.said, message.bytes) : Status();
  }

  /// A field of this kind. Errors: E031, and E033 when it is written as another kind.
  Status text(const Message& in, const Field& field, std::string_view& out) const;
  Status integer(const Message& in, const Field& field, std::int64_t& out) const;
  /// One number, or a packed list of them.
  Status integers(const Message& in, const Field& field, std::vector<std::int64_t>& out) const;
  Status message(const Message& in, const Field& field, std::string_view kind, Message& out) const;
  /// A field that we do not read; only that it ends inside the file.
  Status skip(const Message& in, const Field& field) const;

  template <class T>
  Status add(std::vector<T>& table, T row) const {
    if (table.size() >= kMostRows) return too_many();
    table.push_back(std::move(row));
    return {};
  }

  tl::unexpected<Error> failure(std::string_view code, const Message& message, Args more) const;
  /// E030: the file is of another kind, see foreign_format.
  Status foreign(std::string_view looks_like) const;
  Status too_many() const;  // E045
  const std::string& name() const { return name_; }

 private:
  Status damaged(Fault fault, const Message& message, const char* at) const;
  Status cut_off(const Message& message, std::uint64_t said, std::string_view left) const;
  Status expect(const Message& in, const Field& field, Wire wire) const;
  Place place(const char* at) const { return {.file = name_, .byte = at - file_.data()}; }

  std::string_view file_;
  std::string name_;
};

/// "tensor "conv1.weight"", in the language of the user.
std::string describe(std::string_view kind, std::string_view name);

}  // namespace godwit::formats::onnx
