// base: text, tables, JSON, TOML, hashes, files, programs, threads.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/new_folder.h"
#include "base/pages.h"
#include "base/parallel.h"
#include "base/process.h"
#include "base/table.h"
#include "base/text.h"
#include "base/unfinished.h"

namespace godwit {
namespace {
namespace fs = std::filesystem;

class Scratch : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "godwitXXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path folder;
};

// A page that must not be read follows the text, so work beyond what is shown ends the test.
TEST(Text, ShortensWithoutLookingAtTheRest) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const two =
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(two, MAP_FAILED);
  std::memset(two, 'x', page);
  ASSERT_EQ(::mprotect(static_cast<char*>(two) + page, page, PROT_NONE), 0);
  const std::string_view whole(static_cast<const char*>(two), 2 * page);
  EXPECT_EQ(shorten(whole, 10), "xxxxxxxxx…");
  ::munmap(two, 2 * page);
  EXPECT_EQ(shorten("0123456789", 10), "0123456789");
  EXPECT_EQ(shorten("中文字", 5), "中文…");
  EXPECT_EQ(shorten("中文字", 6), "中文字");
}

TEST(Text, SplitsAndJoins) {
  EXPECT_EQ(split("a||b", '|'), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split_list(" a || b ", '|'), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_TRUE(split_list("", '|').empty());
  EXPECT_EQ(replace_all("aXbXX", "X", "--"), "a--b----");
}

TEST(Text, NumbersAreWholeOrNothing) {
  EXPECT_EQ(parse_integer("-42"), -42);
  for (const char* bad : {"", " 1", "1 ", "0x1", "1.0", "99999999999999999999"}) {
    EXPECT_FALSE(parse_integer(bad)) << bad;
  }
  EXPECT_DOUBLE_EQ(*parse_number("-1.5e2"), -150);
  for (const char* bad : {"", "-", "1.2.3", "1e", "nan", "1e999"})
    EXPECT_FALSE(parse_number(bad)) << bad;
}

TEST(Text, Utf8IsCheckedByTheStandard) {
  EXPECT_EQ(first_invalid_utf8("算子 ok"), std::string_view::npos);
  for (const char* bad : {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE4\xB8"}) {
    EXPECT_EQ(first_invalid_utf8(bad), 0u);
  }
  EXPECT_EQ(to_valid_utf8("a\xFF"
                          "b"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Text, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("算子a"), 5u);
  EXPECT_EQ(pad("算", 4), "算  ");
  EXPECT_EQ(shorten("算子融合", 5), "算子…");
  EXPECT_EQ(wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("算子融合规则", 6), (std::vector<std::string>{"算子融", "合规则"}));
  for (const std::string& line : wrap(std::string(300, 'x'), 40))
    EXPECT_LE(display_width(line), 40u);
}

TEST(Text, FillLeavesUnknownPlaces) {
  const Args args = {{"a", "1"}, {"b", "{a}"}};
  EXPECT_EQ(fill("{a} {b} {c} {{a}} {", args), "1 {a} {c} {a} {");
}

TEST(Text, NearestOffersWhatWasMeant) {
  const std::vector<std::string> names = {"ascend310p", "ascend910b", "Ascend310P3"};
  EXPECT_EQ(nearest("asend310p", names).front(), "ascend310p");
  EXPECT_TRUE(nearest("qqqqqqqqqqqq", names).empty());
}

TEST(Hash, Sha256OfThePublishedExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  Sha256 pieces;
  for (const char c : std::string("abc")) pieces.add({&c, 1});
  EXPECT_EQ(pieces.finish(), sha256("abc"));
}

TEST(TableText, FindsRowsByKey) {
  const auto table = Table::parse("t", "# note\nop\tsoc\nAdd\ta\nMul\tb\nAdd\tc\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows(), 3u);
  const auto rows = table->find(table->column("op"), "Add");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(table->at(rows[1], table->column("soc")), "c");
  EXPECT_TRUE(table->find(0, "Div").empty());
}

TEST(TableText, SaysWhichRowIsBroken) {
  const auto table = Table::parse("t", "a\tb\n1\t2\n3\n");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, "E011");
  EXPECT_EQ(table.error().place.line, 3u);
  EXPECT_EQ(Table::parse("t", "").error().code, "E010");
}

TEST(JsonText, RoundTrips) {
  const std::string text = R"({"a": [1, -2.5, true, null, "x\n\"\\算"], "b": {}})";
  const auto value = parse_json(text, "t");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->dump(), text);
  EXPECT_EQ(parse_json(value->dump(2), "t")->dump(), text);
  EXPECT_EQ((*value)["a"].items()[1].number(), -2.5);
  EXPECT_TRUE((*value)["none"]["deeper"].is_null());
}

