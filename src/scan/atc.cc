// ATC options as the pages of its command line describe them; which exclude each other is in the
// texts of S130.
#include "scan/atc.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"

namespace godwit::scan {
namespace {

std::vector<std::size_t> unknown_dims(const onnx::Model& model, const onnx::Value& value) {
  std::vector<std::size_t> out;
  const auto dims = model.shape(value.type);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].size < 0) out.push_back(i);
  }
  return out;
}

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_-+./,=:").find(c) != std::string_view::npos;
}

// For a POSIX shell.
std::string shell_word(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  return format("'{}'", replace_all(text, "'", "'\\''"));
}

// A size to start from where the model leaves a dimension open; the texts say that it is an
// example.
std::int64_t example(const onnx::Model& model, const onnx::Value& value, std::size_t dim) {
  if (dim == 0) return 1;
  return is_image(model, value) && dim >= 2 ? 224 : 128;
}

// "1,128;2,256" for an unknown batch and length: a size per -1, in order; one list per gear.
std::string gears(const OnnxScene& scene) {
  std::vector<std::string> first, second;
  for (const onnx::Index input : scene.inputs) {
    const onnx::Value& value = scene.model.values[input];
    for (const std::size_t dim : unknown_dims(scene.model, value)) {
      const std::int64_t size = example(scene.model, value, dim);
      first.push_back(format("{}", size));
      second.push_back(format("{}", 2 * size));
    }
  }
  return join(first, ",") + ";" + join(second, ",");
}

}  // namespace

std::string_view to_string(ShapeForm form) {
  switch (form) {
    case ShapeForm::kStatic: return "static";
    case ShapeForm::kBatch: return "batch";
    case ShapeForm::kImage: return "image";
    case ShapeForm::kDims: return "dims";
    case ShapeForm::kUnknown: break;
  }
  return "unknown";
}

bool is_image(const onnx::Model& model, const onnx::Value& value) {
  const auto dims = model.shape(value.type);
  if (!value.type.has_shape || dims.size() != 4 || !is_floating(value.type.element)) return false;
  const auto is_side = [](const onnx::Dim& dim) { return dim.size < 0 || dim.size >= 16; };
  const std::int64_t channels = dims[1].size;
  return (channels == 1 || channels == 3 || channels == 4) && is_side(dims[2]) && is_side(dims[3]);
}

ShapeForm shape_form(const OnnxScene& scene) {
  bool any = false, batch_only = true, image_only = true;
  for (const onnx::Index input : scene.inputs) {
    const onnx::Value& value = scene.model.values[input];
    if (!value.type.has_shape) return ShapeForm::kUnknown;
    const std::vector<std::size_t> unknown = unknown_dims(scene.model, value);
    if (unknown.empty()) continue;
    batch_only = batch_only && unknown == std::vector<std::size_t>{0};
    image_only = image_only && !any && is_image(scene.model, value) && unknown.front() >= 2;
    any = true;
  }
  if (!any) return ShapeForm::kStatic;
  if (batch_only) return ShapeForm::kBatch;
  return image_only ? ShapeForm::kImage : ShapeForm::kDims;
}

std::string input_shapes(const OnnxScene& scene, Unknown unknown) {
  std::vector<std::string> inputs;
  for (const onnx::Index input : scene.inputs) {
    const onnx::Value& value = scene.model.values[input];
    std::vector<std::string> dims;
    const auto shape_of = scene.model.shape(value.type);
    for (std::size_t i = 0; i < shape_of.size(); ++i) {
      const bool known = shape_of[i].size >= 0;
      const std::int64_t size = known ? shape_of[i].size : example(scene.model, value, i);
      if (known || unknown == Unknown::kExample) {
        dims.push_back(format("{}", size));
      } else {
        dims.push_back(unknown == Unknown::kRange ? format("{}~{}", size, 4 * size) : "-1");
      }
    }
    const std::string shape = value.type.has_shape ? join(dims, ",") : std::string("?");
    inputs.push_back(format("{}:{}", to_valid_utf8(value.name), shape));
  }
  return join(inputs, ";");
}

std::string atc_command(const OnnxScene& scene, ShapeForm form) {
  const std::filesystem::path path = scene.model.path;
  std::string out =
      format("atc --framework=5 --model={} --output={} --soc_version={}",
             shell_word(path.filename().string()), shell_word(path.stem().string()), scene.chip());
  if (form == ShapeForm::kDims) out += " --input_format=ND";
  const bool is_static = form == ShapeForm::kStatic;
  const std::string shapes =
      input_shapes(scene, is_static ? Unknown::kExample : Unknown::kMinusOne);
  if (!shapes.empty()) out += format(" --input_shape={}", shell_word(shapes));
  if (form == ShapeForm::kBatch) out += " --dynamic_batch_size=1,2,4,8";
  if (form == ShapeForm::kImage) out += " --dynamic_image_size='224,224;448,448'";
  if (form == ShapeForm::kDims) out += format(" --dynamic_dims='{}'", gears(scene));
  return out;
}

}  // namespace godwit::scan
