// Writes and replays the journal. A run keeps, per edit, the place in the new file and the old
// text, and per file the lines that name the NPU now.
#include "port/journal.h"

#include <algorithm>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "port/rewrite.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

// JSON holds text only; names and texts in other encodings are kept as a list of their bytes.
Json to_json(std::string_view bytes) {
  if (first_invalid_utf8(bytes) == std::string_view::npos) return Json(bytes);
  Json list = Json::array();
  for (const char byte : bytes) list.add(int{static_cast<unsigned char>(byte)});
  return list;
}

std::string to_bytes(const Json& json) {
  if (!json.is_array()) return std::string(json.string());
  std::string bytes;
  for (const Json& byte : json.items()) bytes += static_cast<char>(byte.integer());
  return bytes;
}

// The lines with edits, where they name the NPU. What a person changes in one makes it theirs.
Json lines_of(const FilePlan& file) {
  Json lines = Json::array();
  const Result<syntax::Source> after = syntax::Source::make(file.path, file.after);
  if (!after) return lines;
  std::int64_t shift = 0;
  std::uint32_t done = 0;
  for (const Change& change : file.changes) {
    const auto begin = static_cast<std::uint32_t>(change.edit.begin + shift);
    const auto length = static_cast<std::uint32_t>(change.edit.text.size());
    shift += static_cast<std::int64_t>(length) - (change.edit.end - change.edit.begin);
    const std::uint32_t last = after->place(begin + std::max(length, 1U) - 1).line;
    for (std::uint32_t n = std::max(done + 1, after->place(begin).line); n <= last; ++n) {
      const std::string line = after->line(n);
      if (contains(to_lower(line), "npu")) lines.add(trim(line));
      done = n;
    }
  }
  return lines;
}

Json edits_of(const FilePlan& file) {
  Json edits = Json::array();
  std::int64_t shift = 0;
  for (const Change& change : file.changes) {
    const syntax::Edit& edit = change.edit;
    const std::string old = file.before.substr(edit.begin, edit.end - edit.begin);
    Json one = Json::object();
    one.set("at", edit.begin + shift);
    one.set("length", edit.text.size());
    one.set("old", to_json(old));
    one.set("rule", edit.rule);
    edits.add(std::move(one));
    shift += static_cast<std::int64_t>(edit.text.size()) - static_cast<std::int64_t>(old.size());
  }
  return edits;
}

Result<Json> read_journal(const fs::path& root) {
  std::error_code code;
  if (!fs::exists(journal_path(root), code)) return Json::object();
  ASSIGN(const std::string text, read_file(journal_path(root)));
  return parse_json(text, show_path(journal_path(root)));
}

// The file before the run, or nothing when the record does not fit the text.
std::string restore(const std::string& after, const Json& edits) {
  std::string before;
  std::size_t done = 0;
  for (const Json& edit : edits.items()) {
    const auto at = static_cast<std::size_t>(edit["at"].integer());
    if (at < done || at > after.size()) return {};
    before.append(after, done, at - done);
    before.append(to_bytes(edit["old"]));
    done = std::min(after.size(), at + static_cast<std::size_t>(edit["length"].integer()));
  }
  return before.append(after, done);
}

struct Restored {
  fs::path path;
  std::string now, before;
  bool is_new = false;  // there was no such file
};

// A file that a run added is taken away, unless a person changed it since.
Status restore_new(const fs::path& path, const Json& file, std::vector<Restored>& all,
                   std::vector<std::string>& changed) {
  std::error_code code;
  if (!fs::exists(path, code)) return {};
  ASSIGN(const std::string now, read_file(path));
  if (sha256(now) == file["after"].string()) {
    all.push_back({.path = path, .now = now, .before = {}, .is_new = true});
  } else {
    changed.push_back(to_valid_utf8(to_bytes(file["path"])));
  }
  return {};
}

