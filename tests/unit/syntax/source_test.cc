// Sources of any encoding keep their bytes; the parser sees a text of the same length.
#include "syntax/source.h"

#include <gtest/gtest.h>

namespace godwit::syntax {
namespace {

Source make(std::string bytes) {
  auto source = Source::make("a.py", std::move(bytes));
  EXPECT_TRUE(source) << source.error().code;
  return *std::move(source);
}

// Columns inside a long line are counted from marks; they must be what counting from its start
// gives.
TEST(Source, CountsColumnsOfLongLines) {
  std::string text = "a = 1\n";
  for (int i = 0; i < 3000; ++i) text += i % 3 == 0 ? "é" : "xy";
  text += "\nlast = 2\n";
  const auto source = Source::make("a.py", text);
  ASSERT_TRUE(source);
  std::uint32_t column = 1;
  for (std::uint32_t at = 6; text[at] != '\n'; ++at) {
    const bool continues = (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    if (continues) continue;
    ASSERT_EQ(source->place(at).column, column++) << at;
    ASSERT_EQ(source->place(at).line, 2u);
  }
  const auto last = static_cast<std::uint32_t>(text.rfind("2"));
  EXPECT_EQ(source->place(last).column, 8u);
  EXPECT_EQ(source->line(2, 4), "éxy");
}

TEST(Source, MasksDeclaredGbkByteByByte) {
  // "模\" in GBK would end in a backslash for a byte-wise reader: 0x84 0x5C is one character.
  const std::string bytes = "# -*- coding: gbk -*-\ns = '\x84\x5C'\nt = 1\n";
  const Source source = make(bytes);
  EXPECT_EQ(source.encoding(), "gbk");
  EXPECT_EQ(source.bytes(), bytes);
  EXPECT_EQ(source.text().size(), bytes.size());
  EXPECT_EQ(source.text().find('\\'), std::string_view::npos);
  EXPECT_EQ(source.place(29).column, 7u);  // the closing quote: two bytes are one character
}

TEST(Source, GuessesWhenNothingIsDeclared) {
  EXPECT_EQ(make("x = '\xC4\xE3\xBA\xC3'\n").encoding(), "gbk");
  EXPECT_EQ(make("# caf\xE9\n").encoding(), "iso-8859-1");
  EXPECT_EQ(make("# coding: utf-8\nx = '\xC4\xE3\xBA\xC3'\n").encoding(), "gbk");
  EXPECT_EQ(make("x = '\xE4\xBD\xA0'\n").encoding(), "utf-8");
  EXPECT_EQ(make("x = '\xE4\xBD\xA0'\n").text().data()[5], '\xE4');
}

TEST(Source, ReadsTheDeclarationAsPythonDoes) {
  EXPECT_EQ(make("#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n").encoding(),
            "iso-8859-1");
  EXPECT_EQ(make("x = 1\n# coding: latin-1\n").encoding(), "utf-8");
  EXPECT_EQ(make("\r\n# coding=shift_jis\r\n").encoding(), "cp932");
  EXPECT_EQ(make("# coding=Big5\n").encoding(), "big5");
  EXPECT_EQ(Source::make("a.py", "# coding: klingon\n").error().code, "E062");
}

TEST(Source, ShowsLinesInUtf8) {
  const Source source = make("# coding: gbk\nx = '\xC4\xE3'\r\n");
  EXPECT_EQ(source.line(2), "x = '你'");
  EXPECT_EQ(source.line(9), "");
  EXPECT_EQ(make("a\nb").line_count(), 2u);
  EXPECT_EQ(make("a\nb\n").line_count(), 2u);
  EXPECT_EQ(make("").line_count(), 1u);
}

TEST(Source, RefusesWhatIsNoText) {
  EXPECT_EQ(Source::make("a.py", std::string("x\0y", 3)).error().code, "E060");
  EXPECT_EQ(Source::make("a.py", "\xFF\xFEx").error().code, "E061");
  EXPECT_EQ(Source::make("a.py", std::string("\xFE\xFF\0x", 4)).error().code, "E061");
}

TEST(Source, KnowsBomAndNewlines) {
  const Source source = make("\xEF\xBB\xBFimport torch\r\nx\r\ny\n");
  EXPECT_TRUE(source.has_bom());
  EXPECT_EQ(source.newline(), "\r\n");
  EXPECT_EQ(source.place(3).column, 1u);
  EXPECT_EQ(source.place(17).line, 2u);
  EXPECT_EQ(source.line(1), "import torch");
  // A lone carriage return ends a line for Python, so the parser sees a line feed.
  EXPECT_EQ(make("a\rb\r").text(), "a\nb\n");
  EXPECT_EQ(make("a\rb\r").line_count(), 2u);
}

}  // namespace
}  // namespace godwit::syntax
