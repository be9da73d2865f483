// Inputs with unknown dimensions: the ways that ATC offers, which exclude each other, and a
// command.
#include <algorithm>

#include "scan/atc.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

bool has_data_dependent_shapes(const OnnxScene& scene) {
  return std::any_of(scene.groups.begin(), scene.groups.end(), [](const NodeGroup& group) {
    return group.is("NonZero") || group.is("NonMaxSuppression") || group.is("Unique") ||
           group.is("Compress");
  });
}

void judge(const OnnxScene& scene, NodeFindings& out) {
  const ShapeForm form = shape_form(scene);
  if (form == ShapeForm::kStatic) return;
  const bool gears = form != ShapeForm::kUnknown && !has_data_dependent_shapes(scene);
  const std::string_view variant =
      gears || form == ShapeForm::kUnknown ? to_string(form) : std::string_view("data");
  diag::Finding& found = out.add({{"inputs", input_shapes(scene, Unknown::kMinusOne)},
                                  {"static", atc_command(scene, ShapeForm::kStatic)},
                                  {"gears", atc_command(scene, form)},
                                  {"ranges", input_shapes(scene, Unknown::kRange)}},
                                 variant);
  found.properties.set("form", to_string(form));
  found.properties.set("command", atc_command(scene, gears ? form : ShapeForm::kStatic));
  if (form == ShapeForm::kUnknown) found.severity = diag::Severity::kWarning;
}

}  // namespace

extern const NodeRule dynamic_shape = {
    .code = "S130",
    .severity = diag::Severity::kNote,
    .model = judge,
};

}  // namespace godwit::scan::nodes
