// How much of tree-sitter's raw rate is left when a project is not only parsed but understood, and
// when it is scanned.
//
//   bench_project [FOLDER …]     default: a generated project of 200,000 lines, and the standard
//                                library of python3 when there is one
//
// Five measures, interleaved, medians of processor time on one core: parse only; with the flat
// tree; open_project; scan; port (analysis, edits and their check; 0.4 of the raw rate is asked).
// The ratio to "parse only" is what counts. Then port on all cores. Without folders also the memory
// at its peak when a project of a million lines is ported (1 GB is the limit), in a process of its
// own.
#include <sys/resource.h>
#include <sys/wait.h>
#include <tree_sitter/api.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/parallel.h"
#include "base/process.h"
#include "base/text.h"
#include "generated_project.h"
#include "port/port.h"
#include "project/project.h"
#include "scan/scan.h"
#include "syntax/parse_memory.h"
#include "syntax/python.h"

namespace godwit {
namespace {

namespace fs = std::filesystem;

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<std::string> read_sources(const fs::path& folder) {
  std::vector<std::string> texts;
  const auto listing = project::list_files(folder);
  if (!listing) return texts;
  for (const project::File& file : listing->files) {
    if (file.kind != project::FileKind::kPython) continue;
    if (auto text = read_file(folder / file.path)) texts.push_back(*std::move(text));
  }
  return texts;
}

// As a program without us would do it: with tree-sitter's own use of malloc.
void parse_only(const std::vector<std::string>& texts) {
  ts_set_allocator(nullptr, nullptr, nullptr, nullptr);
  TSParser* const parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_python());
  for (const std::string& text : texts) {
    ts_tree_delete(ts_parser_parse_string(parser, nullptr, text.data(),
                                          static_cast<std::uint32_t>(text.size())));
  }
  ts_parser_delete(parser);
  syntax::install_parse_memory();
}

std::size_t parse_flat(const std::vector<std::string>& texts) {
  std::size_t nodes = 0;
  for (const std::string& text : texts) {
    const auto source = syntax::Source::make("x.py", text);
    if (source) nodes += syntax::Tree::parse_python(*source).nodes().size();
  }
  return nodes;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

port::Options port_options_for(std::string_view chip) {
  port::Options options;
  if (auto target = facts::resolve_target(chip)) options.target = *std::move(target);
  return options;
}

void measure(const std::string& name, const fs::path& folder) {
  const std::vector<std::string> texts = read_sources(folder);
  std::size_t bytes = 0;
  std::size_t lines = 0;
  for (const std::string& text : texts) {
    bytes += text.size();
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  if (bytes == 0) return;
  ::setenv("GODWIT_THREADS", "1", 1);
  std::size_t nodes = 0;
  scan::Options options;
  const port::Options port_options = port_options_for("ascend310p");
  options.target = port_options.target;
  const std::vector<std::function<void()>> stages = {
      [&] { parse_only(texts); }, [&] { nodes = parse_flat(texts); },
      [&] { (void)project::open_project(folder); }, [&] { (void)scan::scan(folder, options); },
      [&] { (void)port::plan(folder, port_options); }};
  std::vector<std::vector<double>> seconds(stages.size());
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const double start = processor_seconds();
      stages[i]();
      seconds[i].push_back(processor_seconds() - start);
    }
  }
  ::unsetenv("GODWIT_THREADS");
  const auto start = std::chrono::steady_clock::now();
  (void)port::plan(folder, port_options);
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double raw = median(seconds[0]);
  std::printf("%s: %zu files, %zu lines, %.1f MB, %zu nodes\n", name.c_str(), texts.size(), lines,
              1e-6 * static_cast<double>(bytes), nodes);
  const char* const labels[] = {"parse only", "with flat tree", "open_project", "scan", "port"};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const double time = median(seconds[i]);
    std::printf("  %-16s %7.3f s  %6.2f MB/s  %5.1f %% of the raw rate\n", labels[i], time,
                1e-6 * static_cast<double>(bytes) / time, 100 * raw / time);
  }
  std::printf("  %-16s %7.3f s of wall clock on %zu cores, %.0f lines/s\n", "port", wall,
              thread_count(), static_cast<double>(lines) / wall);
  std::fflush(stdout);
}

// Forked before any thread is started, so that nothing else counts.
void measure_memory(const fs::path& folder, std::size_t lines) {
  const perf::GeneratedProject project(folder, lines);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto made = port::plan(folder, port_options_for("ascend310p"));
    ::_exit(made && made->summary.edits > 0 ? 0 : 1);
  }
  int status = 0;
  rusage used{};
  const bool is_done = child > 0 && ::wait4(child, &status, 0, &used) == child && status == 0;
  std::printf("port of %zu generated lines: %s, %.0f MB at its peak, %.1f s of processor time\n",
              project.lines(), is_done ? "done" : "failed",
              static_cast<double>(used.ru_maxrss) / 1024,
              static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
  std::fflush(stdout);
  fs::remove_all(folder);
}

std::string standard_library() {
  const auto found =
      run_program({"python3", "-c", "import os; print(os.path.dirname(os.__file__))"},
                  std::chrono::seconds(20));
  return found && found->exit_code == 0 ? std::string(trim(found->output)) : std::string();
}

}  // namespace
}  // namespace godwit

int main(int count, char** arguments) {
  using namespace godwit;
  if (count > 1) {
    for (int i = 1; i < count; ++i) measure(arguments[i], arguments[i]);
    return 0;
  }
  const auto folder =
      std::filesystem::temp_directory_path() / format("godwit_bench_{}", ::getpid());
  measure_memory(folder, 1'000'000);
  const perf::GeneratedProject project(folder, 200'000);
  measure("generated", folder);
  std::filesystem::remove_all(folder);
  if (const std::string library = standard_library(); !library.empty()) {
    measure("standard library", library);
  }
}
