// A small text form of ONNX models for tests, and the protobuf bytes that it stands for.
//
//   opset 17                              ir 8            opset npu 1
//   input x: float[1,3,h,224]             output y        value y: float[1,8]
//   init w: float[8,3]                    init axes: int64[2] = 0,1
//   init w: float[8,3] external w.bin 0 96
//   y, z = Split(x, axes) {axis=1, name="s", perm=[0,1], scale=0.5, mode="linear", body=@then}
//   y = npu::NPUIou(a, b)
//   graph then … end                      function dom Name (a) -> (b) … end
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace godwit::tests {

/// Writes protobuf fields one after another.
struct Proto {
  std::string bytes;

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
  }
  Proto& integer(std::uint32_t id, std::int64_t value) {
    varint(id << 3);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Proto& text(std::uint32_t id, std::string_view value) {
    varint(id << 3 | 2);
    varint(value.size());
    bytes += value;
    return *this;
  }
  Proto& number(std::uint32_t id, float value) {
    varint(id << 3 | 5);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(bits >> (8 * i));
    return *this;
  }
};

class OnnxText {
 public:
  /// The bytes of the model; what a line does not say gets the usual value (IR 8, opset 17).
  static std::string to_bytes(std::string_view text) {
    OnnxText writer;
    writer.lines_ = split(text, '\n');
    Proto graph = writer.read_graph();
    Proto model;
    model.integer(1, writer.ir_).text(2, "godwit-tests");
    model.text(7, graph.text(2, "main").bytes);
    if (writer.opsets_.empty()) writer.add_opset("", 17);
    return model.bytes + writer.opsets_ + writer.functions_;
  }

 private:
  struct Width {
    int number;
    std::size_t bits;
  };
  static Width element(std::string_view name) {
    static const std::map<std::string, Width, std::less<>> kTypes = {
        {"float", {1, 32}},      {"uint8", {2, 8}},     {"int8", {3, 8}},
        {"int32", {6, 32}},      {"int64", {7, 64}},    {"string", {8, 0}},
        {"bool", {9, 8}},        {"float16", {10, 16}}, {"double", {11, 64}},
        {"int16", {5, 16}},      {"uint32", {12, 32}},  {"bfloat16", {16, 16}},
        {"complex64", {14, 64}}, {"int4", {22, 4}},     {"float8e4m3fn", {17, 8}}};
    const auto found = kTypes.find(name);
    return found == kTypes.end() ? Width{0, 0} : found->second;
  }

  struct Typed {
    std::string_view name, element;
    std::vector<std::string_view> dims;
    bool shaped = false;
    std::string_view rest;
  };
  // "x: float[1,3] = 1,2" → name, element, dims, rest behind the bracket.
  static Typed typed(std::string_view line) {
    Typed out;
    const std::size_t colon = line.find(':');
    out.name = trim(line.substr(0, colon));
    if (colon == std::string_view::npos) return out;
    const std::string_view type = trim(line.substr(colon + 1));
    const std::size_t open = type.find('['), close = type.find(']');
    out.shaped = open != std::string_view::npos;
    out.element = trim(type.substr(0, out.shaped ? open : type.find(' ')));
    if (!out.shaped) return out;
    for (const std::string_view dim : split(type.substr(open + 1, close - open - 1), ',')) {
      if (!trim(dim).empty()) out.dims.push_back(trim(dim));
    }
    out.rest = trim(type.substr(close + 1));
    return out;
  }

  static std::string value_info(std::string_view line) {
    const Typed in = typed(line);
    Proto shape;
    for (const std::string_view dim : in.dims) {
      const auto size = parse_integer(dim);
      Proto one;
      if (size) one.integer(1, *size);
      if (!size && dim != "?") one.text(2, dim);
      shape.text(1, one.bytes);
    }
    Proto value;
    value.text(1, in.name);
    if (in.element.empty()) return value.bytes;
    Proto tensor;
    tensor.integer(1, element(in.element).number);
    if (in.shaped) tensor.text(2, shape.bytes);
    return value.text(2, Proto().text(1, tensor.bytes).bytes).bytes;
  }

  static std::string tensor(std::string_view line) {
    const Typed in = typed(line);
    const Width type = element(in.element);
    Proto out;
    std::size_t count = 1;
    for (const std::string_view dim : in.dims) {
      const std::int64_t size = parse_integer(dim).value_or(0);
      out.integer(1, size);
      count *= static_cast<std::size_t>(size < 0 ? 0 : size);
    }
    out.integer(2, type.number).text(8, in.name);
    if (in.rest.rfind("external", 0) == 0) {
      const auto words = split_list(in.rest, ' ');
      constexpr std::string_view kKeys[] = {"location", "offset", "length"};
      for (std::size_t i = 1; i < words.size() && i < 4; ++i) {
        out.text(13, Proto().text(1, kKeys[i - 1]).text(2, words[i]).bytes);
      }
      return out.integer(14, 1).bytes;
    }
    std::string raw((count * type.bits + 7) / 8, '\0');
    if (in.rest.rfind("=", 0) == 0) {
      std::size_t at = 0;
      for (const std::string_view item : split(in.rest.substr(1), ',')) {
        const auto value = static_cast<std::uint64_t>(parse_integer(trim(item)).value_or(0));
        for (std::size_t i = 0; i < type.bits / 8 && at < raw.size(); ++i) {
          raw[at++] = static_cast<char>(value >> (8 * i));
        }
      }
    }
    return out.text(9, raw).bytes;
  }

  // Splits at commas that are not inside brackets or quotes.
  static std::vector<std::string_view> items(std::string_view list) {
    std::vector<std::string_view> out;
    std::size_t start = 0;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= list.size(); ++i) {
      const char c = i < list.size() ? list[i] : ',';
      if (c == '"') quoted = !quoted;
      if (c == '[') ++depth;
      if (c == ']') --depth;
      if (c != ',' || (i < list.size() && (depth || quoted))) continue;
      const std::string_view item = trim(list.substr(start, i - start));
      if (!item.empty()) out.push_back(item);
      start = i + 1;
    }
    return out;
  }

  std::string attribute(std::string_view item) const {
    const std::size_t equals = item.find('=');
    const std::string_view name = trim(item.substr(0, equals));
    const std::string_view value = trim(item.substr(equals + 1));
    Proto out;
    out.text(1, name);
    const std::string_view inner = value.substr(1, value.size() - 2);
    if (value.front() == '"') return out.text(4, inner).integer(20, 3).bytes;
    if (value.front() == '@') {
      const auto found = graphs_.find(value.substr(1));
      return out.text(6, found == graphs_.end() ? "" : found->second).integer(20, 5).bytes;
    }
    if (contains(value, ":") && value.front() == '[') {  // [: int64[1] = 4]: a tensor
      return out.text(5, tensor(inner)).integer(20, 4).bytes;
    }
    if (value.front() == '[') {
      const bool floats = contains(value, ".");
      for (const std::string_view part : items(inner)) {
        if (floats) out.number(7, static_cast<float>(parse_number(part).value_or(0)));
        if (!floats) out.integer(8, parse_integer(part).value_or(0));
      }
      return out.integer(20, floats ? 6 : 7).bytes;
    }
    const auto whole = parse_integer(value);
    if (whole) return out.integer(3, *whole).integer(20, 2).bytes;
    return out.number(2, static_cast<float>(parse_number(value).value_or(0))).integer(20, 1).bytes;
  }

  // "y, z = dom::Op(a, , b) {k=v}"; the node is named like its first output, or by name="…".
  std::string node(std::string_view line) const {
    const std::size_t equals = line.find('='), open = line.find('(');
    const std::size_t close = line.find(')', open), brace = line.find('{', close);
    std::string_view op = trim(line.substr(equals + 1, open - equals - 1)), domain;
    if (const std::size_t colons = op.find("::"); colons != std::string_view::npos) {
      domain = op.substr(0, colons);
      op = op.substr(colons + 2);
    }
    Proto out;
    if (close > open + 1) {
      for (const std::string_view in : split(line.substr(open + 1, close - open - 1), ',')) {
        out.text(1, trim(in));
      }
    }
    const auto outputs = split(line.substr(0, equals), ',');
    for (const std::string_view one : outputs) out.text(2, trim(one));
    std::string_view name = trim(outputs[0]);
    std::vector<std::string_view> attributes;
    if (brace != std::string_view::npos) {
      attributes = items(line.substr(brace + 1, line.rfind('}') - brace - 1));
    }
    std::string packed;
    for (const std::string_view item : attributes) {
      if (item.rfind("name=", 0) == 0)
        name = item.substr(6, item.size() - 7);
      else
        packed += Proto().text(5, attribute(item)).bytes;
    }
    out.text(3, name).text(4, op);
    if (!domain.empty()) out.text(7, domain);
    return out.bytes + packed;
  }

  void add_opset(std::string_view domain, std::int64_t version) {
    Proto opset;
    if (!domain.empty()) opset.text(1, domain);
    opsets_ += Proto().text(8, opset.integer(2, version).bytes).bytes;
  }

  // "function dom Name (a, b) -> (c)" up to "end".
  void read_function(std::string_view head) {
    const auto words = split_list(head.substr(0, head.find('(')), ' ');
    Proto out;
    out.text(1, words[2]);
    const std::size_t arrow = head.find("->");
    for (const bool input : {true, false}) {
      const std::string_view part = input ? head.substr(0, arrow) : head.substr(arrow);
      const std::size_t open = part.find('('), close = part.find(')');
      for (const std::string_view one : split(part.substr(open + 1, close - open - 1), ',')) {
        out.text(input ? 4 : 5, trim(one));
      }
    }
    for (++at_; at_ < lines_.size() && clean() != "end"; ++at_) {
      if (!clean().empty()) out.text(7, node(clean()));
    }
    out.text(9, Proto().integer(2, 17).bytes).text(10, words[1]);
    functions_ += Proto().text(25, out.bytes).bytes;
  }

  std::string_view clean() const { return trim(lines_[at_].substr(0, lines_[at_].find('#'))); }

  // Lines up to "end" or the last one.
  Proto read_graph() {
    Proto graph;
    for (; at_ < lines_.size() && clean() != "end"; ++at_) {
      const std::string_view line = clean();
      const std::string_view word = line.substr(0, line.find(' '));
      const std::string_view rest = trim(line.substr(word.size()));
      if (line.empty()) continue;
      if (word == "ir")
        ir_ = parse_integer(rest).value_or(8);
      else if (word == "opset")
        read_opset(rest);
      else if (word == "input")
        graph.text(11, value_info(rest));
      else if (word == "output")
        graph.text(12, value_info(rest));
      else if (word == "value")
        graph.text(13, value_info(rest));
      else if (word == "init")
        graph.text(5, tensor(rest));
      else if (word == "function")
        read_function(line);
      else if (word == "graph")
        read_subgraph(rest);
      else
        graph.text(1, node(line));
    }
    return graph;
  }

  void read_subgraph(std::string_view name) {
    ++at_;
    const std::string key(name);
    graphs_[key] = read_graph().text(2, key).bytes;
  }

  void read_opset(std::string_view rest) {
    const auto words = split_list(rest, ' ');
    add_opset(words.size() > 1 ? words[0] : "", parse_integer(words.back()).value_or(17));
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::int64_t ir_ = 8;
  std::string opsets_, functions_;
  std::map<std::string, std::string, std::less<>> graphs_;
};

}  // namespace godwit::tests