TEST(JsonText, RefusesBadInput) {
  for (const char* bad : {"", "{", "[1,]", "nul", "\"\xFF\"", "{\"a\" 1}", "1 2"}) {
    const auto value = parse_json(bad, "t");
    ASSERT_FALSE(value) << bad;
    EXPECT_EQ(value.error().code, "E012");
  }
  EXPECT_FALSE(parse_json(std::string(100000, '['), "t"));
}

TEST(TomlText, BecomesJson) {
  const auto value = parse_toml("a = 1\n[t]\nlist = [\"x\", 2.5, true]\n", "t");
  ASSERT_TRUE(value);
  EXPECT_EQ((*value)["t"]["list"].items()[1].number(), 2.5);
  for (const std::string_view text : {"[.]", "[=]", "[[ .", "[#", "[", "a={b="}) {
    EXPECT_FALSE(parse_toml(text, "t")) << text;
  }
  const auto bad = parse_toml("a = 1\nb = = 2\n", "t");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().place.line, 2u);
}

TEST_F(Scratch, WritesWholeFilesOnly) {
  ASSERT_TRUE(write_file(folder / "a" / "b.txt", "one"));
  ASSERT_TRUE(write_file(folder / "a" / "b.txt", "two"));
  EXPECT_EQ(*read_file(folder / "a" / "b.txt"), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a"), {}), 1);
  EXPECT_EQ(write_file(folder / "a" / "b.txt" / "c", "x").error().code, "E005");
}

TEST_F(Scratch, ClearsWhatAKilledRunLeft) {
  const auto put = [&](const char* name, std::chrono::hours age) {
    std::ofstream(folder / name) << "half";
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() - age);
  };
  put(".godwit-aB3xY9", std::chrono::hours(2));
  put(".godwit-young1", std::chrono::hours(0));
  put(".godwit-aB3xY9z", std::chrono::hours(2));  // not a name of ours
  ASSERT_TRUE(write_file(folder / "a.txt", "whole"));
  EXPECT_FALSE(fs::exists(folder / ".godwit-aB3xY9"));
  EXPECT_TRUE(fs::exists(folder / ".godwit-young1"));
  EXPECT_TRUE(fs::exists(folder / ".godwit-aB3xY9z"));
}

