// The driver on made-up stages: what runs again and what does not, kills at every step, hand edits,
// failures, and places that must be refused.
#include "dossier/migrate.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/text.h"
#include "dossier/outputs.h"
#include "dossier/place.h"
#include "dossier/source.h"
#include "unit/dossier/folder.h"

namespace godwit::dossier {
namespace {

namespace fs = std::filesystem;
using tests::Folder;

std::map<std::string, int> g_runs;  // how often each stage ran
bool g_fail = false;                // the stage "count" gives up

Result<diag::Outcome> copy(const Context& context) {
  ++g_runs["copy"];
  for (const Input& input : context.subject.inputs) {
    if (input.file.kind != project::FileKind::kPython) continue;
    ASSIGN(const std::string text, read_file(context.subject.locate(input)));
    TRY(write_file(context.folder / "source" / input.file.path,
                   "# " + context.option("to") + "\n" + text));
  }
  return diag::Outcome{.command = "copy"};
}

Result<diag::Outcome> count(const Context& context) {
  ++g_runs["count"];
  TRY(write_file(context.folder / "count.txt", "half"));
  if (g_fail) return fail("E040", {.file = "model.onnx"});
  diag::Outcome outcome{.command = "count"};
  outcome.findings.push_back(
      {.code = "E006", .severity = diag::Severity::kError, .place = {.file = "a.py"}});
  outcome.summary.set("copied", context.outcome("copy") != nullptr);
  return outcome;
}

Result<diag::Outcome> none(const Context&) {
  ++g_runs["none"];
  return diag::Outcome{.command = "none"};
}

Result<diag::Outcome> say(const Context& context) {
  ++g_runs["say"];
  TRY(write_file(context.folder / "say.txt", context.option("lang")));
  return diag::Outcome{.command = "say"};
}

const Stage kCopy = {
    .name = "copy",
    .order = 10,
    .options = {"to"},
    .reads = [](const project::File& f) { return f.kind == project::FileKind::kPython; },
    .run = copy};
const Stage kCount = {.name = "count", .order = 20, .after = {"copy"}, .run = count};
const Stage kNone = {.name = "none",
                     .order = 30,
                     .applies = [](const Subject& s) { return s.has("onnx"); },
                     .run = none};
const Stage kSay = {
    .name = "say", .order = 40, .options = {"lang"}, .after = {"count"}, .run = say};
// Not in their order: the driver sorts them.
const Stage* const kFour[] = {&kSay, &kCount, &kNone, &kCopy};

class Migrate : public testing::Test {
 protected:
  void SetUp() override {
    g_runs.clear();
    g_fail = false;
    folder.put("proj/a.py", "import torch\n");
    folder.put("proj/sub/b.py", "import torch.nn\n");
    folder.put("proj/data.bin", "weights");
    request.path = folder.path / "proj";
    request.out = folder.path / "out";
    request.options = {{"to", "ascend310p"}, {"lang", "en"}};
  }
  Result<Dossier> run() { return migrate(request, kFour); }
  std::string error() {
    const auto result = run();
    return result ? "none" : result.error().code;
  }
  // Every file of every record lies there as the manifest says.
  void expect_whole() const {
    const auto manifest = read_manifest(request.out);
    ASSERT_TRUE(manifest);
    for (const Record& record : manifest->records) {
      if (record.key.empty()) continue;
      EXPECT_TRUE(look_at(request.out, record).all_there) << record.stage;
      EXPECT_TRUE(find_edits(request.out, record).empty()) << record.stage;
    }
  }

