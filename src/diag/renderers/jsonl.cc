// One finding per line, the summary last: for pipes and for logs that grow.
#include "diag/document.h"
#include "diag/renderer.h"

namespace godwit::diag::renderers {
namespace {

std::string render(const Outcome& outcome, const Style&) {
  std::string out;
  for (const Finding& finding : outcome.findings) out += to_document(finding).dump() + "\n";
  Json last = Json::object();
  last.set("command", outcome.command);
  last.set("summary", summary_of(outcome));
  return out + last.dump() + "\n";
}

}  // namespace

extern const Renderer jsonl = {.name = "jsonl", .render = render};

}  // namespace godwit::diag::renderers
