// Changes: what the rules want of one file: edits with their proof, and what is left for a person.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/finding.h"
#include "port/subject.h"
#include "syntax/edit.h"

namespace godwit::port {

/// Why an edit cannot change what the program means. Texts: "port.proof.NAME" in ui.toml.
enum class Proof : std::uint8_t {
  kImport,       // the name is bound by an import of torch and by nothing else
  kType,         // the object is a tensor or module by assignment, annotation or constructor
  kClosedWorld,  // no class of the project has a method of that name: only torch's can be meant
  kPosition,     // the argument of a torch call that takes a device, backend or type
  kFlow,         // the value reaches such an argument, with all values that meet it
  kTest,         // chosen by a test of the device that is renamed with it
  kTable,        // the table of variables says: same meaning, same values
  kNeeded,       // another edit needs it: the import
};

std::string_view to_string(Proof proof);

/// A small module that comes with the port, because edits name it.
enum class Helper : std::uint8_t { kNone, kDevice, kAmp, kParallel };

/// One edit and how it is known to be right.
struct Change {
  syntax::Edit edit{};
  Proof proof = Proof::kImport;
  Place place{};                  // of the code it concerns
  Helper helper = Helper::kNone;  // that the new text names
};

class Changes {
 public:
  Changes(std::string_view code, diag::Severity severity, std::vector<Change>& changes,
          std::vector<diag::Finding>& left)
      : code_(code), severity_(severity), changes_(changes), left_(left) {}

  void replace(const Subject& subject, std::uint32_t begin, std::uint32_t end, std::string text,
               Proof proof);
  void replace(const Subject& subject, NodeIndex node, std::string text, Proof proof);
  void insert(const Subject& subject, std::uint32_t at, std::string text, NodeIndex reason);
  /// For files that are no Python.
  void replace(Place place, std::uint32_t begin, std::uint32_t end, std::string text, Proof proof);

  /// The edits from now on name this helper.
  Changes& with(Helper helper) {
    helper_ = helper;
    return *this;
  }

  /// Not edited: a person decides. `variant` picks the message (P014.message_lambda).
  void leave(const Subject& subject, NodeIndex node, std::string_view variant, Args args = {});
  void leave(Place place, std::string snippet, std::string_view variant, Args args = {});
  /// The severity of the next leave() only.
  Changes& as(diag::Severity severity);

  /// What the rules before have asked for.
  const std::vector<Change>& so_far() const { return changes_; }

 private:
  diag::Severity take_severity();

  std::string_view code_;
  diag::Severity severity_;
  diag::Severity next_ = diag::Severity::kNote;
  bool has_next_ = false;
  Helper helper_ = Helper::kNone;
  std::vector<Change>& changes_;
  std::vector<diag::Finding>& left_;
};

}  // namespace godwit::port
