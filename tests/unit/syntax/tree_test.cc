// The flat tree holds what tree-sitter found, in source order, whatever the input.
#include "syntax/tree.h"

#include <gtest/gtest.h>

#include <random>

namespace godwit::syntax {
namespace {

struct Parsed {
  explicit Parsed(std::string bytes)
      : source(*Source::make("a.py", std::move(bytes))), tree(Tree::parse_python(source)) {}
  Source source;
  Tree tree;

  NodeIndex first(Kind kind) const {
    for (NodeIndex i = 0; i < tree.nodes().size(); ++i) {
      if (tree[i].kind == kind) return i;
    }
    return kNoNode;
  }
};

// Ranges nest, children lie inside their parents, and `past` steps over a whole subtree.
void expect_sound(const Tree& tree) {
  const auto& nodes = tree.nodes();
  ASSERT_FALSE(nodes.empty());
  EXPECT_EQ(nodes[0].past, nodes.size());
  for (NodeIndex i = 1; i < nodes.size(); ++i) {
    const Node& parent = nodes[nodes[i].parent];
    ASSERT_LT(nodes[i].parent, i);
    ASSERT_LE(nodes[i].past, parent.past);
    ASSERT_GT(nodes[i].past, i);
    ASSERT_LE(nodes[i].begin, nodes[i].end);
    ASSERT_LE(nodes[i].end, nodes[0].end);
  }
}

// The memory of a parse grows with the file and is used again for the next one.
TEST(Tree, IsTheSameInFreshAndInUsedMemory) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "x = f(a, [1, 2], b.c)\n";  // several steps of memory
  const auto large = Source::make("large.py", text);
  const auto small = Source::make("small.py", "def f(x):\n    return x + 1\n");
  ASSERT_TRUE(large && small);
  const Tree first = Tree::parse_python(*small);
  const Tree grown = Tree::parse_python(*large);
  const Tree again = Tree::parse_python(*small);
  const Tree large_again = Tree::parse_python(*large);
  EXPECT_FALSE(grown.has_error());
  ASSERT_EQ(first.nodes().size(), again.nodes().size());
  ASSERT_EQ(grown.nodes().size(), large_again.nodes().size());
  for (NodeIndex i = 0; i < first.nodes().size(); ++i) {
    EXPECT_EQ(first[i].kind, again[i].kind);
    EXPECT_EQ(first[i].end, again[i].end);
  }
}

TEST(Tree, HasKindsAndFields) {
  const Parsed p("import torch.nn as nn\nx = nn.Conv2d(1, k=2).weight\n");
  expect_sound(p.tree);
  EXPECT_FALSE(p.tree.has_error());
  const NodeIndex import = p.first(Kind::kAliasedImport);
  EXPECT_EQ(p.tree.text(p.tree.child(import, Field::kName)), "torch.nn");
  EXPECT_EQ(p.tree.text(p.tree.child(import, Field::kAlias)), "nn");
  const NodeIndex call = p.first(Kind::kCall);
  EXPECT_EQ(p.tree.text(p.tree.child(call, Field::kFunction)), "nn.Conv2d");
  const NodeIndex arguments = p.tree.child(call, Field::kArguments);
  const NodeIndex first = p.tree.first_child(arguments);
  EXPECT_EQ(p.tree[first].kind, Kind::kInteger);
  EXPECT_EQ(p.tree[p.tree.next_sibling(first)].kind, Kind::kKeywordArgument);
  EXPECT_EQ(p.tree.next_sibling(p.tree.next_sibling(first)), kNoNode);
  EXPECT_EQ(p.tree.ancestor(first, Kind::kAssignment), p.first(Kind::kAssignment));
  EXPECT_EQ(p.tree.child(call, Field::kKey), kNoNode);
}

TEST(Tree, CodeInsideFormattedStringsIsCode) {
  const Parsed p("print(f'cuda:{torch.cuda.device_count()}')\n");
  EXPECT_NE(p.first(Kind::kInterpolation), kNoNode);
  EXPECT_EQ(p.tree.text(p.tree.first_child(p.first(Kind::kInterpolation))),
            "torch.cuda.device_count()");
}

TEST(Tree, StaysWholeAroundErrors) {
  for (const char* const text :
       {"x = = 3\ny = torch.zeros(1)\n", "def f(:\n  pass\ny = torch.zeros(1)\n",
        "y = torch.zeros(1)\nf(\n", "print 'a', y\ny = torch.zeros(1)\n",
        "return a, *(g for g in y)\ny = torch.zeros(1)\n",
        "return a, *b, *(None,) * n\ny = torch.zeros(1)\n"}) {
    const Parsed p(text);
    expect_sound(p.tree);
    bool found = false;
    for (NodeIndex i = 0; i < p.tree.nodes().size(); ++i) {
      found = found || (p.tree[i].kind == Kind::kAttribute && p.tree.text(i) == "torch.zeros");
    }
    EXPECT_TRUE(found) << text;
  }
}

TEST(Tree, DeepNestingIsSafe) {
  for (const std::size_t depth : {100u, 100000u}) {
    expect_sound(Parsed("x = " + std::string(depth, '(') + "1" + std::string(depth, ')')).tree);
    expect_sound(Parsed("x = " + std::string(depth, '[')).tree);
    std::string chain = "x = a";
    for (std::size_t i = 0; i < depth; ++i) chain += ".b()";
    expect_sound(Parsed(chain).tree);
  }
  std::string blocks;
  for (std::size_t i = 0; i < 2000; ++i) blocks += std::string(i, ' ') + "if x:\n";
  expect_sound(Parsed(blocks + std::string(2000, ' ') + "y\n").tree);
}

TEST(Tree, TakesAnyBytes) {
  std::mt19937 random(11);
  const std::string_view pieces[] = {"def ",   "f'{", "}'", "(",    ")",        ":",      "\n",
                                     "    ",   "\t",  "\\", "\xFF", "\xE4\xBD", "\"\"\"", "import ",
                                     "lambda", "**",  "@",  "\r",   ",",        "0x"};
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    for (std::size_t i = random() % 60; i > 0; --i) {
      bytes += random() % 3 != 0 ? std::string(pieces[random() % std::size(pieces)])
                                 : std::string(1, static_cast<char>(1 + random() % 255));
    }
    if (const auto source = Source::make("a.py", bytes)) {
      EXPECT_EQ(source->text().size(), bytes.size());
      expect_sound(Tree::parse_python(*source));
    }
  }
}

}  // namespace
}  // namespace godwit::syntax
