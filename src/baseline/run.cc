// Reads steps.jsonl line by line; what a killed script left half written is no error.
#include "baseline/run.h"

#include <map>

#include "base/file.h"
#include "base/text.h"

namespace godwit::baseline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "godwit-baseline";
constexpr std::int64_t kVersion = 1;

Result<fs::path> find_file(const fs::path& path) {
  std::error_code code;
  for (const fs::path& place : {path / "rank0" / "steps.jsonl", path / "steps.jsonl", path}) {
    if (fs::is_regular_file(place, code)) return place;
  }
  if (!fs::exists(path, code))
    return fail("E001", {.file = show_path(path)}, {{"path", show_path(path)}});
  return fail("E260", {.file = show_path(path)}, {{"path", show_path(path)}});
}

Status read_header(const Json& line, const std::string& name, Run& run) {
  const std::int64_t version = line["version"].integer();
  if (line["format"].string() != kFormat || version < 1 || version > kVersion) {
    return fail("E261", {.file = name, .line = 1},
                {{"format", to_valid_utf8(line["format"].string("-").substr(0, 80))},
                 {"version", std::to_string(version)},
                 {"newest", std::to_string(kVersion)}});
  }
  run.header = line;
  return {};
}

void add_line(Json line, Run& run) {
  if (line["step"].is_number()) {
    run.steps.push_back(std::move(line));
  } else if (line["model"].is_object()) {
    run.model = line["model"];
    run.seeds = line["seeds"];
    run.precision = line["precision"];
  } else if (line["optimizer"].is_object()) {
    run.optimizers.push_back(line["optimizer"]);
  } else if (line["end"].boolean()) {
    run.is_finished = true;
  }
}

}  // namespace

Result<Run> read_run(const fs::path& path) {
  ASSIGN(const fs::path file, find_file(path));
  ASSIGN(const std::string text, read_file(file));
  const std::string name = show_path(file);
  Run run{.name = show_path(path)};
  std::uint32_t number = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;  // cut off
    ++number;
    const auto line = parse_json(rest.substr(0, end), name);
    rest.remove_prefix(end + 1);
    if (!line || !line->is_object()) return fail("E262", {.file = name, .line = number});
    if (number == 1) {
      TRY(read_header(*line, name, run));
    } else {
      add_line(*line, run);
    }
  }
  if (number == 0) return fail("E260", {.file = name}, {{"path", show_path(path)}});
  return run;
}

Result<std::vector<Run>> read_ranks(const fs::path& path) {
  constexpr std::string_view kPrefix = "rank";
  std::map<std::int64_t, fs::path> folders;
  std::error_code code;
  for (fs::directory_iterator at(path, code), end; !code && at != end; at.increment(code)) {
    std::error_code ignored;
    const std::string name = at->path().filename().string();
    if (!name.starts_with(kPrefix) || !fs::is_regular_file(at->path() / "steps.jsonl", ignored))
      continue;
    if (const auto number = parse_integer(std::string_view(name).substr(kPrefix.size())))
      folders[*number] = at->path();
  }
  if (folders.empty()) folders[0] = path;  // the folder of a rank
  std::vector<Run> runs;
  for (const auto& [number, folder] : folders) {
    ASSIGN(Run run, read_run(folder));
    if (runs.empty()) run.name = show_path(path);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::int64_t rank(const Run& run) { return run.header["rank"].integer(0); }

std::int64_t ranks(const Run& run) { return run.header["ranks"].integer(1); }

}  // namespace godwit::baseline
