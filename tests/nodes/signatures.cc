// Prints the signatures of all operators as JSON, for the test that holds them against the onnx
// package.
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

#include "base/json.h"
#include "ir/element_type.h"
#include "ops/operator.h"

namespace godwit::tests {
namespace {

// The opset that first takes each type.
Json types_of(const ops::TypeHistory& types) {
  Json out = Json::object();
  for (int number = 1; number <= static_cast<int>(ir::ElementType::kLast); ++number) {
    const auto type = static_cast<ir::ElementType>(number);
    int opset = 1;
    while (opset <= 255 && !types.has(type, opset)) ++opset;
    if (opset <= 255) out.set(ir::name(type), opset);
  }
  return out;
}

// The opset that first takes each form.
Json forms_of(const ops::FormHistory& forms) {
  static constexpr std::string_view kForms[] = {"tensor", "seq", "optional", "map"};
  Json out = Json::object();
  for (std::size_t i = 0; i < std::size(kForms); ++i) {
    int opset = 1;
    while (opset <= 255 && !forms.has(static_cast<ops::Form>(i), opset)) ++opset;
    if (opset <= 255) out.set(kForms[i], opset);
  }
  return out;
}

Json rows_of(const ops::Parameters& rows) {
  static constexpr std::string_view kKinds[] = {"required", "optional", "variadic", "mixed"};
  Json out = Json::array();
  for (const ops::Parameter& row : rows) {
    out.add(Json::object()
                .set("name", row.name)
                .set("variable", std::string(1, row.variable))
                .set("types", types_of(row.types))
                .set("kind", kKinds[static_cast<std::size_t>(row.kind)])
                .set("forms", forms_of(row.form))
                .set("since", row.since)
                .set("until", row.until));
  }
  return out;
}

struct DefaultAsJson {
  Json operator()(ops::Presence) const { return {}; }
  Json operator()(std::int64_t value) const { return value; }
  Json operator()(float value) const { return static_cast<double>(value); }
  Json operator()(std::string_view value) const { return value; }
  Json operator()(const ops::AttributeSpec::List& values) const {
    Json out = Json::array();
    for (const std::int64_t value : values) out.add(value);
    return out;
  }
};

Json attributes_of(const ops::AttributeSpecs& rows) {
  Json out = Json::array();
  for (const ops::AttributeSpec& row : rows) {
    const auto* const presence = std::get_if<ops::Presence>(&row.fallback);
    out.add(Json::object()
                .set("name", row.name)
                .set("required", presence && *presence == ops::kMustBeThere)
                .set("default", std::visit(DefaultAsJson(), row.fallback))
                .set("since", row.since)
                .set("until", row.until));
  }
  return out;
}

Json signature(const ops::Operator& op) {
  Json revisions = Json::array();
  for (const int opset : op.revisions) revisions.add(opset);
  return Json::object()
      .set("name", op.name)
      .set("domain", op.domain)
      .set("since", op.since)
      .set("until", op.until)
      .set("revisions", std::move(revisions))
      .set("inputs", rows_of(op.inputs))
      .set("outputs", rows_of(op.outputs))
      .set("attributes", attributes_of(op.attributes));
}

}  // namespace
}  // namespace godwit::tests

int main() {
  godwit::Json all = godwit::Json::array();
  for (const godwit::ops::Operator* const op : godwit::ops::kOperators)
    all.add(godwit::tests::signature(*op));
  std::puts(all.dump(1).c_str());
}
