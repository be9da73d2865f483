// Scan of an ONNX model: every node judged for ATC and the chip, and what the model needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "diag/finding.h"
#include "facts/soc.h"

namespace godwit::scan {

struct OnnxOptions {
  std::string cann{};  // release to judge for; empty: the newest known
};

/// Figures of a scan. The six kinds of nodes add up to `nodes`.
struct OnnxFigures {
  std::size_t nodes = 0;
  std::size_t direct = 0;         // tier 1: ATC maps it, or builds it from several by itself
  std::size_t custom_kernel = 0;  // tier 2
  std::size_t decompose = 0;      // tier 3: has to be written with other operators first
  std::size_t unsupported = 0;    // has to leave the model
  std::size_t unknown = 0;        // the tables do not say
  std::size_t built_by_parser = 0, on_aicpu = 0;                           // of the direct ones
  std::size_t operators = 0, operators_direct = 0, operators_unknown = 0;  // kinds of nodes
  std::size_t graphs = 0, functions = 0;

  std::uint64_t parameters = 0;        // elements of all weights
  std::uint64_t weight_bytes = 0;      // as stored
  std::uint64_t fp16_bytes = 0;        // with fp32 and fp64 weights as fp16, ATC's default
  std::uint64_t external_bytes = 0;    // of the stored ones
  std::uint64_t activation_bytes = 0;  // peak of live values whose shapes are known
  std::uint64_t memory_bytes = 0;      // of one device of the target; 0: not known
  std::size_t values = 0, unknown_shapes = 0;
  std::size_t left_out = 0;  // values that the peak lacks, because a size is not known

  std::int64_t opset = 0;
  std::string atc_command{};
};

struct OnnxReport {
  std::vector<diag::Finding> findings{};
  OnnxFigures figures{};
  Json summary = Json::object();
  std::vector<diag::Section> sections{};
};

/// Reads and judges the model at `path`. Errors: those of formats::onnx::read and external_files,
/// and of facts.
Result<OnnxReport> scan_onnx(const std::filesystem::path& path, const facts::Target& target,
                             const OnnxOptions& options = {});

}  // namespace godwit::scan
