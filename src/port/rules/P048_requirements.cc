// Requirements: builds for CUDA do not install on an NPU machine, or bring CUDA along.
#include "base/text.h"
#include "port/requirements.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

struct Line {
  const Script& script;
  std::string_view text;  // without blanks around it
  std::uint32_t begin = 0;
  std::uint32_t end() const { return begin + static_cast<std::uint32_t>(text.size()); }
};

// torch==2.1.0+cu118 is torch==2.1.0 without CUDA.
void drop_cuda_tag(const Line& line, Changes& changes) {
  const auto [begin, end] = cuda_tag(line.text);
  if (begin == end) return;
  const auto at = line.begin + static_cast<std::uint32_t>(begin);
  changes.replace(line.script.place(at), at, line.begin + static_cast<std::uint32_t>(end), "",
                  Proof::kTable);
}

void comment_out(const Line& line, Changes& changes) {
  changes.replace(line.script.place(line.begin), line.begin, line.begin, "# ", Proof::kTable);
}

// --extra-index-url https://download.pytorch.org/whl/cu118
bool is_cuda_index(std::string_view text) {
  const bool is_option = text.starts_with("--extra-index-url") ||
                         text.starts_with("--find-links") || text.starts_with("-f ") ||
                         text.starts_with("--index-url") || text.starts_with("-i ");
  return is_option && (contains(text, "/cu1") || contains(text, "nvidia"));
}

void judge_library(const Line& line, std::string_view package, const World& world,
                   Changes& changes) {
  const auto library = library_lacking(package, world);
  if (!library || world.project.find(replace_all(package, "-", "_"))) return;
  const std::string instead =
      library->replacements.empty() ? "—" : join(library->replacements, ", ");
  const Args args = {{"library", std::string(package)}, {"instead", instead}};
  // Installing it fails where there is no CUDA compiler, and with it all that stands beside it.
  const bool needs_cuda = facts::is_no(library->on_soc);
  if (needs_cuda && !is_portable(world)) comment_out(line, changes);
  changes.leave(line.script.place(line.begin), std::string(line.text),
                needs_cuda && !is_portable(world) ? "dropped" : "left", args);
}

void judge(const Line& line, const World& world, Changes& changes) {
  if (line.text.empty() || line.text.starts_with('#')) return;
  if (is_cuda_index(line.text)) return comment_out(line, changes);
  const std::string_view package = package_of(line.text);
  if (package.starts_with("nvidia-")) return comment_out(line, changes);
  drop_cuda_tag(line, changes);
  if (!package.empty()) judge_library(line, package, world, changes);
}

// "torch==2.1.0" fits torch_npu 2.1.0.post17.
bool fits_release(std::string_view line, std::string_view release) {
  const std::size_t sign = line.find("==");
  if (sign == std::string_view::npos) return true;
  std::string_view pinned = trim(line.substr(sign + 2));
  pinned = pinned.substr(0, pinned.find_first_of("+ ;#"));
  return release == pinned || release.starts_with(format("{}.post", pinned));
}

// A line of its own behind torch: the release that the names were looked up in.
void add_torch_npu(const Script& script, const World& world, Changes& changes) {
  if (contains(script.text(), "torch_npu") || contains(script.text(), "torch-npu")) return;
  std::uint32_t begin = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const auto end = begin + static_cast<std::uint32_t>(line.size());
    if (script.file().path.ends_with(".cfg")) return;  // a person knows which list is meant
    if (package_of(line) == "torch" && !fits_release(line, world.names.release())) {
      return changes.leave(script.place(begin), std::string(trim(line)), "mismatch",
                           {{"release", world.names.release()}});
    }
    if (package_of(line) == "torch") {
      const bool is_last = end >= script.text().size();
      const std::string_view newline = script.source().newline();
      const std::string added = format("torch_npu=={}", world.names.release());
      const std::uint32_t at = is_last ? end : end + 1;
      changes.replace(script.place(begin), at, at,
                      is_last ? format("{}{}", newline, added) : format("{}{}", added, newline),
                      Proof::kNeeded);
      changes.as(diag::Severity::kNote)
          .leave(script.place(begin), std::string(trim(line)), "versions",
                 {{"release", world.names.release()}});
      return;
    }
    begin = end + 1;
  }
}

void visit(const Script& script, World& world, Changes& changes) {
  // First: of two insertions at one place the earlier stands in front.
  if (!is_portable(world)) add_torch_npu(script, world, changes);
  // Of setup.cfg the values that go over several lines.
  const bool is_setup = script.file().path.ends_with(".cfg");
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const std::string_view text = trim(line);
    const auto lead = text.empty() ? 0 : static_cast<std::uint32_t>(text.data() - line.data());
    const bool is_other = is_setup && (lead == 0 || contains(text, " = "));
    if (!is_other) judge({.script = script, .text = text, .begin = offset + lead}, world, changes);
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
}

}  // namespace

extern const Rule requirements = {
    .code = "P048",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kRequirements},
    .script = visit,
};

}  // namespace godwit::port::rules
