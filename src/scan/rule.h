// Rules of the project scanner: what each wants to see, as data, and what it says about it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diag/finding.h"
#include "facts/soc.h"
#include "project/project.h"
#include "scan/inventory.h"

namespace godwit::scan {

struct Rule;

/// What holds for the whole scan.
struct Scene {
  const facts::Target& target;
  const project::Project& project;
  const Inventory& inventory;   // complete; judged
  bool training = false;        // backward operators count
  bool jit_turned_off = false;  // the project calls set_compile_mode(jit_compile=False)
  std::string torch_npu{};      // release whose names count

  const facts::Soc& soc() const { return target.soc; }
  /// What messages call the chip: "Ascend310P3".
  const std::string& chip() const { return target.soc.soc_version; }
};

using Findings = std::vector<diag::Finding>;

/// A place in a Python file that a rule asked for.
struct Site {
  enum class Kind : std::uint8_t { kName, kImport, kString };

  const Rule& rule;
  const Scene& scene;
  const project::Module& module;
  Kind kind = Kind::kName;
  std::string_view name;  // qualified name, imported module or string content
  syntax::NodeIndex node = syntax::kNoNode;
  const project::Use* use = nullptr;        // kName only
  const project::Import* import = nullptr;  // kImport only

  bool is_call() const;
  /// Called, a decorator, or a base class: more than the name in a test or an annotation.
  bool is_put_to_use() const;
  /// Last part of the name: "bfloat16" of ".bfloat16".
  std::string_view last_part() const;
  /// Value node of an argument of the call, by keyword or position (from 0); kNoNode when absent.
  syntax::NodeIndex argument(std::string_view keyword, int position = -1) const;
  /// Its text when it is a plain string literal.
  std::optional<std::string_view> literal(std::string_view keyword, int position = -1) const;
  /// Text of a node as it stands.
  std::string_view text(syntax::NodeIndex at) const;
  /// A finding of the rule here; severity, place, snippet and {chip} are filled in.
  diag::Finding finding(Args args = {}, std::string_view variant = {}) const;
};

/// A word of a text file (shell, YAML, JSON, TOML, Dockerfile, Makefile, requirements) that a rule
/// asked for: a run of letters, digits and `_ . -`.
struct Word {
  const Rule& rule;
  const Scene& scene;
  const project::File& file;
  std::string_view name;
  std::string_view line;     // the whole line
  std::uint32_t number = 0;  // of the line, from 1
  std::uint32_t column = 0;  // from 1
  /// What stands around it, as far as a rule needs to look on a line of a megabyte.
  std::string_view before() const {
    const std::size_t end = column - 1, begin = end > kNear ? end - kNear : 0;
    return line.substr(begin, end - begin);
  }
  std::string_view after() const { return line.substr(column - 1 + name.size(), kNear); }
  static constexpr std::size_t kNear = 256;  // bytes
  diag::Finding finding(Args args = {}, std::string_view variant = {}) const;
};

inline constexpr std::uint8_t kMoreImports = 1, kMoreStrings = 2, kMoreWords = 4;

struct Rule {
  std::string_view code;
  diag::Severity severity = diag::Severity::kWarning;  // the usual one; a finding may differ
  bool once_per_file = false;  // findings that say the same in one file become one with a count

  // Interest. Patterns: "torch.load" exact, "torch.cuda.*" prefix, "*.bfloat16" last part.
  std::vector<std::string_view> names = {};
  std::vector<std::string_view> imports = {};
  std::vector<std::string_view> strings = {};
  std::vector<std::string_view> words = {};
  std::vector<project::FileKind> files = {};  // where `words` are looked for
  std::vector<facts::Verdict> verdicts = {};
  /// Further patterns that stand in tables of facts, and where they are looked for; the texts must
  /// live as long as the program.
  std::vector<std::string_view> (*more)() = nullptr;
  std::uint8_t more_in = 0;

  /// Rules of port that answer this one, where it can be answered ("P014"): a dossier says once
  /// what became of the place.
  std::vector<std::string_view> answered_by = {};

  // What it says. Each may be absent.
  void (*visit)(const Site&, Findings&) = nullptr;  // names, imports, strings
  void (*read)(const Word&, Findings&) = nullptr;   // words
  void (*judge)(const Rule&, const Scene&, const Api&, Findings&) = nullptr;  // verdicts
  void (*finish)(const Rule&, const Scene&, Findings&) = nullptr;             // the whole project
};

extern const std::span<const Rule* const> kRules;

/// A finding of `rule` at a node of a module.
diag::Finding make_finding(const Rule& rule, const Scene& scene, const project::Module& module,
                           syntax::NodeIndex node, Args args = {}, std::string_view variant = {});
/// The same at the first place of an API, standing for all of them.
diag::Finding make_finding(const Rule& rule, const Scene& scene, const Api& api, Args args = {},
                           std::string_view variant = {});
/// One finding per place of an API.
void add_at_all_places(const Rule& rule, const Scene& scene, const Api& api, const Args& args,
                       std::string_view variant, Findings& out);

}  // namespace godwit::scan
