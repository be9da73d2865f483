// No bytes that the ONNX reader takes may crash what follows: conversion to a graph, the verifier,
// inlining, shape rules and the printer.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diag/finding.h"
#include "formats/onnx/import.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/expand.h"
#include "ops/infer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace godwit;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto model = formats::onnx::read(bytes, "fuzz.onnx");
  if (!model) return 0;
  auto graph = formats::onnx::to_graph(*std::move(model), "/nowhere");
  if (!graph) return 0;
  if (!ir::verify(*graph)) return 0;
  if (!ops::expand_unknown(*graph) || !ops::infer(*graph)) return 0;
  (void)ir::print(*graph, ir::Detail::kBrief);
  return 0;
}