// Files that are as before already are left out: a run that was cut off wrote only some.
Result<std::vector<Restored>> restore_all(const fs::path& root, const Json& run) {
  std::vector<Restored> all;
  std::vector<std::string> changed;
  for (const Json& file : run["files"].items()) {
    ASSIGN(const fs::path path, inside(root, to_bytes(file["path"])));
    if (file["new"].boolean()) {
      TRY(restore_new(path, file, all, changed));
      continue;
    }
    const Result<std::string> now = read_file(path);
    const std::string hash = now ? sha256(*now) : std::string();
    if (hash == file["before"].string()) continue;
    std::string before =
        hash == file["after"].string() ? restore(*now, file["edits"]) : std::string();
    if (!now || sha256(before) != file["before"].string()) {
      changed.push_back(to_valid_utf8(to_bytes(file["path"])));
    } else {
      all.push_back({.path = path, .now = *now, .before = std::move(before)});
    }
  }
  if (!changed.empty())
    return fail("E115", {.file = changed.front()}, {{"files", join(changed, ", ")}});
  return all;
}

}  // namespace

fs::path journal_path(const fs::path& root) { return root / ".godwit" / "port.json"; }

// The record lies in the project itself, never behind a link.
Status check_place(const fs::path& root) {
  std::error_code code;
  const bool linked = fs::is_symlink(journal_path(root).parent_path(), code) ||
                      fs::is_symlink(journal_path(root), code);
  if (!linked) return {};
  return fail("E006", {.file = show_path(journal_path(root))},
              {{"path", ".godwit"}, {"folder", show_path(root)}});
}

Status record(const Plan& plan, const fs::path& folder) {
  TRY(check_place(folder));
  ASSIGN(Json journal, read_journal(plan.root));
  Json files = Json::array();
  for (const FilePlan& file : plan.files) {
    Json one = Json::object();
    one.set("path", to_json(file.path));
    one.set("before", file.before_sha256);
    one.set("after", file.after_sha256);
    one.set("edits", edits_of(file));
    one.set("lines", lines_of(file));
    if (file.is_new) one.set("new", true);
    files.add(std::move(one));
  }
  Json run = Json::object();
  run.set("torch_npu", plan.torch_npu);
  run.set("files", std::move(files));
  Json runs = journal["runs"];
  runs.add(std::move(run));
  journal.set("runs", std::move(runs));
  return write_file(journal_path(folder), journal.dump(1));
}

WrittenLines written_lines(const fs::path& root) {
  WrittenLines written;
  const Result<Json> journal = read_journal(root);
  if (!journal) return written;
  for (const Json& run : (*journal)["runs"].items()) {
    for (const Json& file : run["files"].items()) {
      LineCounts& lines = written[to_bytes(file["path"])];
      for (const Json& line : file["lines"].items()) ++lines[std::string(line.string())];
    }
  }
  return written;
}

Result<std::uint32_t> undo(const fs::path& root) {
  TRY(check_place(root));
  ASSIGN(Json journal, read_journal(root));
  Json::Array runs = journal["runs"].items();
  if (runs.empty()) return fail("E114", {.file = show_path(root)}, {{"project", show_path(root)}});
  ASSIGN(const std::vector<Restored> files, restore_all(root, runs.back()));
  for (const Restored& file : files) {
    std::error_code code;
    if (file.is_new) fs::remove(file.path, code);
    if (!file.is_new) TRY(rewrite(file.path, file.now, file.before));
  }
  runs.pop_back();
  journal.set("runs", Json(std::move(runs)));
  if (!journal["runs"].items().empty()) {
    TRY(write_file(journal_path(root), journal.dump(1)));
  } else {
    std::error_code code;
    fs::remove(journal_path(root), code);
    fs::remove(journal_path(root).parent_path(), code);  // only when it is empty
  }
  return static_cast<std::uint32_t>(files.size());
}

}  // namespace godwit::port
