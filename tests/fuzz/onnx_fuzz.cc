// ONNX models come from anywhere: no bytes may crash, hang or exhaust the reader and what asks its
// tables.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diag/finding.h"
#include "formats/onnx/model.h"
#include "scan/onnx_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace godwit;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = formats::onnx::read(bytes, "fuzz.onnx");
  if (!model) {
    (void)diag::render(model.error());
    return 0;
  }
  for (const formats::onnx::Node& node : model->nodes) {
    for (const auto& attribute : model->rows(model->attributes, node.attributes)) {
      (void)model->integer(node, attribute.name, 0);
      (void)model->number(node, attribute.name, 0);
      (void)model->text(node, attribute.name, "");
      (void)model->integers(node, attribute.name);
    }
    for (const formats::onnx::Index value : model->inputs(node)) {
      const formats::onnx::Tensor* const tensor = model->constant(value);
      if (tensor) (void)model->integers(*tensor);
    }
  }
  (void)scan::measure_memory(*model);
  return 0;
}
