// Prints every use of a project as tab-separated fields for tests/oracle/project_uses.py: file,
// line, column, name, proof.
#include <cstdio>

#include "base/text.h"
#include "project/project.h"

int main(int count, char** arguments) {
  using namespace godwit;
  if (count != 2) return 2;
  const auto project = project::open_project(arguments[1]);
  if (!project) return 2;
  std::string out;
  for (const project::Module& module : project->modules) {
    for (const project::Use& use : module.uses()) {
      const Place place = module.place(use.node);
      out += format("{}\t{}\t{}\t{}\t{}\n", module.file().path, place.line, place.column,
                    module.name(use.name), static_cast<int>(use.proof));
    }
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}
