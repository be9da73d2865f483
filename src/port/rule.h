// Rule: one rewrite from CUDA to the NPU, as data (what it wants to see) and a function (what it
// does).
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "diag/finding.h"
#include "facts/soc.h"
#include "port/changes.h"
#include "port/choices.h"
#include "port/flow.h"
#include "port/helper_places.h"
#include "port/journal.h"
#include "port/names.h"
#include "port/script.h"
#include "port/subject.h"
#include "port/switches.h"
#include "project/files.h"

namespace godwit::port {

struct Cards;
class Extensions;
class OwnDevices;

/// What a rule may ask about the whole project.
struct World {
  const project::Project& project;
  const std::vector<Subject>& subjects;
  const Names& names;
  const facts::Soc& soc;  // the chip of the target
  const Positions& positions;
  Flow& flow;
  /// CUDA variables that some place of the project sets to a value not known to fit the NPU.
  const std::set<std::string, std::less<>>& unfit_variables;

  const HelperPlaces& helpers;
  Float64 float64 = Float64::kAsk;
  Style style = Style::kNpu;
  bool is_training = false;

  /// Dotted names that some module of the project imports.
  const std::set<std::string, std::less<>>& imported;

  /// APIs of the project that work only while operators are compiled on line.
  const std::vector<std::string>& needs_compiler;

  /// Options that some program of the project declares: "--fp16".
  const std::set<std::string, std::less<>>& options;

  /// What earlier runs wrote into these files.
  const WrittenLines& written;

  /// What the project compiles for CUDA itself.
  const Extensions& extensions;

  /// The devices that the project itself chooses in one place.
  const OwnDevices& own_devices;

  /// What --cards asks for, and the programs that train.
  const Cards& cards;

  /// By module: what turns flags on when a program starts. Empty while no flag turns a kernel on.
  std::vector<std::vector<Switch>> switches{};

  /// The module imports torch, itself or through other modules of the project.
  bool uses_torch(const Subject& subject) const;
};

/// A use of an outside name, as project::Use has it.
struct UseSite {
  const Subject& subject;
  const project::Use& use;
  std::string_view name;  // qualified
};

/// A string literal that starts with one of the words of the rule.
struct StringSite {
  const Subject& subject;
  NodeIndex node;
  std::string_view content;  // of the first part
  std::uint32_t begin;       // where the content begins
  Landing landing;
};

struct Rule {
  std::string_view code;
  diag::Severity severity = diag::Severity::kWarning;  // of what it leaves
  /// Names of uses: "torch.load", "torch.cuda.*" with all below it, ".cuda" for a method of
  /// anything, known or not.
  std::vector<std::string_view> names = {};
  /// First words of string literals: "cuda" matches 'cuda' and 'cuda:0', not 'cudnn'.
  std::vector<std::string_view> strings = {};
  std::vector<project::FileKind> files = {};

  /// True when the module must stay as it is; what is said of it counts the edits not made.
  bool (*guard)(const Subject&, World&, Changes&) = nullptr;
  /// Of a guard: the module's texts of devices keep all values that they can meet elsewhere.
  bool holds_values = false;
  void (*use)(const UseSite&, World&, Changes&) = nullptr;
  void (*string)(const StringSite&, World&, Changes&) = nullptr;
  void (*module)(const Subject&, World&, Changes&) = nullptr;  // once, after all others
  void (*script)(const Script&, World&, Changes&) = nullptr;   // of `files`
};

extern const std::span<const Rule* const> kRules;

}  // namespace godwit::port
