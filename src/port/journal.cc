// Writes and replays the journal. A run keeps, per edit, the place in the new file and the old
// text, and per file the lines that name the NPU now.
#include "port/journal.h"

#include <algorithm>
#include <set>
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
    one.set("new", to_json(edit.text));
    one.set("rule", edit.rule);
    edits.add(std::move(one));
    shift += static_cast<std::int64_t>(edit.text.size()) - static_cast<std::int64_t>(old.size());
  }
  return edits;
}

// Sources that the run leaves alone: with their hashes a later run sees what a person changed.
Result<Json> hashes_of_others(const Plan& plan) {
  std::set<std::string, std::less<>> edited;
  for (const FilePlan& file : plan.files) edited.insert(file.path);
  Json others = Json::array();
  for (const project::File& file : plan.listing) {
    if (file.kind == project::FileKind::kOther || edited.contains(file.path)) continue;
    const auto text = read_file(plan.root / file.path);
    if (!text) continue;
    Json one = Json::object();
    one.set("path", to_json(file.path));
    one.set("hash", sha256(*text));
    others.add(std::move(one));
  }
  return others;
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
    if (file.is_new) one.set("new", true);
    if (!file.is_new) one.set("base", to_json(file.before));
    one.set("edits", edits_of(file));
    Json lines = Json::array();
    for (const std::string& line : file.npu_lines) lines.add(line);
    one.set("lines", std::move(lines));
    files.add(std::move(one));
  }
  ASSIGN(Json others, hashes_of_others(plan));
  Json run = Json::object();
  run.set("torch_npu", plan.torch_npu);
  run.set("files", std::move(files));
  run.set("others", std::move(others));
  Json runs = journal["runs"];
  runs.add(std::move(run));
  journal.set("runs", std::move(runs));
  return write_file(journal_path(folder), journal.dump(1));
}

namespace {

// Text after a run: the old text with the recorded edits, whose places are those in the new text.
std::string redo(const std::string& before, const Json& edits) {
  std::string after;
  std::size_t done = 0;
  for (const Json& edit : edits.items()) {
    const auto at = static_cast<std::size_t>(edit["at"].integer());
    const std::size_t keep = at < after.size() ? 0 : at - after.size();
    after.append(before, std::min(done, before.size()), keep);
    after += to_bytes(edit["new"]);
    done += keep + to_bytes(edit["old"]).size();
  }
  return after.append(before, std::min(done, before.size()));
}

void read_file_record(const Json& file, RecordedFile& into) {
  into.is_new = file["new"].boolean();
  const std::string before = to_bytes(file["base"]);
  into.steps.push_back({.before = before, .after = redo(before, file["edits"])});
  for (const Json& edit : file["edits"].items())
    into.edits.push_back(
        format("{}\n{}\n{}", edit["rule"].string(), to_bytes(edit["old"]), to_bytes(edit["new"])));
}

}  // namespace

Result<Record> read_record(const fs::path& root) {
  TRY(check_place(root));
  ASSIGN(const Json journal, read_journal(root));
  Record record;
  for (const Json& run : journal["runs"].items()) {
    for (const Json& file : run["files"].items())
      read_file_record(file, record.files[to_bytes(file["path"])]);
    for (const Json& other : run["others"].items())
      record.others[to_bytes(other["path"])] = std::string(other["hash"].string());
  }
  for (auto& [path, file] : record.files) std::sort(file.edits.begin(), file.edits.end());
  return record;
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
