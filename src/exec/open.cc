// The steps from a file to a graph that can run, in their order.
#include "exec/open.h"

#include "base/text.h"
#include "formats/onnx/import.h"
#include "ops/expand.h"
#include "ops/infer.h"

namespace godwit::exec {
namespace {

// What an operator will mean in a later opset nobody knows yet.
constexpr std::int64_t kNewestOpset = 28;

Status check_opset(const ir::Model& model) {
  for (const ir::Opset& row : model.opsets) {
    if (!row.domain.empty() || row.version <= kNewestOpset) continue;
    return fail("E152", {.file = model.path},
                {{"opset", format("{}", row.version)}, {"newest", format("{}", kNewestOpset)}});
  }
  return {};
}

}  // namespace

Result<ir::Model> open_model(const std::filesystem::path& path) {
  ASSIGN(ir::Model model, formats::onnx::load(path));
  TRY(check_opset(model));
  TRY(ops::expand_unknown(model));
  TRY(ops::infer(model));
  return model;
}

}  // namespace godwit::exec
