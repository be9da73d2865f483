// Attention kernels of CUDA chosen by name: transformers has others, which compute the same.
#include "base/text.h"
#include "port/config.h"
#include "port/libraries.h"
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

using project::FileKind;

constexpr std::string_view kKernels[] = {"flash_attention_2", "flash_attention_3"};

bool is_kernel(std::string_view value) { return value == kKernels[0] || value == kKernels[1]; }

bool names_attention(std::string_view name) {
  return contains(name, "attn_implementation") || contains(name, "attention_implementation");
}

void replace(const Subject& subject, std::uint32_t begin, std::size_t length, NodeIndex node,
             Changes& changes) {
  changes.replace(subject, begin, begin + static_cast<std::uint32_t>(length), "sdpa",
                  Proof::kPosition);
  changes.as(diag::Severity::kNote).leave(subject, node, "sdpa");
}

void visit_string(const StringSite& site, World& world, Changes& changes) {
  if (!is_kernel(site.content) || site.landing.where == Landing::Where::kCompared) return;
  const Subject& subject = site.subject;
  if (runs_here("flash_attn", world.soc))
    return changes.as(diag::Severity::kNote).leave(subject, site.node, "own_path");
  const NodeIndex parent = subject[site.landing.top].parent;
  std::string_view name = site.landing.name;
  if (parent != kNoNode && subject[parent].kind == Kind::kKeywordArgument) {
    const std::string_view keyword = subject.text(subject.tree().child(parent, Field::kName));
    if (keyword == "choices") return;
    if (keyword != "default") name = keyword;
  }
  if (names_attention(name))
    return replace(subject, site.begin, site.content.size(), site.node, changes);
  changes.leave(subject, site.node, "unproven", {{"name", std::string(name)}});
}

// use_flash_attention_2=True of from_pretrained.
void visit_use(const UseSite& site, World& world, Changes& changes) {
  if (site.use.call == kNoNode || runs_here("flash_attn", world.soc)) return;
  const Subject& subject = site.subject;
  const NodeIndex value = subject.module().argument(site.use.call, "use_flash_attention_2");
  if (value == kNoNode || subject.text(value) == "False") return;
  const NodeIndex argument = subject[value].parent;
  if (subject.text(value) != "True")
    return changes.leave(subject, argument, "unproven", {{"name", "use_flash_attention_2"}});
  changes.replace(subject, argument, "attn_implementation=\"sdpa\"", Proof::kPosition);
  changes.as(diag::Severity::kNote).leave(subject, argument, "sdpa");
}

void edit(const Script& script, std::uint32_t at, std::size_t length, Changes& changes) {
  changes.replace(script.place(at), at, at + static_cast<std::uint32_t>(length), "sdpa",
                  Proof::kPosition);
  changes.as(diag::Severity::kNote).leave(script.place(at), script.line(at), "sdpa");
}

void visit_script(const Script& script, World& world, Changes& changes) {
  if (runs_here("flash_attn", world.soc)) return;
  const FileKind kind = script.file().kind;
  if (kind == FileKind::kYaml || kind == FileKind::kJson || kind == FileKind::kToml) {
    for (const Setting& setting : settings(script)) {
      if (is_kernel(setting.value) && names_attention(setting.key))
        edit(script, setting.value_at, setting.value.size(), changes);
    }
    return;
  }
  for (const std::string_view kernel : kKernels) {
    for (const std::uint32_t at : script.find_words(kernel)) {
      const std::size_t near = at > 40 ? at - 40 : 0;
      if (names_attention(script.text().substr(near, at - near)))
        edit(script, at, kernel.size(), changes);
    }
  }
}

}  // namespace

extern const Rule attention = {
    .code = "P043",
    .severity = diag::Severity::kWarning,
    .names = {".from_pretrained", ".from_config"},
    .strings = {"flash_attention_2", "flash_attention_3"},
    .files = {FileKind::kYaml, FileKind::kJson, FileKind::kToml, FileKind::kShell,
              FileKind::kMarkdown},
    .use = visit_use,
    .string = visit_string,
    .script = visit_script,
};

}  // namespace godwit::port::rules