TEST_F(Scratch, WritesUnderAnyNameAndKeepsLinks) {
  const fs::path longest = folder / std::string(255, 'x');
  ASSERT_TRUE(write_file(longest, "long"));
  EXPECT_EQ(*read_file(longest), "long");
  fs::create_symlink("target", folder / "link");
  ASSERT_TRUE(write_file(folder / "target", "old"));
  ASSERT_TRUE(write_file(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(*read_file(folder / "target"), "new");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(write_file(folder / "pipe", "x"));  // nobody reads: refused, not replaced
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

TEST_F(Scratch, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(read_file(folder / "none").error().code, "E001");
  EXPECT_EQ(read_file(folder).error().code, "E003");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(folder / "pipe").error().code, "E003");
  EXPECT_EQ(read_start(folder / "pipe", 4), "");
  ASSERT_TRUE(write_file(folder / "big", "12345"));
  EXPECT_EQ(read_start(folder / "big", 4), "1234");
  EXPECT_EQ(read_file(folder / "big", 4).error().code, "E004");
  const auto mapped = MappedFile::open(folder / "big");
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->bytes(), "12345");
}

// Of a file the pages come back when they are read; other memory must not be touched at all.
TEST_F(Scratch, PagesOfFilesAreGivenBack) {
  const std::string content(100'000, 'x');
  ASSERT_TRUE(write_file(folder / "big", content));
  const auto mapped = MappedFile::open(folder / "big");
  ASSERT_TRUE(mapped);
  give_back(mapped->bytes().data(), mapped->bytes().size());
  EXPECT_EQ(mapped->bytes(), content);
  std::string own(100'000, 'y');
  give_back(own.data(), own.size());
  EXPECT_EQ(own, std::string(100'000, 'y'));
  give_back_mapped();
  EXPECT_EQ(mapped->bytes(), content);
}

TEST(Pages, AreZerosThatSuitEveryVector) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{70'000}, std::size_t{5} << 20}) {
    auto* const pages = static_cast<unsigned char*>(take_pages(bytes));
    ASSERT_NE(pages, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages) % 64, 0u);
    EXPECT_EQ(std::count(pages, pages + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
    std::fill(pages, pages + bytes, 7);
    return_pages(pages, bytes);
  }
  EXPECT_EQ(take_pages(~std::size_t{0} / 4), nullptr);
}

TEST_F(Scratch, PathsStayInside) {
  ASSERT_TRUE(write_file(folder / "in" / "w.bin", "x"));
  ASSERT_TRUE(write_file(folder / "out.bin", "x"));
  fs::create_symlink(folder / "out.bin", folder / "in" / "link");
  EXPECT_TRUE(inside(folder / "in", "w.bin"));
  EXPECT_TRUE(inside(folder / "in", "sub/../w.bin").error().code == "E006");
  for (const char* bad : {"../out.bin", "/etc/passwd", "link", ""}) {
    EXPECT_FALSE(inside(folder / "in", bad)) << bad;
  }
}

TEST(Programs, AreStoppedAtTheirLimit) {
  const auto fine =
      run_program({"sh", "-c", "echo out; echo err >&2; exit 3"}, std::chrono::seconds(5));
  ASSERT_TRUE(fine);
  EXPECT_EQ(fine->exit_code, 3);
  EXPECT_EQ(fine->output, "out\nerr\n");
  EXPECT_EQ(run_program({"no-such-program-here"}, std::chrono::seconds(5)).error().code, "E014");
  const auto slow =
      run_program({"sh", "-c", "sleep 60 & sleep 60"}, std::chrono::milliseconds(100));
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().code, "E015");
}

TEST(Threads, DoEachItemOnce) {
  std::vector<std::atomic<int>> seen(1000);
  parallel_for(seen.size(), [&](std::size_t i, std::size_t) { seen[i]++; });
  for (const auto& count : seen) EXPECT_EQ(count, 1);
  parallel_for(0, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(Threads, AreKeptBetweenLoopsAndNestAndMayBeCalledFromSeveralThreads) {
  std::atomic<std::size_t> total{0};
  const auto add = [&] {
    for (int loop = 0; loop < 5000; ++loop) {
      parallel_for(4, [&](std::size_t, std::size_t worker) {
        EXPECT_LT(worker, 4u);
        parallel_for(3, [&](std::size_t, std::size_t inner) { total += inner == 0 ? 1 : 1000; });
      });
    }
  };
  ASSERT_EQ(::setenv("GODWIT_THREADS", "3", 1), 0);
  std::thread other(add);
  add();
  other.join();
  ASSERT_EQ(::unsetenv("GODWIT_THREADS"), 0);
  EXPECT_EQ(total, 2u * 5000 * 4 * 3);
}

class UnfinishedIn : public testing::Test {
 protected:
  void SetUp() override {
    static int number = 0;  // a folder is looked through once per program
    folder_ = fs::temp_directory_path() /
              ("godwit_unfinished_" + std::to_string(::getpid()) + "_" + std::to_string(++number));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t count(const fs::path& folder) const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  static std::string text(const fs::path& path) {
    const auto content = read_file(path);
    return content ? *content : content.error().code;
  }
  // As if it had been left long ago, by the clock of this machine or of one that runs ahead.
  static void make_old(const fs::path& path, long seconds) {
    const timeval then{.tv_sec = ::time(nullptr) - seconds, .tv_usec = 0};
    const timeval both[2] = {then, then};
    ASSERT_EQ(::utimes(path.c_str(), both), 0);
  }

  fs::path folder_;
};

TEST_F(UnfinishedIn, GoesWithItsOwner) {
  {
    Unfinished file, tree;
    ASSERT_TRUE(file.make_file(folder_));
    ASSERT_TRUE(tree.make_folder(folder_));
    ASSERT_TRUE(write_file(fs::path(tree.path()) / "a/b/c", "x"));
    EXPECT_EQ(count(folder_), 2u);
    Unfinished moved(std::move(file));
    EXPECT_EQ(count(folder_), 2u);
  }
  EXPECT_EQ(count(folder_), 0u);
  Unfinished done;
  ASSERT_TRUE(done.make_file(folder_));
  ASSERT_TRUE(done.rename_to(folder_ / "named"));
  done.drop();
  EXPECT_EQ(count(folder_), 1u);
}

TEST_F(UnfinishedIn, ASignalRemovesAllOfIt) {
  const pid_t child = ::fork();
  if (child == 0) {
    Unfinished file, tree;
    bool made = file.make_file(folder_) && tree.make_folder(folder_);
    for (int i = 0; i < 300; ++i) {
      const fs::path at = fs::path(tree.path()) / std::string(1 + i % 5, 'd') / std::to_string(i);
      made = made && write_file(at, "x").has_value();
    }
    std::error_code code;
    fs::create_directory_symlink(folder_ / "kept", fs::path(tree.path()) / "link", code);
    remove_unfinished();
    ::_exit(made ? 0 : 1);
  }
  ASSERT_TRUE(write_file(folder_ / "kept/file", "x"));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(count(folder_), 1u);
  EXPECT_EQ(text(folder_ / "kept/file"), "x");  // behind a link
}

TEST_F(UnfinishedIn, TheNextRunClearsWhatAKillLeft) {
  const pid_t child = ::fork();
  if (child == 0) {
    Unfinished file, tree;
    const bool made = file.make_file(folder_) && tree.make_folder(folder_);
    if (made) ::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(count(folder_), 2u);
  EXPECT_TRUE(is_empty_but_unfinished(folder_));
  long age = 60;  // once in the past, once in the future
  for (const auto& entry : fs::directory_iterator(folder_)) make_old(entry.path(), age = -age);
  Unfinished mine;
  ASSERT_TRUE(mine.make_file(folder_));
  EXPECT_EQ(count(folder_), 1u);
}

TEST_F(UnfinishedIn, TheLivingKeepTheirs) {
  Unfinished other;
  ASSERT_TRUE(other.make_file(folder_));
  make_old(other.path(), 100'000);
  const pid_t child = ::fork();
  if (child == 0) {
    Unfinished mine;
    ::_exit(mine.make_file(folder_ / ".") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(other.path()));
}

TEST_F(UnfinishedIn, FoldersAppearWhole) {
  const fs::path place = folder_ / "new/deep/out";
  {
    auto made = NewFolder::open(place);
    ASSERT_TRUE(made);
    ASSERT_TRUE(write_file(made->folder() / "a/b", "1"));
    EXPECT_FALSE(fs::exists(place));
  }
  EXPECT_EQ(count(folder_), 0u);  // nor the parents
  for (const std::string version : {"1", "2"}) {
    auto made = NewFolder::open(place);
    ASSERT_TRUE(made);
    ASSERT_TRUE(write_file(made->folder() / ("only" + version), version));
    ASSERT_TRUE(made->commit());
    EXPECT_EQ(count(place), 1u);
    EXPECT_EQ(text(place / ("only" + version)), version);
    EXPECT_EQ(count(place.parent_path()), 1u);
  }
  EXPECT_EQ(NewFolder::open(place / "only2").error().code, "E005");
}

TEST_F(UnfinishedIn, AFolderThatMustStayIsFilled) {
  ASSERT_TRUE(write_file(folder_ / "out/old/file", "old"));
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat((folder_ / "out").c_str(), &before), 0);
  const fs::path here = fs::current_path();
  fs::current_path(folder_ / "out");  // a shell stands in it
  {
    auto made = NewFolder::open(".");
    ASSERT_TRUE(made);
    ASSERT_TRUE(write_file(made->folder() / "new/file", "new"));
    EXPECT_EQ(text("old/file"), "old");
    ASSERT_TRUE(made->commit());
  }
  EXPECT_EQ(text("new/file"), "new");
  EXPECT_EQ(count("."), 1u);
  fs::current_path(here);
  ASSERT_EQ(::stat((folder_ / "out").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

}  // namespace
}  // namespace godwit
