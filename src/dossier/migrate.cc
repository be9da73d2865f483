// The driver: keys, order, and the four steps that put a stage's outputs in place.
#include "dossier/migrate.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "base/file.h"
#include "base/hash.h"
#include "base/resources.h"
#include "base/text.h"
#include "base/version.h"
#include "diag/counts.h"
#include "diag/document.h"
#include "dossier/outputs.h"
#include "dossier/place.h"
#include "dossier/source.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

class Run {
 public:
  Run(const Request& request, const Place& place, const Subject& subject)
      : request_(request), place_(place), subject_(subject) {
    dossier_.folder = place.folder();
  }

  Status open();
  Status stage(const Stage& stage);
  Result<Dossier> finish();
  bool has_results() const { return !dossier_.manifest.records.empty(); }

 private:
  Context context(const Stage& stage);
  std::string key(const Stage& stage, const Context& context) const;
  bool is_current(const Stage& stage, const std::string& key);
  Status make(const Stage& stage, const Context& context, Record& record);
  Status commit(const Stage& stage, Record record);
  Status protect_edits(const Record& before);
  const diag::Outcome* outcome(std::string_view stage);
  void tell(const Stage& stage, State state) const {
    const bool ended = state != State::kStarted && state != State::kCommitting;
    if (request_.watch) {
      request_.watch(stage, state, ended ? dossier_.manifest.find(stage.name) : nullptr);
    }
  }
  fs::path work(std::string_view name) const { return place_.own("work") / std::string(name); }

  const Request& request_;
  const Place& place_;
  const Subject& subject_;
  Dossier dossier_;
  Json read_;  // the manifest as it was found
  std::map<std::string, diag::Outcome, std::less<>> outcomes_;
};

Status Run::open() {
  std::error_code ignored;
  fs::remove_all(place_.own("work"), ignored);  // of a run that was killed
  Manifest& manifest = dossier_.manifest;
  if (fs::exists(dossier_.folder / kManifestFile, ignored)) {
    ASSIGN(manifest, read_manifest(dossier_.folder));
    if (manifest.subject != to_valid_utf8(subject_.name)) {
      return fail("E087", {.file = show_path(dossier_.folder)},
                  {{"out", show_path(dossier_.folder)},
                   {"found", manifest.subject},
                   {"path", show_path(request_.path)}});
    }
    read_ = to_document(manifest);
  }
  manifest.version = version();
  manifest.data = resources_digest();
  manifest.command = request_.command;
  manifest.options = Json::object();
  for (const auto& [name, value] : request_.options) manifest.options.set(name, value);
  manifest.subject = to_valid_utf8(subject_.name);
  manifest.kinds = subject_.kinds;
  manifest.inputs = subject_.inputs;
  return {};
}

const diag::Outcome* Run::outcome(std::string_view stage) {
  if (const auto known = outcomes_.find(stage); known != outcomes_.end()) return &known->second;
  const Record* const record = dossier_.manifest.find(stage);
  if (record == nullptr || !record->applies) return nullptr;
  auto read = read_outcome(dossier_.folder, dossier_.manifest, stage);
  if (!read) return nullptr;
  return &outcomes_.emplace(std::string(stage), *std::move(read)).first->second;
}

Context Run::context(const Stage& stage) {
  return {.subject = subject_,
          .options = request_.options,
          .manifest = dossier_.manifest,
          .folder = work(stage.name),
          .outcome = [this](std::string_view name) { return outcome(name); }};
}

std::string Run::key(const Stage& stage, const Context& context) const {
  Sha256 hash;
  const auto add = [&](std::string_view what, std::string_view value) {
    hash.add(format("{} {}\n{}\n", what, value.size(), value));
  };
  add("version", dossier_.manifest.version);
  add("data", dossier_.manifest.data);
  add("stage", format("{} {}", stage.name, stage.revision));
  add("subject", subject_.name + "\n" + join(subject_.kinds, " "));
  for (const std::string_view name : stage.options) add(name, context.option(name));
  for (const Input& input : subject_.inputs) {
    if (stage.reads == nullptr || !stage.reads(input.file)) continue;
    add(input.file.path,
        input.sha256.empty() ? format("{} {}", input.file.bytes, input.modified) : input.sha256);
  }
  for (const std::string_view earlier : stage.after) {
    for (const Record& record : dossier_.manifest.records) {
      const bool is_read = earlier == "*" ? record.stage != stage.name : record.stage == earlier;
      if (is_read) add(record.stage, record.result());
    }
  }
  if (stage.facts) add("facts", stage.facts(context));
  return hash.finish();
}

// A stage stays as it is when it was made from the same and all of it is there. Files that a person
// edited stay too: they are newer, not older, than the record.
bool Run::is_current(const Stage& stage, const std::string& key) {
  const Record* const record = dossier_.manifest.find(stage.name);
  if (record == nullptr || record->key != key) return false;
  const Presence presence = look_at(dossier_.folder, *record);
  if (!presence.all_there) return false;
  // Other stages read its outcome, so that must be what the stage wrote.
  if (record->applies && !holds_outcome(dossier_.folder, *record)) return false;
  auto& edited = dossier_.edited;
  edited.insert(edited.end(), presence.resized.begin(), presence.resized.end());
  return true;
}

