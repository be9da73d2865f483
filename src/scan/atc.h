// The atc command line that fits a model and a chip, and the choices where shapes are dynamic.
#pragma once

#include <string>

#include "scan/node_rule.h"

namespace godwit::scan {

/// Which way of giving shapes fits the inputs of a model.
enum class ShapeForm : std::uint8_t {
  kStatic,   // all known
  kBatch,    // only the first dimension of inputs: --dynamic_batch_size
  kImage,    // height and width of one image: --dynamic_image_size
  kDims,     // others: --dynamic_dims
  kUnknown,  // an input without a shape: it must be given first
};

std::string_view to_string(ShapeForm form);  // "static", "batch" …

ShapeForm shape_form(const OnnxScene& scene);

/// An input that looks like a batch of images: (N, 1 | 3 | 4, H, W), floating point.
bool is_image(const onnx::Model& model, const onnx::Value& value);

/// How unknown dimensions are written: "-1", an example ("1"), a range from it ("1~4").
enum class Unknown : std::uint8_t { kMinusOne, kExample, kRange };

/// "x:-1,3,224,224;mask:-1,128", as --input_shape takes it.
std::string input_shapes(const OnnxScene& scene, Unknown unknown);

/// The command line. Gears, and the sizes that `form` kStatic puts in place of unknown dimensions
/// (batch 1, pictures 224, others 128), are examples to be replaced.
std::string atc_command(const OnnxScene& scene, ShapeForm form);

}  // namespace godwit::scan
