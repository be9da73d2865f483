// Case files: Markdown whose fenced blocks are inputs and expected outputs, told apart by their
// info strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace godwit::tests {

struct Block {
  std::string heading;   // text of the last heading above, without the hashes
  std::string info;      // what stands behind the opening fence: "json outcome"
  std::string content;   // lines between the fences, each with its newline
  std::size_t line = 0;  // of the opening fence, from 1
};

/// Blocks of a case file in order. A fence of four backticks may hold one of three.
inline std::vector<Block> read_blocks(const std::string& path) {
  std::vector<Block> blocks;
  const auto text = read_file(path);
  if (!text) return blocks;
  std::string heading, fence;
  std::size_t number = 0;
  for (const std::string_view line : split(*text, '\n')) {
    ++number;
    if (!fence.empty()) {
      if (line == fence) {
        fence.clear();
      } else {
        blocks.back().content.append(line).append("\n");
      }
    } else if (line.starts_with("```")) {
      const std::size_t length = std::min(line.find_first_not_of('`'), line.size());
      fence = line.substr(0, length);
      blocks.push_back({heading, std::string(trim(line.substr(length))), "", number});
    } else if (line.starts_with("#")) {
      heading = trim(line.substr(line.find_first_not_of('#')));
    }
  }
  return blocks;
}

}  // namespace godwit::tests
