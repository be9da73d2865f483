// Compares the trees before and after, leaf by leaf, through the shift that the edits make.
#include "port/verify.h"

#include <unordered_set>

namespace godwit::port {
namespace {

using syntax::Edit;
using syntax::Node;
using syntax::NodeIndex;
using syntax::Tree;

bool is_leaf(const Tree& tree, NodeIndex node) { return tree[node].past == node + 1; }

std::uint64_t key_of(const Node& node, std::int64_t shift) {
  const auto begin = static_cast<std::uint64_t>(node.begin + shift);
  const auto length = static_cast<std::uint64_t>(node.end - node.begin);
  return begin << 32 ^ length << 8 ^ static_cast<std::uint64_t>(node.kind);
}

std::unordered_set<std::uint64_t> leaves_of(const Tree& tree) {
  std::unordered_set<std::uint64_t> leaves;
  for (NodeIndex node = 0; node < tree.nodes().size(); ++node) {
    if (is_leaf(tree, node)) leaves.insert(key_of(tree[node], 0));
  }
  return leaves;
}

// Walks edits and leaves together; calls `each(leaf, shift)` for leaves that no edit touches.
template <class Each>
void for_each_outside(const Tree& tree, const std::vector<Edit>& edits, Each each) {
  std::size_t next = 0;
  std::int64_t shift = 0;
  for (NodeIndex node = 0; node < tree.nodes().size(); ++node) {
    if (!is_leaf(tree, node)) continue;
    const Node& leaf = tree[node];
    while (next < edits.size() && edits[next].end <= leaf.begin) {
      shift += static_cast<std::int64_t>(edits[next].text.size()) -
               (edits[next].end - edits[next].begin);
      ++next;
    }
    const bool is_touched = next < edits.size() && edits[next].begin < leaf.end;
    if (!is_touched) each(leaf, shift);
  }
}

}  // namespace

bool bytes_equal_outside(std::string_view before, std::string_view after,
                         const std::vector<Edit>& edits) {
  std::size_t at_before = 0, at_after = 0;
  for (const Edit& edit : edits) {
    const std::size_t kept = edit.begin - at_before;
    if (before.substr(at_before, kept) != after.substr(at_after, kept)) return false;
    at_before = edit.end;
    at_after += kept;
    if (after.substr(at_after, edit.text.size()) != edit.text) return false;
    at_after += edit.text.size();
  }
  return before.substr(at_before) == after.substr(at_after);
}

Result<Verification> verify_python(const syntax::Source& before, const Tree& tree,
                                   const std::string& after, const std::vector<Edit>& edits) {
  Verification made{.bytes_equal = bytes_equal_outside(before.bytes(), after, edits)};
  ASSIGN(const syntax::Source source, syntax::Source::make(before.path(), after));
  const Tree parsed = Tree::parse_python(source);
  made.parses = parsed.errors().size() <= tree.errors().size();
  const auto leaves = leaves_of(parsed);
  bool all_found = true;
  for_each_outside(tree, edits, [&](const Node& leaf, std::int64_t shift) {
    ++made.tokens;
    all_found = all_found && leaves.contains(key_of(leaf, shift));
  });
  made.tokens_equal = all_found;
  return made;
}

}  // namespace godwit::port
