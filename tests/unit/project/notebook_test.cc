// Notebooks: cells become one text, and every byte knows where it stands in the JSON.
#include "project/notebook.h"

#include <gtest/gtest.h>

namespace godwit::project {
namespace {

constexpr std::string_view kNotebook = R"({
 "cells": [
  {"cell_type": "markdown", "source": ["import torch\n"], "metadata": {"cells": [1]}},
  {"source": ["%matplotlib inline\n", "x = \"caf\u00e9 \\n\"\n", "y = torch.cuda\t"], "cell_type": "code",
   "outputs": [{"source": ["no code"]}]},
  {"cell_type": "code", "source": "!pip install x\nz = !ls\nt = \"😀\"; u = 1"},
  {"cell_type": "code", "source": ["%%bash\n", "cuda --x\n"]},
  {"cell_type": "code", "source": ["%%time\n", "torch.zeros(1)\n", "torch.ones?\n"]}
 ], "nbformat": 4})";

TEST(Notebook, JoinsCodeCellsAndMasksMagics) {
  const auto notebook = read_notebook("a.ipynb", kNotebook);
  ASSERT_TRUE(notebook);
  EXPECT_EQ(notebook->text,
            "#matplotlib inline\nx = \"café \\n\"\ny = torch.cuda\t\n"
            "#pip install x\nz = 0#s\nt = \"😀\"; u = 1\n"
            "#%bash\n#uda --x\n"
            "#%time\ntorch.zeros(1)\n#orch.ones?\n");
  ASSERT_EQ(notebook->cells.size(), 4u);
  EXPECT_EQ(notebook->cells[0].number, 1u);
  EXPECT_EQ(notebook->cell(30)->number, 1u);
}

TEST(Notebook, MapsBackToTheJson) {
  const auto notebook = read_notebook("a.ipynb", kNotebook);
  ASSERT_TRUE(notebook);
  const auto same = [&](std::string_view text, std::string_view json) {
    const auto at = static_cast<std::uint32_t>(notebook->text.find(text));
    return std::string_view(kNotebook).substr(static_cast<std::size_t>(notebook->json_offset(at)),
                                              json.size());
  };
  EXPECT_EQ(same("torch.cuda", "torch.cuda"), "torch.cuda");
  EXPECT_EQ(same("é", "\\u00e9"), "\\u00e9");
  EXPECT_EQ(same("u = 1", "u = 1"), "u = 1");
  EXPECT_EQ(same("\t\n#pip", "\\t"), "\\t");
  EXPECT_EQ(notebook->json_offset(static_cast<std::uint32_t>(notebook->text.size() + 5)), -1);
}

TEST(Notebook, ReadsTheOldFormatAndRefusesOthers) {
  const auto old = read_notebook(
      "a.ipynb", R"({"worksheets": [{"cells": [{"cell_type": "code", "input": ["a\n", "b"]}]}]})");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->text, "a\nb\n");
  for (const std::string_view bad : {"", "[]", "{\"cells\": [", "{\"a\": 1}", "{\"cells\": [}",
                                     "{\"cells\": \"x", "{\"cells\": [{\"source\": \"\\u12"}) {
    const auto result = read_notebook("a.ipynb", bad);
    ASSERT_FALSE(result) << bad;
    EXPECT_EQ(result.error().code, "E071");
  }
  std::string deep = "{\"cells\": ";
  deep += std::string(200000, '[') + std::string(200000, ']') + "}";
  EXPECT_TRUE(read_notebook("a.ipynb", deep));
}

}  // namespace
}  // namespace godwit::project
