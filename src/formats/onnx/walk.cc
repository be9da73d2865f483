// The errors of reading, said once, with the part of the model in which they happened.
#include "formats/onnx/walk.h"

#include "base/text.h"
#include "diag/messages.h"

namespace godwit::formats::onnx {
namespace {

std::string_view name_of(Wire wire) {
  switch (wire) {
    case Wire::kVarint: return "varint";
    case Wire::kFixed64: return "fixed64";
    case Wire::kBytes: return "bytes";
    case Wire::kFixed32: break;
  }
  return "fixed32";
}

}  // namespace

std::string describe(std::string_view kind, std::string_view name) {
  const std::string key = format("onnx_file.part_{}", kind);
  if (name.empty()) return diag::text(key);
  return diag::text("onnx_file.named", {{"part", diag::text(key)}, {"name", to_valid_utf8(name)}});
}

tl::unexpected<Error> Walk::failure(std::string_view code, const Message& message,
                                    Args more) const {
  more.emplace_back("path", name_);
  more.emplace_back("what", describe(message.kind, message.name));
  return fail(code, place(message.bytes.data()), std::move(more));
}

Status Walk::foreign(std::string_view looks_like) const {
  const std::string key = format("onnx_file.{}", looks_like);
  return fail(
      "E030", {.file = name_},
      {{"path", name_}, {"looks_like", diag::text(key)}, {"todo", diag::text(key + "_todo")}});
}

Status Walk::cut_off(const Message& message, std::uint64_t said, std::string_view left) const {
  Error error = failure("E031", message,
                        {{"bytes", with_thousands(said)}, {"left", with_thousands(left.size())}})
                    .value();
  error.place.byte = left.data() - file_.data();
  return tl::unexpected(std::move(error));
}

Status Walk::damaged(Fault fault, const Message& message, const char* at) const {
  if (fault == Fault::kCut) {
    return cut_off(message, message.said ? message.said : file_.size() + 1, message.bytes);
  }
  Error error = failure(fault == Fault::kOverlong ? "E032" : "E040", message, {}).value();
  error.place.byte = at - file_.data();
  return tl::unexpected(std::move(error));
}

Status Walk::too_many() const {
  return fail("E045", {.file = name_}, {{"path", name_}, {"most", with_thousands(kMostRows)}});
}

Status Walk::expect(const Message& in, const Field& field, Wire wire) const {
  if (field.wire != wire) {
    return failure("E033", in,
                   {{"field", format("{}", field.id)},
                    {"found", std::string(name_of(field.wire))},
                    {"expected", std::string(name_of(wire))}});
  }
  return field.cut ? cut_off(in, field.said, field.bytes) : Status();
}

Status Walk::text(const Message& in, const Field& field, std::string_view& out) const {
  TRY(expect(in, field, Wire::kBytes));
  out = field.bytes;
  return {};
}

Status Walk::integer(const Message& in, const Field& field, std::int64_t& out) const {
  TRY(expect(in, field, Wire::kVarint));
  out = static_cast<std::int64_t>(field.number);
  return {};
}

Status Walk::integers(const Message& in, const Field& field, std::vector<std::int64_t>& out) const {
  if (field.wire == Wire::kVarint) return add(out, static_cast<std::int64_t>(field.number));
  TRY(expect(in, field, Wire::kBytes));
  Cursor cursor(field.bytes);
  while (!cursor.done()) {
    const char* const start = cursor.at();
    std::uint64_t value = 0;
    const Fault fault = cursor.varint(value);
    if (fault != Fault::kFine) return damaged(fault, in, start);
    TRY(add(out, static_cast<std::int64_t>(value)));
  }
  return {};
}

Status Walk::message(const Message& in, const Field& field, std::string_view kind,
                     Message& out) const {
  if (field.wire != Wire::kBytes) return expect(in, field, Wire::kBytes);
  out = {.bytes = field.bytes, .kind = kind, .said = field.said, .cut = field.cut};
  return {};
}

Status Walk::skip(const Message& in, const Field& field) const {
  return field.cut ? cut_off(in, field.said, field.bytes) : Status();
}

}  // namespace godwit::formats::onnx
