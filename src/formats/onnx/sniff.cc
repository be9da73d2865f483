// First bytes of the formats that get mistaken for ONNX: half downloads, checkpoints, engines.
#include "formats/onnx/sniff.h"

#include "base/text.h"

namespace godwit::formats::onnx {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  std::string_view key;
};

constexpr Magic kMagics[] = {
    {0, "version https://git-lfs"sv, "lfs"},
    {0, "PK\x03\x04"sv, "zip"},
    {0, "\x80\x02"sv, "pickle"},
    {0, "\x80\x04"sv, "pickle"},
    {0, "GGUF"sv, "gguf"},
    {0, "\x89HDF"sv, "hdf5"},
    {0, "\x93NUMPY"sv, "npy"},
    {4, "TFL3"sv, "tflite"},
    {4, "ORTM"sv, "ort"},
    {0, "ftrt"sv, "tensorrt"},
    {0, "ptrt"sv, "tensorrt"},
    {0, "IMOD"sv, "om"},
    {0, "\x1f\x8b"sv, "compressed"},
    {0, "\x28\xb5\x2f\xfd"sv, "compressed"},
    {0,
     "\xfd"
     "7zXZ"sv,
     "compressed"},
    {0,
     "\x7f"
     "ELF"sv,
     "elf"},
    {0, "%PDF"sv, "pdf"},
    {0, "\x89PNG"sv, "picture"},
    {0, "\xff\xd8\xff"sv, "picture"},
    {8, "{\""sv, "safetensors"},
};

bool is_text(std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') return false;
  }
  // The cut after 256 bytes may lie inside a character.
  const std::size_t bad = first_invalid_utf8(bytes);
  return bad == std::string_view::npos || bad + 4 > bytes.size();
}

std::string_view text_format(std::string_view start) {
  const std::string text = to_lower(trim(start));
  const auto begins = [&](std::string_view with) { return text.rfind(with, 0) == 0; };
  if (begins("<!doctype") || begins("<html")) return "html";
  if (begins("<?xml")) return "xml";
  if (begins("<") && contains(text, "ir_version")) return "onnx_text";
  if (begins("{") || begins("[")) return "json";
  return "text";
}

}  // namespace

std::string_view foreign_format(std::string_view bytes) {
  if (bytes.empty()) return "empty";
  for (const Magic& magic : kMagics) {
    if (bytes.size() >= magic.offset && bytes.substr(magic.offset).rfind(magic.bytes, 0) == 0) {
      return magic.key;
    }
  }
  const std::string_view start = bytes.substr(0, 256);
  return is_text(start) ? text_format(start) : std::string_view();
}

}  // namespace godwit::formats::onnx
