// Collects the edits and findings of the rules.
#include "port/changes.h"

#include "base/text.h"

namespace godwit::port {

std::string_view to_string(Proof proof) {
  switch (proof) {
    case Proof::kImport: return "import";
    case Proof::kType: return "type";
    case Proof::kClosedWorld: return "closed_world";
    case Proof::kPosition: return "position";
    case Proof::kFlow: return "flow";
    case Proof::kTest: return "test";
    case Proof::kTable: return "table";
    case Proof::kNeeded: break;
  }
  return "needed";
}

void Changes::replace(Place place, std::uint32_t begin, std::uint32_t end, std::string text,
                      Proof proof) {
  changes_.push_back({.edit = {.begin = begin,
                               .end = end,
                               .text = std::move(text),
                               .rule = std::string(code_),
                               .reason = std::string(to_string(proof))},
                      .proof = proof,
                      .place = std::move(place),
                      .helper = helper_});
}

void Changes::replace(const Subject& subject, std::uint32_t begin, std::uint32_t end,
                      std::string text, Proof proof) {
  replace(subject.module().source().place(begin), begin, end, std::move(text), proof);
}

void Changes::replace(const Subject& subject, NodeIndex node, std::string text, Proof proof) {
  replace(subject, subject[node].begin, subject[node].end, std::move(text), proof);
}

void Changes::insert(const Subject& subject, std::uint32_t at, std::string text, NodeIndex reason) {
  replace(subject.module().place(reason), at, at, std::move(text), Proof::kNeeded);
}

void Changes::leave(Place place, std::string snippet, std::string_view variant, Args args) {
  left_.push_back({.code = std::string(code_),
                   .severity = take_severity(),
                   .place = std::move(place),
                   .args = std::move(args),
                   .variant = std::string(variant),
                   .snippet = std::move(snippet)});
}

void Changes::leave(const Subject& subject, NodeIndex node, std::string_view variant, Args args) {
  Place place = subject.module().place(node);
  const std::uint32_t line = subject.module().source().place(subject[node].begin).line;
  leave(std::move(place), std::string(trim(subject.module().source().line(line))), variant,
        std::move(args));
}

Changes& Changes::as(diag::Severity severity) {
  next_ = severity;
  has_next_ = true;
  return *this;
}

diag::Severity Changes::take_severity() {
  const diag::Severity taken = has_next_ ? next_ : severity_;
  has_next_ = false;
  return taken;
}

}  // namespace godwit::port
