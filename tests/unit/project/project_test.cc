// Opening projects: bad files are named and left out, hostile ones end, threads change nothing.
#include "project/project.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/file.h"
#include "base/text.h"

namespace godwit::project {
namespace {

namespace fs = std::filesystem;

class Opened : public testing::Test {
 protected:
  Opened() : folder_(fs::temp_directory_path() / ("godwit_open_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Opened() override { fs::remove_all(folder_); }

  void add(const std::string& path, const std::string& text) {
    EXPECT_TRUE(write_file(folder_ / path, text));
  }

  Project open() {
    auto project = open_project(folder_);
    EXPECT_TRUE(project);
    return *std::move(project);
  }

  static bool uses(const Module& module, std::string_view name) {
    return std::any_of(module.uses().begin(), module.uses().end(),
                       [&](const Use& use) { return module.name(use.name) == name; });
  }

  fs::path folder_;
};

TEST_F(Opened, NamesWhatCannotBeRead) {
  add("nul.py", std::string("x = 1\0", 6));
  add("wide.py", "\xFF\xFEx");
  add("klingon.py", "# coding: klingon\n");
  add("bad.ipynb", "{}");
  add("good.py", "import torch\ntorch.zeros(1)\n");
  const Project project = open();
  ASSERT_EQ(project.modules.size(), 1u);
  std::string codes;
  for (const Error& error : project.unreadable) codes += error.place.file + " " + error.code + "\n";
  EXPECT_EQ(codes, "bad.ipynb E071\nklingon.py E062\nnul.py E060\nwide.py E061\n");
}

TEST_F(Opened, ReadsAroundErrorsAndOldPython) {
  add("old.py",
      "import torch\nprint 'x', torch.zeros(1)\nexec 'a'\ntry:\n  pass\nexcept E, e:\n  "
      "torch.ones(1)\n");
  add("broken.py", "import torch\ndef f(:\n    torch.ones(1)\n\nx = torch.zeros(1)\n");
  add("crlf.py", "\xEF\xBB\xBFimport torch\r\nif True:\r\n\ttorch.zeros(1)\r\n");
  add("gbk.py",
      "# -*- coding: gbk -*-\nimport torch\ns = '\xC4\xE3\x5C'\ntorch.zeros(1) # \xBA\xC3\n");
  add("mac.py", "import torch\rtorch.zeros(1)\r");
  const Project project = open();
  ASSERT_EQ(project.modules.size(), 5u);
  for (const Module& module : project.modules) {
    EXPECT_TRUE(uses(module, "torch.zeros")) << module.file().path;
    EXPECT_EQ(module.source().text().size(), module.source().bytes().size());
  }
  EXPECT_TRUE(project.find("broken")->tree().has_error());
}

TEST_F(Opened, HostileShapesEnd) {
  std::string chain = "import torch\nx = torch";
  for (int i = 0; i < 20000; ++i) chain += ".b()";
  add("chain.py", chain + "\n");
  add("nest.py", "import torch\nx = " + std::string(50000, '(') + "torch.zeros(1)" +
                     std::string(50000, ')') + "\n");
  std::string line = "x = torch.zeros(1)\n";
  std::string many = "import torch\n";
  for (int i = 0; i < 3000; ++i) many += "if a: x = f(x)\n";
  add("rebinding.py", many + "x.cuda()\n");
  std::string circle = "while a:\n";
  for (int i = 0; i < 300; ++i)
    circle += format("  x{} = x{} + x{}\n", i, (i * 7 + 1) % 300, (i * 13 + 5) % 300);
  add("circle.py", circle);
  std::string classes;
  for (int i = 0; i < 300; ++i)
    classes += format("class C{}(C{}, C{}): pass\n", i, (i + 1) % 300, (i + 7) % 300);
  add("classes.py", classes + "C0().cuda()\n");
  std::string annotated = "def f(x: ";
  for (int i = 0; i < 20000; ++i) annotated += "A[";
  add("annotated.py", annotated + "B" + std::string(20000, ']') + "): x.cuda()\n");
  EXPECT_EQ(open().modules.size(), 6u);
}

// Names that are bound hundreds of times are searched by halving: the binding before the use
// counts.
TEST_F(Opened, TheNearestOfManyBindingsCounts) {
  std::string text = "import torch\n";
  for (int i = 0; i < 300; ++i) text += "x = 'text'\n";
  text += "x = torch.nn.Linear(1, 1)\nx.cuda()\n";
  for (int i = 0; i < 300; ++i) text += "x = [1]\n";
  text += "x = torch.ones(1)\nx.cuda()\ndef later():\n    x.cpu()\n";
  for (int i = 0; i < 300; ++i) text += "x = {}\n";
  add("a.py", text);
  const Project project = open();
  EXPECT_TRUE(uses(project.modules[0], "torch.nn.Module.cuda"));
  EXPECT_TRUE(uses(project.modules[0], "torch.Tensor.cuda"));
  EXPECT_TRUE(uses(project.modules[0], ".cpu"));
}

TEST_F(Opened, AnyMixtureOfPiecesIsTaken) {
  std::mt19937 random(3);
  const std::string_view pieces[] = {"import torch\n",
                                     "from .x import *\n",
                                     "class A(B):\n",
                                     "    def f(self, x=1):\n",
                                     "        self.x = ",
                                     "x",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     ".cuda()",
                                     "=",
                                     "for i in ",
                                     ":\n",
                                     "    ",
                                     "\n",
                                     "lambda x: ",
                                     "global x\n",
                                     "with a as b:\n",
                                     "f'{",
                                     "}'",
                                     "@x\n",
                                     "x, y = ",
                                     "*",
                                     "**",
                                     "if x:\n",
                                     "else:\n",
                                     "return ",
                                     "yield x\n",
                                     "case x:\n",
                                     "match x:\n",
                                     "async ",
                                     "await ",
                                     "try:\n",
                                     "except E as e:\n",
                                     "\xFF",
                                     "x += 1\n",
                                     "super()"};
  for (int round = 0; round < 40; ++round) {
    for (int file = 0; file < 4; ++file) {
      std::string text;
      for (std::size_t i = random() % 120; i > 0; --i) text += pieces[random() % std::size(pieces)];
      add(format("m{}.py", file), text);
    }
    EXPECT_EQ(open().modules.size(), 4u);
  }
}

TEST_F(Opened, SeedsOfTheFuzzerAreTaken) {
  std::size_t count = 0;
  for (const auto& seed :
       fs::directory_iterator(fs::path(GODWIT_ROOT) / "tests/fuzz/corpus/python")) {
    add("a.py", replace_all(read_file(seed.path()).value(), std::string_view("\0", 1), "\n"));
    const Project project = open();
    for (const Module& module : project.modules) {
      for (syntax::NodeIndex node = 0; node < module.tree().nodes().size(); ++node)
        (void)module.type_of(node);
    }
    ++count;
  }
  EXPECT_GE(count, 5u);
}

TEST_F(Opened, ThreadsDoNotChangeTheResult) {
  for (int i = 0; i < 30; ++i) {
    add(format("m{}.py", i),
        format("import torch\nfrom m{0} import f as g\ndef f(x):\n    return g(x)\n"
               "f(torch.zeros(1)).cuda()\n",
               (i + 1) % 30));
  }
  const auto listed = [&] {
    std::string text;
    const Project project = open();
    for (const Module& module : project.modules) {
      for (const Use& use : module.uses())
        text += format("{} {}\n", module.name(use.name), use.node);
    }
    return text;
  };
  ::setenv("GODWIT_THREADS", "1", 1);
  const std::string alone = listed();
  ::setenv("GODWIT_THREADS", "7", 1);
  EXPECT_EQ(listed(), alone);
  ::unsetenv("GODWIT_THREADS");
}

TEST_F(Opened, NoPythonAtAllIsAProjectToo) {
  add("README.md", "x");
  EXPECT_TRUE(open().modules.empty());
  EXPECT_EQ(open_project(folder_ / "missing").error().code, "E065");
}

TEST_F(Opened, NotebookFindingsHaveCellAndLine) {
  add("a.ipynb", R"({"cells": [{"cell_type": "code", "source": ["import torch\n"]},
    {"cell_type": "code", "source": ["x = 1\n", "torch.zeros(x)\n"]}]})");
  const Project project = open();
  ASSERT_EQ(project.modules.size(), 1u);
  const Module& module = project.modules[0];
  ASSERT_EQ(module.uses().size(), 1u);
  const Use& use = module.uses()[0];
  const std::uint32_t offset = module.tree()[use.node].begin;
  EXPECT_EQ(module.cell(offset), 1);
  EXPECT_EQ(module.line_in_cell(offset), 2u);
  const auto json = read_file(folder_ / "a.ipynb").value();
  EXPECT_EQ(json.substr(static_cast<std::size_t>(module.place(use.node).byte), 11), "torch.zeros");
}

TEST_F(Opened, AnswersAboutCallsAndStrings) {
  add("a.py",
      "#!/usr/bin/env python\n'''doc'''\nimport torch\n"
      "torch.load('a.pt', map_location=f'{x}', *y)\nu = r'raw'\n");
  const Project project = open();
  const Module& module = project.modules[0];
  EXPECT_TRUE(module.is_entry_script());
  const Use& use = module.uses()[0];
  EXPECT_EQ(module.arguments(use.call).size(), 3u);
  EXPECT_EQ(module.literal(module.argument(use.call, "f", 0)), "a.pt");
  EXPECT_FALSE(module.literal(module.argument(use.call, "map_location")));
  EXPECT_EQ(module.argument(use.call, "missing", 4), syntax::kNoNode);
  EXPECT_EQ(module.resolve(use.node), "torch.load");
  int docs = 0;
  for (syntax::NodeIndex i = 0; i < module.tree().nodes().size(); ++i)
    docs += module.is_docstring(i) ? 1 : 0;
  EXPECT_EQ(docs, 1);
}

}  // namespace
}  // namespace godwit::project
