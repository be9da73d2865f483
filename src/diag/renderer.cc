// Look-up of renderers by name.
#include "diag/renderer.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::diag {

Result<const Renderer*> find_renderer(std::string_view name) {
  std::vector<std::string> known;
  for (const Renderer* const renderer : kRenderers) {
    if (renderer->name == name) return renderer;
    known.emplace_back(renderer->name);
  }
  std::sort(known.begin(), known.end());
  return fail("E021", {}, {{"found", std::string(name)}, {"known", join(known, ", ")}});
}

}  // namespace godwit::diag