Status Run::stage(const Stage& stage) {
  const Context context = this->context(stage);
  Record record{.stage = std::string(stage.name), .key = key(stage, context)};
  record.applies = stage.applies == nullptr || stage.applies(subject_);
  if (is_current(stage, record.key)) {
    dossier_.stages.emplace_back(stage.name, record.applies ? State::kKept : State::kSkipped);
    tell(stage, dossier_.stages.back().second);
    return {};
  }
  outcomes_.erase(record.stage);
  if (record.applies) TRY(make(stage, context, record));
  TRY(commit(stage, std::move(record)));
  const bool applied = dossier_.manifest.find(stage.name)->applies;
  dossier_.stages.emplace_back(stage.name, applied ? State::kRan : State::kSkipped);
  tell(stage, dossier_.stages.back().second);
  return {};
}

Status Run::make(const Stage& stage, const Context& context, Record& record) {
  tell(stage, State::kStarted);
  std::error_code code;
  fs::create_directories(context.folder, code);
  if (code) {
    return fail("E005", {.file = show_path(context.folder)},
                {{"path", show_path(context.folder)}, {"reason", code.message()}});
  }
  const auto start = std::chrono::steady_clock::now();
  ASSIGN(diag::Outcome outcome, stage.run(context));
  for (diag::Finding& finding : outcome.findings) {
    finding.place.file = subject_.relative(finding.place.file);
  }
  diag::sort(outcome.findings);
  TRY(write_file(context.folder / outcome_file(record.stage),
                 diag::to_document(outcome).dump(1) + "\n", Sync::kLater));
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (stage.command) record.command = stage.command(context);
  record.findings = diag::count(outcome.findings).kinds;
  record.figures = outcome.summary;
  record.outputs = list_outputs(context.folder);
  outcomes_.insert_or_assign(record.stage, std::move(outcome));
  return {};
}

Status Run::protect_edits(const Record& before) {
  const std::vector<std::string> edits = find_edits(dossier_.folder, before);
  if (edits.empty()) return {};
  if (request_.keep_edits) {
    ASSIGN(dossier_.moved_to, move_edits(dossier_.folder, edits));
    return {};
  }
  const std::vector<std::string> first(
      edits.begin(), edits.begin() + std::min<std::ptrdiff_t>(5, std::ssize(edits)));
  return fail("E089", {.file = show_path(dossier_.folder / edits.front())},
              {{"count", std::to_string(edits.size())},
               {"files", to_valid_utf8(join(first, ", "))},
               {"stage", before.stage}});
}

// The steps of docs/design/dossier.md, "Writing".
Status Run::commit(const Stage& stage, Record record) {
  Manifest& manifest = dossier_.manifest;
  const Record* const known = manifest.find(stage.name);
  const Record before = known ? *known : Record{.stage = record.stage};
  TRY(protect_edits(before));
  Record open = record;
  open.key.clear();
  open.outputs.insert(open.outputs.end(), before.outputs.begin(), before.outputs.end());
  manifest.put(std::move(open));
  TRY(write_manifest(manifest, dossier_.folder));
  tell(stage, State::kCommitting);
  TRY(put_in_place(work(stage.name), dossier_.folder, work("old"), before));
  manifest.put(std::move(record));
  TRY(write_manifest(manifest, dossier_.folder));
  std::error_code ignored;
  fs::remove_all(place_.own("work"), ignored);
  return {};
}

// Kept stages leave the manifest as it is, unless an input that none of them reads has changed.
Result<Dossier> Run::finish() {
  if (to_document(dossier_.manifest) != read_)
    TRY(write_manifest(dossier_.manifest, dossier_.folder));
  return std::move(dossier_);
}

std::vector<const Stage*> in_order(std::span<const Stage* const> stages) {
  std::vector<const Stage*> out(stages.begin(), stages.end());
  std::sort(out.begin(), out.end(),
            [](const Stage* a, const Stage* b) { return a->order < b->order; });
  return out;
}

Status run_all(Run& run, std::span<const Stage* const> stages) {
  TRY(run.open());
  for (const Stage* const stage : in_order(stages)) TRY(run.stage(*stage));
  return {};
}

}  // namespace

Result<Dossier> migrate(const Request& request, std::span<const Stage* const> stages) {
  const fs::path out = request.out.empty() ? default_place(request.path) : request.out;
  const fs::path seen = out / kOwnFolder / "seen.tsv";
  Digests digests(seen);
  ASSIGN(const Subject subject, open_subject(request.path, digests));
  ASSIGN(Place place, Place::claim(request.path, out));
  Run run(request, place, subject);
  const Status status = run_all(run, stages);
  std::error_code ignored;
  fs::remove_all(place.own("work"), ignored);
  if (!status) {
    if (!run.has_results()) place.abandon();
    return tl::unexpected(status.error());
  }
  TRY(digests.save(seen));
  return run.finish();
}

}  // namespace godwit::dossier
