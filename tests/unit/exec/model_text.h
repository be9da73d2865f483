// Models in text form, made ready to run: for the tests of what runs them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "formats/onnx/import.h"
#include "formats/onnx/model.h"
#include "onnx_text.h"
#include "ops/infer.h"

namespace godwit::tests {

/// The model keeps what it was read from.
struct TextModel {
  explicit TextModel(std::string_view text) : bytes(OnnxText::to_bytes(text)) {
    auto read = formats::onnx::read(bytes, "test.onnx");
    auto graph = formats::onnx::to_graph(*std::move(read), ".");
    model = *std::move(graph);
    EXPECT_TRUE(ops::infer(model));
  }
  std::string bytes;
  ir::Model model;
};

}  // namespace godwit::tests