  Folder folder;
  Request request;
};

TEST_F(Migrate, SecondRunDoesNothing) {
  const auto first = run();
  ASSERT_TRUE(first) << first.error().code;
  EXPECT_EQ(folder.get("out/source/sub/b.py"), "# ascend310p\nimport torch.nn\n");
  EXPECT_FALSE(folder.has("out/.godwit/work"));
  expect_whole();
  EXPECT_EQ(first->manifest.find("count")->findings[2], 1u);
  EXPECT_EQ(first->manifest.find("count")->figures["copied"], Json(true));
  EXPECT_FALSE(first->manifest.find("none")->applies);
  const auto written = fs::last_write_time(request.out / "manifest.json");
  g_runs.clear();
  const auto second = run();
  ASSERT_TRUE(second);
  EXPECT_TRUE(g_runs.empty());
  EXPECT_EQ(fs::last_write_time(request.out / "manifest.json"), written);
  EXPECT_EQ(second->stages[0].second, State::kKept);
  EXPECT_EQ(second->stages[2].second, State::kSkipped);
}

TEST_F(Migrate, OnlyWhatDependsRunsAgain) {
  ASSERT_TRUE(run());
  using Runs = std::map<std::string, int>;
  const auto after = [&](auto change) {
    g_runs.clear();
    change();
    EXPECT_TRUE(run());
    expect_whole();
    return g_runs;
  };
  EXPECT_EQ(after([&] { request.options["lang"] = "zh"; }), (Runs{{"say", 1}}));
  EXPECT_EQ(after([&] { folder.put("proj/notes.json", "{}"); }), Runs{});
  EXPECT_EQ(after([&] { folder.put("proj/a.py", "import torch as t\n"); }),
            (Runs{{"copy", 1}, {"count", 1}}));
  EXPECT_EQ(after([&] { fs::remove(folder.path / "proj/sub/b.py"); }),
            (Runs{{"copy", 1}, {"count", 1}}));
  EXPECT_FALSE(folder.has("out/source/sub/b.py"));
  EXPECT_EQ(after([&] { fs::remove(folder.path / "out/say.txt"); }), (Runs{{"say", 1}}));
  EXPECT_EQ(after([&] { fs::remove_all(folder.path / "out/.godwit"); }), Runs{});
  folder.put("proj/m.onnx", "x");  // another kind of subject is another key
  EXPECT_TRUE(run());
  EXPECT_TRUE(folder.has("out/stages/none.json"));
  fs::remove(folder.path / "proj/m.onnx");
  EXPECT_TRUE(run());
  EXPECT_FALSE(folder.has("out/stages/none.json"));
}

TEST_F(Migrate, HandEditsAreNeverLost) {
  ASSERT_TRUE(run());
  folder.put("out/source/a.py", "my own work\n");
  folder.put("out/source/new.py", "more of it\n");
  EXPECT_EQ(run()->edited, std::vector<std::string>{"source/a.py"});
  folder.put("proj/a.py", "import torch as t\n");
  EXPECT_EQ(error(), "E089");
  EXPECT_EQ(folder.get("out/source/a.py"), "my own work\n");
  EXPECT_EQ(folder.get("out/source/new.py"), "more of it\n");
  request.keep_edits = true;
  const auto kept = run();
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->moved_to.filename(), "edited-1");
  EXPECT_EQ(folder.get("out/edited-1/source/a.py"), "my own work\n");
  EXPECT_EQ(folder.get("out/edited-1/source/new.py"), "more of it\n");
  EXPECT_EQ(folder.get("out/source/a.py"), "# ascend310p\nimport torch as t\n");
  expect_whole();
}

// Runs `body` in a child process; gives the signal that ended it, or 0.
int in_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_F(Migrate, AKilledRunResumes) {
  for (int round = 0; round < 2; ++round) {  // the first fills the folder, the second replaces
    folder.put("proj/a.py", "round = " + std::to_string(round) + "\n");
    int kills = 0;
    for (int step = 0; step < 40; ++step) {
      const int ended = in_child([&] {
        int left = step;
        request.watch = [&left](const Stage&, State, const Record*) {
          if (left-- == 0) ::raise(SIGKILL);
        };
        (void)run();
      });
      if (ended == 0) break;
      ASSERT_EQ(ended, SIGKILL);
      ++kills;
      if (folder.has("out/manifest.json")) expect_whole();
    }
    EXPECT_GE(kills, 4);
    g_runs.clear();
    ASSERT_TRUE(run());
    EXPECT_TRUE(g_runs.empty()) << "the last child finished the work";
    EXPECT_EQ(folder.get("out/source/a.py"),
              "# ascend310p\nround = " + std::to_string(round) + "\n");
    expect_whole();
    EXPECT_FALSE(folder.has("out/.godwit/work"));
  }
}

TEST_F(Migrate, AFailedStageLeavesWhatWasThere) {
  g_fail = true;
  EXPECT_EQ(error(), "E040");
  EXPECT_TRUE(folder.has("out/source/a.py")) << "the stage before it is done and stays";
  EXPECT_FALSE(folder.has("out/count.txt"));
  expect_whole();
  g_fail = false;
  g_runs.clear();
  ASSERT_TRUE(run());
  EXPECT_FALSE(g_runs.contains("copy"));
  const Stage* const only[] = {&kCount};
  g_fail = true;
  request.out = folder.path / "fresh";
  EXPECT_FALSE(migrate(request, only));
  EXPECT_FALSE(folder.has("fresh")) << "nothing was done, so nothing stays";
}

TEST_F(Migrate, AFullDiskIsAnErrorAndLeavesNothingHalf) {
  ASSERT_TRUE(run());
  const std::string manifest = folder.get("out/manifest.json");
  folder.put("proj/a.py", std::string(100'000, '#'));
  EXPECT_EQ(in_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{50'000, 50'000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              if (error() != "E005") ::raise(SIGABRT);
            }),
            0);
  EXPECT_EQ(folder.get("out/manifest.json"), manifest);
  expect_whole();
  ASSERT_TRUE(run());
  expect_whole();
}

TEST_F(Migrate, RefusesPlacesWhereDataCouldBeLost) {
  const auto at = [&](const fs::path& out) {
    request.out = out;
    return error();
  };
  folder.put("other/thesis.tex", "do not lose");
  folder.put("other/manifest.json", "{\"name\": \"an extension\"}");
  folder.put("file", "x");
  fs::create_directory_symlink(folder.path / "other", folder.path / "link");
  fs::create_directory_symlink(folder.path / "nowhere", folder.path / "dangling");
  EXPECT_EQ(at(folder.path / "proj"), "E080");
  EXPECT_EQ(at(folder.path / "proj/../proj/"), "E080");
  EXPECT_EQ(at(folder.path / "proj/sub/out"), "E081");
  EXPECT_EQ(at(folder.path), "E083");
  EXPECT_EQ(at(folder.path / "other"), "E083");
  EXPECT_EQ(at(folder.path / "file"), "E084");
  EXPECT_EQ(at(folder.path / "link/"), "E085");
  EXPECT_EQ(at(folder.path / "dangling"), "E085");
  EXPECT_EQ(at("/proc/godwit"), "E086");
  EXPECT_TRUE(g_runs.empty());
  EXPECT_EQ(folder.get("other/thesis.tex"), "do not lose");
  EXPECT_FALSE(folder.has("nowhere"));
  ASSERT_EQ(at(folder.path / "out"), "none");
  {
    const auto held = Place::claim(request.path, folder.path / "out");
    ASSERT_TRUE(held);
    EXPECT_EQ(at(folder.path / "out"), "E090");
  }
  request.path = folder.path / "out/source";
  EXPECT_EQ(at(folder.path / "out"), "E082");
  request.path = folder.path / "other";
  folder.put("other/x.py", "");
  EXPECT_EQ(at(folder.path / "out"), "E087");
  request.path = folder.path / "proj";
  folder.put("out/manifest.json", "{\"tool\": \"godwit\", \"form\": 99}");
  EXPECT_EQ(at(folder.path / "out"), "E088");
  request.path = folder.path / "empty";
  fs::create_directory(request.path);
  EXPECT_EQ(at(folder.path / "new"), "E091");
  EXPECT_FALSE(folder.has("new"));
}

TEST_F(Migrate, LinksInTheDossierAreNotFollowed) {
  ASSERT_TRUE(run());
  folder.put("mine/keep.txt", "mine");
  fs::remove_all(folder.path / "out/source");
  fs::create_directory_symlink(folder.path / "mine", folder.path / "out/source");
  request.keep_edits = true;
  folder.put("proj/a.py", "x = 1\n");
  ASSERT_TRUE(run());
  EXPECT_EQ(folder.get("mine/keep.txt"), "mine");
  EXPECT_FALSE(folder.has("mine/a.py"));
  expect_whole();
  fs::remove_all(folder.path / "out/stages");
  fs::create_directory_symlink(folder.path / "mine", folder.path / "out/stages");
  EXPECT_FALSE(run());
  EXPECT_FALSE(folder.has("mine/scan.json"));
}

TEST_F(Migrate, ADamagedOutcomeIsNoOutcome) {
  ASSERT_TRUE(run());
  const std::string whole = folder.get("out/stages/count.json");
  for (const std::string& damaged :
       {whole.substr(0, whole.size() / 2), std::string("{}"), replace_all(whole, "E006", "E007"),
        std::string("{\"findings\": [1], \"summary\": {}}")}) {
    folder.put("out/stages/count.json", damaged);
    const auto source = read_source(request.out);
    ASSERT_FALSE(source) << damaged;
    EXPECT_EQ(source.error().code, "E093");
    EXPECT_EQ(error(), "E089");  // it may be a person's work, so it is not replaced unasked
  }
  fs::remove(request.out / "stages" / "count.json");
  EXPECT_EQ(read_source(request.out).error().code, "E093");
  EXPECT_EQ(error(), "none");
  EXPECT_EQ(folder.get("out/stages/count.json"), whole);
}

TEST_F(Migrate, APageDrawnAgainIsNoHandEdit) {
  ASSERT_TRUE(run());
  EXPECT_TRUE(redraw(request.out));
  EXPECT_NE(folder.get("out/report.html").find("</html>"), std::string::npos);
  EXPECT_TRUE(redraw(request.out));
  folder.put("out/report.html", "mine");
  const Status refused = redraw(request.out);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "E089");
  EXPECT_EQ(folder.get("out/report.html"), "mine");
  EXPECT_EQ(redraw(folder.path / "proj").error().code, "E092");
}

TEST(Subject, NamesItsFilesWithoutWhereItLies) {
  const Subject subject{.path = "a/proj", .name = "proj", .kinds = {}, .inputs = {}};
  EXPECT_EQ(subject.relative("a/proj/m/x.onnx"), "m/x.onnx");
  EXPECT_EQ(subject.relative("a/project/x.py"), "a/project/x.py");
  EXPECT_EQ(subject.relative("x.py"), "x.py");
  EXPECT_EQ(command_line({"godwit", "scan", "my proj", "it's"}),
            "godwit scan 'my proj' 'it'\\''s'");
}

TEST(DefaultPlace, LiesBesideTheSubject) {
  const Folder folder;
  folder.put("proj/sub/a.py", "");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path);
  EXPECT_EQ(default_place("proj"), "proj.godwit");
  EXPECT_EQ(default_place("proj/"), "proj.godwit");
  fs::current_path(folder.path / "proj/sub");
  EXPECT_EQ(default_place(".."), folder.path / "proj.godwit");
  EXPECT_EQ(default_place(folder.path / "proj"), folder.path / "proj.godwit");
  fs::current_path(before);
}

