// Tree: a syntax tree as one flat array in source order, made once from tree-sitter's tree.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/kinds.h"
#include "syntax/source.h"

namespace godwit::syntax {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0xFFFFFFFFu;

/// One named node. A node's subtree is the range [index, past): its first child is index + 1, its
/// next sibling stands at `past`. Operators and keywords are read from the text between children.
struct Node {
  Kind kind = Kind::kOther;
  Field field = Field::kNone;
  std::uint32_t begin = 0, end = 0;  // bytes
  NodeIndex past = 0;
  NodeIndex parent = kNoNode;
};

class Tree {
 public:
  /// Parses Python. Never fails: what does not parse becomes error nodes. Deep nesting is safe:
  /// no function of ours recurses over the tree. A text that keeps the parser busy for far longer
  /// than its size explains gives a tree of one error node and is_complete() false.
  static Tree parse_python(const Source& source);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](NodeIndex index) const { return nodes_[index]; }
  std::string_view text(NodeIndex index) const;
  bool is_complete() const { return is_complete_; }
  bool has_error() const { return !errors_.empty(); }
  const std::vector<NodeIndex>& errors() const { return errors_; }

  /// First child with this field, or kNoNode.
  NodeIndex child(NodeIndex parent, Field field) const;
  NodeIndex first_child(NodeIndex parent) const;
  NodeIndex next_sibling(NodeIndex node) const;  // kNoNode after the last
  /// Nearest ancestor of this kind, or kNoNode.
  NodeIndex ancestor(NodeIndex node, Kind kind) const;

 private:
  std::string_view source_;  // Source::text(); the Source outlives the tree
  std::vector<Node> nodes_;
  std::vector<NodeIndex> errors_;
  bool is_complete_ = true;
};

/// How long parse_python tries before it gives up, for the message of E066.
std::uint64_t parse_patience_seconds(std::size_t bytes);

}  // namespace godwit::syntax
