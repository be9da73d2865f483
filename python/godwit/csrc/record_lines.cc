// The text of a dump: lines of its index, and the header of a safetensors file.
#include "record_lines.h"

#include <charconv>
#include <cstring>
#include <unordered_map>

#include "record_names.h"

namespace godwit::record {
namespace {

void put(std::string& out, const char* text) { out += text; }

void put(std::string& out, std::int64_t value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void put(std::string& out, double value) {
  char text[40];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void put_shape(std::string& out, const std::vector<std::int64_t>& shape) {
  out += '[';
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += ',';
    put(out, shape[i]);
  }
  out += ']';
}

void put_base64(std::string& out, const float* values, int count) {
  static const char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char bytes[Sketch::kSamples * sizeof(float) + 2] = {};
  const std::size_t size = static_cast<std::size_t>(count) * sizeof(float);
  std::memcpy(bytes, values, size);
  const std::size_t start = out.size();
  out.resize(start + (size + 2) / 3 * 4, '=');
  char* to = out.data() + start;
  for (std::size_t i = 0; i < size; i += 3, to += 4) {
    const unsigned three = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
    to[0] = kDigits[three >> 18];
    to[1] = kDigits[three >> 12 & 63];
    if (i + 1 < size) to[2] = kDigits[three >> 6 & 63];
    if (i + 2 < size) to[3] = kDigits[three & 63];
  }
}

void put_hash(std::string& out, std::uint64_t hash) {
  static const char kDigits[] = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[hash >> shift & 15];
}

void put_member(std::string& out, const char* key, double value, bool known) {
  put(out, key);
  if (known) put(out, value);
  if (!known) put(out, "null");
}

void put_sketch(std::string& out, const Sketch& sketch) {
  const bool any = sketch.finite > 0;
  put_member(out, ",\"min\":", sketch.min, any);
  put_member(out, ",\"max\":", sketch.max, any);
  put_member(out, ",\"mean\":", sketch.mean, any);
  put_member(out, ",\"norm\":", sketch.norm, any);
  put_member(out, ",\"rms\":", sketch.rms, any);
  put(out, ",\"nan\":");
  put(out, sketch.nan);
  put(out, ",\"inf\":[");
  put(out, sketch.positive_inf);
  put(out, ",");
  put(out, sketch.negative_inf);
  put(out, "],\"zero\":");
  put(out, sketch.zero);
  put(out, ",\"saturated\":");
  put(out, sketch.saturated);
  put(out, ",\"hash\":\"");
  put_hash(out, sketch.hash);
  put(out, "\",\"samples\":\"");
  put_base64(out, sketch.sample.data(), sketch.samples);
  out += '"';
}

void put_text(std::string& out, const char* key, const std::string& text) {
  put(out, key);
  put_quoted(out, text);
}

// Unique within a run: "1.fwd.layer1.conv.0.output.0", with the operator behind the module.
std::string tensor_name(const Entry& entry) {
  std::string out = std::to_string(entry.step) + "." + entry.part + "." + name_text(entry.name);
  if (entry.op >= 0) out += "." + name_text(entry.op);
  if (entry.side) out += "." + std::to_string(entry.call) + "." + entry.side;
  if (entry.label >= 0) out += "." + name_text(entry.label);
  return out;
}

void put_line(std::string& out, const Entry& entry, const std::string& file) {
  put(out, "{\"step\":");
  put(out, entry.step);
  put_text(out, ",\"part\":", entry.part);
  put_text(out, ",\"name\":", name_text(entry.name));
  if (entry.op >= 0) put_text(out, ",\"operator\":", name_text(entry.op));
  if (entry.side) {
    put(out, ",\"call\":");
    put(out, std::int64_t{entry.call});
    put_text(out, ",\"io\":", entry.side);
  }
  if (entry.label >= 0) put_text(out, ",\"index\":", name_text(entry.label));
  put_text(out, ",\"dtype\":", entry.dtype);
  put(out, ",\"shape\":");
  put_shape(out, entry.shape);
  if (entry.layout) put_text(out, ",\"layout\":", entry.layout);
  if (entry.sketch.known) put_sketch(out, entry.sketch);
  if (entry.has_values) {
    put_text(out, ",\"file\":", file);
    put_text(out, ",\"tensor\":", entry.tensor);
  }
  put(out, "}\n");
}

}  // namespace

void put_quoted(std::string& out, const std::string& text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      static const char kDigits[] = "0123456789abcdef";
      out += "\\u00";
      out += kDigits[c >> 4 & 15];
      out += kDigits[c & 15];
      continue;
    }
    out += c;
  }
  out += '"';
}

std::string index_lines(const std::vector<Entry>& entries, const std::string& file) {
  std::string out;
  out.reserve(entries.size() * 800);
  for (const Entry& entry : entries) put_line(out, entry, file);
  return out;
}

// The format wants names that differ: a place seen twice in one batch (two backward passes through
// one graph) is numbered.
void name_tensors(std::vector<Entry>& entries) {
  std::unordered_map<std::string, int> seen;
  for (Entry& entry : entries) {
    if (!entry.has_values) continue;
    entry.tensor = tensor_name(entry);
    const int before = seen[entry.tensor]++;
    if (before > 0) entry.tensor += "#" + std::to_string(before + 1);
  }
}

std::string safetensors_header(const std::vector<Entry>& entries) {
  std::string out(8, '\0');
  out += '{';
  for (const Entry& entry : entries) {
    if (!entry.has_values) continue;
    if (out.size() > 9) out += ',';
    put_quoted(out, entry.tensor);
    put_text(out, ":{\"dtype\":", entry.stored);
    put(out, ",\"shape\":");
    put_shape(out, entry.stored_shape);
    put(out, ",\"data_offsets\":[");
    put(out, static_cast<std::int64_t>(entry.offset));
    out += ',';
    put(out, static_cast<std::int64_t>(entry.offset + entry.size));
    put(out, "]}");
  }
  out += '}';
  out.append((8 - out.size() % 8) % 8, ' ');
  const std::uint64_t length = out.size() - 8;
  for (int i = 0; i < 8; ++i) out[i] = static_cast<char>(length >> (8 * i) & 255);
  return out;
}

}  // namespace godwit::record