TEST(Digests, ALargeFileIsReadAgainOnlyWhenItMayHaveChanged) {
  const Folder folder;
  const std::vector<std::string> names = {"large", "small"};
  folder.put("large", std::string(Digests::kAlwaysHashedBelow + 5, 'a'));
  folder.put("small", "b");
  const auto hash = [&] {
    Digests digests(folder.path / "seen.tsv");
    const auto found = digests.of(folder.path, names);
    EXPECT_TRUE(digests.save(folder.path / "seen.tsv"));
    return std::make_pair(found, digests.hashed());
  };
  const auto [first, all] = hash();
  EXPECT_EQ(all, 2u);
  EXPECT_EQ(hash().second, 2u) << "just written: a second write could hide in the clock's grain";
  // As if the record had been made an hour later.
  std::string record = folder.get("seen.tsv");
  const std::string copy = record;
  const auto cells = split(std::string_view(copy).substr(copy.find('\n') + 1), '\t');
  ASSERT_GT(cells.size(), 6u);
  record = replace_all(record, format("\t{}\t{}", cells[5], cells[6]),
                       format("\t{}\t{}", *parse_integer(cells[5]) + 3'600'000'000'000, cells[6]));
  folder.put("seen.tsv", record);
  EXPECT_EQ(hash(), std::make_pair(first, std::size_t{1}));
  // The same size and modification time, other content.
  const auto time = fs::last_write_time(folder.path / "large");
  std::string content = folder.get("large");
  content[content.size() / 3] = 'z';
  folder.put("large", content);
  fs::last_write_time(folder.path / "large", time);
  EXPECT_NE(hash().first[0], first[0]);
  folder.put("seen.tsv", "broken");
  EXPECT_EQ(hash().second, 2u);
}

TEST(Release, IsOneForAllStages) {
  diag::Outcome doctor{.command = "doctor"};
  doctor.summary = *parse_json(R"({"plan": {"solution": {"torch_npu": "2.12.0.post9"}}})", "test");
  Options options;
  const Subject subject;
  const Manifest manifest;
  const Context context{.subject = subject,
                        .options = options,
                        .manifest = manifest,
                        .outcome = [&](std::string_view) { return &doctor; }};
  EXPECT_EQ(torch_npu_release(context), "2.12.0") << "the nearest that the tables know";
  std::vector<std::string> words;
  add_release(words, context);
  EXPECT_EQ(words, (std::vector<std::string>{"--torch-npu", "2.12.0"}));
  options.emplace("torch-npu", "2.7.1");
  EXPECT_EQ(torch_npu_release(context), "2.7.1") << "what was asked for";
}

}  // namespace
}  // namespace godwit::dossier
