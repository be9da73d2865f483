// One operator trace scanned: each operator judged by overload, dtype and direction.
#pragma once

#include "scan/project_scan.h"

namespace godwit::scan {

/// Errors: those of read_trace and of facts. Records of the backward pass are judged as such; with
/// Mode::kInference they are left out and counted.
Result<Part> scan_trace(const std::filesystem::path& path, const Options& options);

}  // namespace godwit::scan
