// The steps from a file to a graph that can run, in their order.
#include "exec/open.h"

#include "formats/onnx/import.h"
#include "ops/expand.h"
#include "ops/infer.h"

namespace godwit::exec {

Result<ir::Model> open_model(const std::filesystem::path& path) {
  ASSIGN(ir::Model model, formats::onnx::load(path));
  TRY(ops::expand_unknown(model));
  TRY(ops::infer(model));
  return model;
}

}  // namespace godwit::exec
