// Negation of truth values.
#include <optional>
#include <utility>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  TRY(same_as_first(n));
  std::optional<Content> content = n.content(0);
  if (!content) return {};
  for (Dim& dim : *content) dim = Dim(1) - dim;
  n.set_content(0, *std::move(content));
  return {};
}

}  // namespace

extern const Operator not_ = {
    .name = "Not",
    .doc = "True where x is false.",
    .inputs = {{"X", 'T', kBool}},
    .outputs = {{"Y", 'T', kBool}},
    .infer = infer,
    .evaluate = each(Types<bool>(), [](auto x) { return !x; }),
};

}  // namespace godwit::ops::operators
