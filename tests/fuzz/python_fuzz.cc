// Python files come from anywhere: no bytes may crash reading, resolving, or editing them.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "project/notebook.h"
#include "project/project.h"
#include "syntax/edit.h"

namespace {

// Two files that import each other, or a notebook; the input is cut at a NUL byte.
void write_project(const std::filesystem::path& folder, std::string_view text) {
  const std::size_t cut = text.find('\0');
  (void)godwit::write_file(folder / "a.py", text.substr(0, cut));
  if (cut != std::string_view::npos)
    (void)godwit::write_file(folder / "b.py", text.substr(cut + 1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace godwit;
  static const auto folder =
      std::filesystem::temp_directory_path() / ("godwit_fuzz_" + std::to_string(::getpid()));
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  write_project(folder, text);
  const auto opened = project::open_project(folder);
  if (!opened) std::abort();
  for (const project::Module& module : opened->modules) {
    std::vector<syntax::Edit> edits;
    for (const project::Use& use : module.uses()) {
      if (use.call != syntax::kNoNode) (void)module.argument(use.call, "device", 0);
      (void)module.place(use.node);
      edits.push_back({module.tree()[use.node].end, module.tree()[use.node].end, "_"});
    }
    for (syntax::NodeIndex node = 0; node < module.tree().nodes().size(); ++node)
      (void)module.type_of(node);
    const auto edited = syntax::apply(module.source().bytes(), edits);
    if (!edited) std::abort();
    (void)syntax::unified_diff("a", module.source().bytes(), "a", *edited);
  }
  (void)project::read_notebook("a.ipynb", text);
  return 0;
}
