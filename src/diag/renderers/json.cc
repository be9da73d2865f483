// The one JSON document of all commands; its schema is data/schema/output.schema.json.
#include "diag/document.h"
#include "diag/renderer.h"

namespace godwit::diag::renderers {

extern const Renderer json = {
    .name = "json",
    .render = [](const Outcome& outcome,
                 const Style&) { return to_document(outcome).dump(2) + "\n"; },
};

}  // namespace godwit::diag::renderers
