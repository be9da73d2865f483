// Parses in memory of its own, flattens the result in one pass and drops that memory at once.
#include "syntax/tree.h"

#include <time.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "syntax/flatten.h"
#include "syntax/parse_memory.h"
#include "syntax/python.h"
#include "syntax/symbols.h"

namespace godwit::syntax {
namespace {

struct Deleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

using Parser = std::unique_ptr<TSParser, Deleter>;

// Its buffers lie in the memory of this parse and end with it; making one costs next to nothing.
Parser make_parser() {
  Parser made(ts_parser_new());
  ts_parser_set_language(made.get(), tree_sitter_python());
  return made;
}

// Ten seconds of processor time and ten times what ordinary text takes: error recovery can be
// quadratic.
std::uint64_t patience_us(std::size_t bytes) { return 10'000'000 + std::uint64_t{bytes}; }

static_assert(sizeof(Node) == sizeof(GodwitNode) &&
              offsetof(Node, past) == offsetof(GodwitNode, past) &&
              offsetof(Node, begin) == offsetof(GodwitNode, begin));

struct Flat {
  std::vector<Node> nodes{};
  std::vector<NodeIndex> errors{};
};

// The nodes are written into the memory of the parse, which is warm, and copied once all are
// there.
Flat flatten(const TSTree* tree, std::size_t bytes) {
  GodwitFlat raw{};
  const Symbols& symbols = python_symbols();
  raw.kinds = reinterpret_cast<const std::uint8_t*>(symbols.kinds.data());
  raw.is_recorded = symbols.is_recorded.data();
  raw.fields = reinterpret_cast<const std::uint8_t*>(symbols.fields.data());
  raw.error_kind = static_cast<std::uint8_t>(Kind::kError);
  raw.missing_kind = static_cast<std::uint8_t>(Kind::kMissing);
  raw.capacity = static_cast<std::uint32_t>(bytes / 5 + 16);  // one node in four to eight bytes
  godwit_flatten(tree, &raw);
  const auto* const first = reinterpret_cast<const Node*>(raw.nodes);
  Flat flat{.nodes = std::vector<Node>(first, first + raw.count)};
  godwit_free_flat(&raw);
  std::vector<Node>& nodes = flat.nodes;
  for (NodeIndex i = 0; i < nodes.size() && flat.errors.size() < raw.errors; ++i) {
    const bool is_error = nodes[i].kind == Kind::kError || nodes[i].kind == Kind::kMissing;
    if (is_error) flat.errors.push_back(i);
  }
  nodes.front().kind = Kind::kModule;  // without one valid token the root is an error
  return flat;
}

// `return a, *(b)` is Python, but grammar 0.23.6 refuses a starred parenthesis there. The parser
// may read a blank for the star: the same offsets, the same names, only the unpacking is not seen.
std::string without_starred_parentheses(std::string_view text, const std::vector<Node>& nodes,
                                        const std::vector<NodeIndex>& errors) {
  std::string result;
  for (const NodeIndex error : errors) {
    const std::size_t line = text.rfind('\n', nodes[error].begin) + 1;  // npos + 1 is 0
    const std::size_t end = std::min<std::size_t>(nodes[error].end, text.size());
    for (std::size_t star = text.find('*', line); star < end; star = text.find('*', star + 1)) {
      const std::size_t before = text.find_last_not_of(" \t", star - (star > 0 ? 1 : 0));
      const std::size_t after = text.find_first_not_of(" \t", star + 1);
      if (before == std::string_view::npos || after == std::string_view::npos) continue;
      if (text[before] != ',' || text[after] != '(') continue;
      if (result.empty()) result = text;
      result[star] = ' ';
    }
  }
  return result;
}

std::uint64_t thread_time_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 1'000;
}

// The parser looks at the clock on the wall, but what is found must not depend on how busy the
// machine is: it goes on where it stopped until the time that this thread had is over.
TSTree* parse_patiently(TSParser* parser, std::string_view text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  const std::uint64_t end = thread_time_us() + patience_us(length);
  ts_parser_set_timeout_micros(parser, patience_us(length));
  TSTree* tree = nullptr;
  do {
    tree = ts_parser_parse_string(parser, nullptr, text.data(), length);
  } while (tree == nullptr && thread_time_us() < end);
  return tree;
}

/// Nothing when the parser ran out of patience.
std::optional<Flat> parse_flat(std::string_view text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  static std::once_flag installed;
  std::call_once(installed, install_parse_memory);
  const ParseMemory memory;
  const Parser parser = make_parser();
  std::unique_ptr<TSTree, Deleter> parsed(parse_patiently(parser.get(), text));
  if (parsed == nullptr) return std::nullopt;
  Flat flat = flatten(parsed.get(), length);
  if (memory.holds_all()) (void)parsed.release();  // dropped with the memory, not block by block
  return flat;
}

}  // namespace

std::uint64_t parse_patience_seconds(std::size_t bytes) { return patience_us(bytes) / 1'000'000; }

Tree Tree::parse_python(const Source& source) {
  Tree result;
  result.source_ = source.text();
  std::optional<Flat> flat = parse_flat(result.source_);
  if (!flat) {
    const auto length = static_cast<std::uint32_t>(result.source_.size());
    result.is_complete_ = false;
    result.nodes_ = {{.kind = Kind::kModule, .end = length, .past = 2},
                     {.kind = Kind::kError, .end = length, .past = 2, .parent = 0}};
    result.errors_ = {1};
    return result;
  }
  if (!flat->errors.empty()) {
    const std::string masked =
        without_starred_parentheses(result.source_, flat->nodes, flat->errors);
    std::optional<Flat> again;
    if (!masked.empty()) again = parse_flat(masked);
    if (again && again->errors.size() < flat->errors.size()) flat = std::move(again);
  }
  result.nodes_ = std::move(flat->nodes);
  result.nodes_.shrink_to_fit();  // it stays for long: what growing reserved is a third of it
  result.errors_ = std::move(flat->errors);
  return result;
}

std::string_view Tree::text(NodeIndex index) const {
  const Node& node = nodes_[index];
  return source_.substr(node.begin, node.end - node.begin);
}

NodeIndex Tree::child(NodeIndex parent, Field field) const {
  const NodeIndex past = nodes_[parent].past;
  for (NodeIndex node = parent + 1; node < past; node = nodes_[node].past) {
    if (nodes_[node].field == field) return node;
  }
  return kNoNode;
}

NodeIndex Tree::first_child(NodeIndex parent) const {
  return parent + 1 < nodes_[parent].past ? parent + 1 : kNoNode;
}

NodeIndex Tree::next_sibling(NodeIndex node) const {
  const NodeIndex parent = nodes_[node].parent;
  const NodeIndex next = nodes_[node].past;
  return parent != kNoNode && next < nodes_[parent].past ? next : kNoNode;
}

NodeIndex Tree::ancestor(NodeIndex node, Kind kind) const {
  for (node = nodes_[node].parent; node != kNoNode; node = nodes_[node].parent) {
    if (nodes_[node].kind == kind) return node;
  }
  return kNoNode;
}

}  // namespace godwit::syntax
