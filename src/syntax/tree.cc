// Flattens tree-sitter's tree with its cursor, in one pass, and frees it at once.
#include "syntax/tree.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "syntax/python.h"
#include "syntax/symbols.h"

namespace godwit::syntax {
namespace {

struct Deleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

// A parser keeps its buffers, so each thread has one.
TSParser* thread_parser() {
  thread_local const std::unique_ptr<TSParser, Deleter> parser = [] {
    std::unique_ptr<TSParser, Deleter> made(ts_parser_new());
    ts_parser_set_language(made.get(), tree_sitter_python());
    return made;
  }();
  return parser.get();
}

// Ten seconds and ten times what ordinary text takes: error recovery can be quadratic.
std::uint64_t patience_us(std::size_t bytes) { return 10'000'000 + std::uint64_t{bytes}; }

class Flattener {
 public:
  Flattener(const TSTree* tree, std::vector<Node>& nodes, std::vector<NodeIndex>& errors)
      : nodes_(nodes), errors_(errors), cursor_(ts_tree_cursor_new(ts_tree_root_node(tree))),
        has_error_(ts_node_has_error(ts_tree_root_node(tree))) {}
  Flattener(const Flattener&) = delete;
  Flattener& operator=(const Flattener&) = delete;
  ~Flattener() { ts_tree_cursor_delete(&cursor_); }

  void run() {
    for (;;) {
      enter(ts_tree_cursor_current_node(&cursor_));
      if (ts_tree_cursor_goto_first_child(&cursor_)) continue;
      leave();
      while (!ts_tree_cursor_goto_next_sibling(&cursor_)) {
        if (!ts_tree_cursor_goto_parent(&cursor_)) return;
        leave();
      }
    }
  }

 private:
  void enter(const TSNode& node) {
    const TSSymbol symbol = ts_node_symbol(node);
    const bool is_error = symbol >= symbols_.kinds.size();  // ERROR has a number of its own
    const bool is_missing = has_error_ && ts_node_is_missing(node);
    if (!is_error && !is_missing && symbols_.is_recorded[symbol] == 0) {
      open_.push_back(kNoNode);
      return;
    }
    const auto index = static_cast<NodeIndex>(nodes_.size());
    Node& flat = nodes_.emplace_back();
    flat.kind = is_error ? Kind::kError : is_missing ? Kind::kMissing : symbols_.kinds[symbol];
    flat.field = symbols_.fields[ts_tree_cursor_current_field_id(&cursor_)];
    flat.begin = ts_node_start_byte(node);
    flat.end = ts_node_end_byte(node);
    flat.parent = parent_;
    open_.push_back(index);
    parent_ = index;
    if (is_error || is_missing) errors_.push_back(index);
  }

  void leave() {
    const NodeIndex index = open_.back();
    open_.pop_back();
    if (index == kNoNode) return;
    nodes_[index].past = static_cast<NodeIndex>(nodes_.size());
    parent_ = nodes_[index].parent;
  }

  const Symbols& symbols_ = python_symbols();
  std::vector<Node>& nodes_;
  std::vector<NodeIndex>& errors_;
  std::vector<NodeIndex> open_;
  TSTreeCursor cursor_;
  NodeIndex parent_ = kNoNode;
  bool has_error_;
};

// `return a, *(b)` is Python, but grammar 0.23.6 refuses a starred parenthesis there. The parser may
// read a blank for the star: the same offsets, the same names, only the unpacking is not seen.
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

struct Flat {
  std::vector<Node> nodes{};
  std::vector<NodeIndex> errors{};
};

/// Nothing when the parser ran out of patience.
std::optional<Flat> parse_flat(std::string_view text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  TSParser* const parser = thread_parser();
  ts_parser_set_timeout_micros(parser, patience_us(length));
  const std::unique_ptr<TSTree, Deleter> parsed(
      ts_parser_parse_string(parser, nullptr, text.data(), length));
  if (parsed == nullptr) {
    ts_parser_reset(parser);
    return std::nullopt;
  }
  Flat flat;
  flat.nodes.reserve(length / 5 + 16);  // one named node in four to eight bytes
  Flattener(parsed.get(), flat.nodes, flat.errors).run();
  flat.nodes.front().kind = Kind::kModule;  // without one valid token the root is an error
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
    const std::string masked = without_starred_parentheses(result.source_, flat->nodes, flat->errors);
    std::optional<Flat> again;
    if (!masked.empty()) again = parse_flat(masked);
    if (again && again->errors.size() < flat->errors.size()) flat = std::move(again);
  }
  result.nodes_ = std::move(flat->nodes);
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
