// Requirements declared in pyproject.toml, setup.py and conda environments: the tag of a CUDA build
// goes, a library for CUDA only is said, because an entry of a list is not taken out unseen.
#include "base/text.h"
#include "port/requirements.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

using project::FileKind;

bool is_end(std::string_view rest) {
  return rest.empty() || std::string_view("<>=!~;[ @").find(rest.front()) != std::string_view::npos;
}

// "flash-attn>=2.0": the whole text is one requirement of a package that the chip lacks.
std::optional<Args> lacking(std::string_view text, const World& world) {
  const std::string_view package = package_of(text);
  if (package.empty() || !is_end(text.substr(package.size()))) return std::nullopt;
  if (package.starts_with("nvidia-"))
    return Args{{"library", std::string(package)}, {"instead", "—"}};
  const auto library = library_lacking(package, world);
  if (!library) return std::nullopt;
  const std::string instead =
      library->replacements.empty() ? "—" : join(library->replacements, ", ");
  return Args{{"library", std::string(package)}, {"instead", instead}};
}

void judge(const Script& script, std::uint32_t at, std::string_view text, const World& world,
           Changes& changes) {
  const auto [begin, end] = cuda_tag(text);
  if (begin != end && !is_portable(world)) {
    const auto tag = at + static_cast<std::uint32_t>(begin);
    changes.replace(script.place(at), tag, at + static_cast<std::uint32_t>(end), "", Proof::kTable);
  }
  if (const auto args = lacking(text, world))
    changes.leave(script.place(at), script.line(at), "left", *args);
}

// Texts in quotes of a list whose key speaks of dependencies, or of a table that does.
void visit_toml(const Script& script, const World& world, Changes& changes) {
  bool is_table = false, is_list = false;
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const std::string_view text = trim(line);
    if (text.starts_with('[') && !is_list) is_table = contains(text, "dependenc");
    const std::size_t sign = line.find('=');
    const bool opens =
        !is_list && sign != std::string_view::npos && contains(line.substr(sign), "[");
    if (opens) {
      const std::string_view key = trim(line.substr(0, sign));
      is_list = is_table || contains(key, "dependenc") || key == "requires";
    }
    for (std::size_t at = opens ? sign : 0; is_list && at < line.size(); ++at) {
      if (line[at] == ']') is_list = false;
      if (line[at] != '"' && line[at] != '\'') continue;
      const std::size_t close = line.find(line[at], at + 1);
      if (close == std::string_view::npos) break;
      judge(script, offset + static_cast<std::uint32_t>(at) + 1,
            line.substr(at + 1, close - at - 1), world, changes);
      at = close;
    }
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
}

// "- flash-attn" of a conda environment.
void visit_conda(const Script& script, const World& world, Changes& changes) {
  if (!contains(script.text(), "dependencies:")) return;
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const std::string_view text = trim(line);
    if (text.starts_with("- ")) {
      const std::string_view entry = trim(text.substr(2));
      judge(script, offset + static_cast<std::uint32_t>(entry.data() - line.data()), entry, world,
            changes);
    }
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
}

void visit_script(const Script& script, World& world, Changes& changes) {
  if (script.file().kind == FileKind::kYaml) return visit_conda(script, world, changes);
  if (script.file().path.ends_with("pyproject.toml")) visit_toml(script, world, changes);
}

// setup(install_requires=[…])
void visit_use(const UseSite& site, World& world, Changes& changes) {
  if (site.use.call == kNoNode) return;
  const Subject& subject = site.subject;
  for (const std::string_view keyword : {"install_requires", "setup_requires", "extras_require"}) {
    const NodeIndex list = subject.module().argument(site.use.call, keyword);
    if (list == kNoNode) continue;
    for (NodeIndex node = list; node < subject[list].past; ++node) {
      const auto text =
          subject[node].kind == Kind::kString ? subject.module().literal(node) : std::nullopt;
      if (!text) continue;
      if (const auto args = lacking(*text, world)) changes.leave(subject, node, "left", *args);
    }
  }
}

}  // namespace

extern const Rule declared_requirements = {
    .code = "P059",
    .severity = diag::Severity::kWarning,
    .names = {"setuptools.setup", "distutils.core.setup"},
    .files = {FileKind::kToml, FileKind::kYaml},
    .use = visit_use,
    .script = visit_script,
};

}  // namespace godwit::port::rules
