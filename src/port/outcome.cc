// A plan as a command delivers it: findings, figures, and one line of proof per file.
#include <map>

#include "base/text.h"
#include "diag/messages.h"
#include "port/port.h"

namespace godwit::port {
namespace {

// "12 of 12 tokens": what was compared outside the edits.
std::string proof_line(const FilePlan& file) {
  if (file.is_new) return diag::text("port.proof_new");
  if (!file.is_python) return diag::text("port.proof_bytes");
  return diag::text("port.proof_tokens", {{"tokens", with_thousands(file.tokens)}});
}

diag::Section proof_section(const Plan& plan) {
  diag::Section section{.title = diag::text("port.files_title"),
                        .columns = {diag::text("port.column_file"), diag::text("port.column_edits"),
                                    diag::text("port.column_proof")}};
  for (const FilePlan& file : plan.files) {
    section.rows.push_back({file.path, std::to_string(file.changes.size()), proof_line(file)});
  }
  return section;
}

std::map<std::string, std::uint32_t> count_proofs(const Plan& plan) {
  std::map<std::string, std::uint32_t> counts;
  for (const FilePlan& file : plan.files) {
    for (const Change& change : file.changes) ++counts[std::string(to_string(change.proof))];
  }
  return counts;
}

diag::Section summary_section(const Plan& plan) {
  const Summary& s = plan.summary;
  diag::Section section{.title = diag::text("port.summary_title")};
  section.lines.push_back(
      diag::text("port.summary_line", {{"edits", with_thousands(s.edits)},
                                       {"imports", with_thousands(s.imports)},
                                       {"changed", with_thousands(s.changed_files)},
                                       {"files", with_thousands(s.files)},
                                       {"release", plan.torch_npu}}));
  section.lines.push_back(diag::text(
      "port.left_line", {{"left", with_thousands(s.left)}, {"notes", with_thousands(s.notes)}}));
  for (const auto& [proof, count] : count_proofs(plan)) {
    section.lines.push_back(diag::text(
        "port.proof_count",
        {{"count", with_thousands(count)}, {"proof", diag::text(format("port.proof.{}", proof))}}));
  }
  return section;
}

diag::Section reapplied_section(const Reapplied& r) {
  diag::Section section{.title = diag::text("port.reapplied_title")};
  section.lines.push_back(
      diag::text("port.reapplied_line", {{"kept", with_thousands(r.kept)},
                                         {"added", with_thousands(r.added)},
                                         {"gone", with_thousands(r.gone)},
                                         {"hand", with_thousands(r.hand)},
                                         {"conflicts", with_thousands(r.conflicts)}}));
  return section;
}

Json reapplied_json(const Reapplied& r) {
  Json json = Json::object();
  json.set("kept", r.kept);
  json.set("added", r.added);
  json.set("gone", r.gone);
  json.set("hand", r.hand);
  json.set("conflicts", r.conflicts);
  return json;
}

Json edits_json(const FilePlan& file) {
  Json edits = Json::array();
  for (const Change& change : file.changes) {
    Json one = Json::object();
    one.set("code", change.edit.rule);
    one.set("line", change.place.line);
    one.set("column", change.place.column);
    one.set("begin", change.edit.begin);  // bytes of the file as it was
    one.set("end", change.edit.end);
    one.set("old", file.before.substr(change.edit.begin, change.edit.end - change.edit.begin));
    one.set("new", change.edit.text);
    one.set("proof", to_string(change.proof));
    edits.add(std::move(one));
  }
  return edits;
}

Json programs_json(const Plan& plan) {
  Json programs = Json::array();
  for (const Program& program : plan.programs) {
    Json words = Json::array();
    for (const std::string& word : program.words) words.add(word);
    programs.add(Json::object()
                     .set("path", program.path)
                     .set("folder", program.folder)
                     .set("words", std::move(words)));
  }
  return programs;
}

Json summary_json(const Plan& plan) {
  Json summary = Json::object();
  summary.set("torch_npu", plan.torch_npu);
  summary.set("mode", plan.summary.trains ? "training" : "inference");
  summary.set("files", plan.summary.files);
  summary.set("lines", plan.summary.lines);
  summary.set("changed_files", plan.summary.changed_files);
  summary.set("edits", plan.summary.edits);
  summary.set("imports", plan.summary.imports);
  summary.set("left", plan.summary.left);
  summary.set("notes", plan.summary.notes);
  Json proofs = Json::object();
  for (const auto& [proof, count] : count_proofs(plan)) proofs.set(proof, count);
  summary.set("proofs", std::move(proofs));
  Json files = Json::array();
  for (const FilePlan& file : plan.files) {
    Json one = Json::object();
    one.set("path", file.path);
    one.set("before_sha256", file.before_sha256);
    one.set("after_sha256", file.after_sha256);
    one.set("tokens_equal", file.tokens);
    one.set("edits", edits_json(file));
    files.add(std::move(one));
  }
  summary.set("changed", std::move(files));
  if (plan.reapplied.is_done) summary.set("reapplied", reapplied_json(plan.reapplied));
  if (!plan.programs.empty()) summary.set("programs", programs_json(plan));
  return summary;
}

}  // namespace

diag::Outcome outcome(const Plan& plan) {
  diag::Outcome made{.command = "port", .findings = plan.findings, .summary = summary_json(plan)};
  if (!plan.files.empty()) made.sections.push_back(proof_section(plan));
  made.sections.push_back(summary_section(plan));
  if (plan.reapplied.is_done) made.sections.push_back(reapplied_section(plan.reapplied));
  return made;
}

}  // namespace godwit::port
