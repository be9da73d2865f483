// An ONNX model as one subject of a scan.
#pragma once

#include "scan/project_scan.h"

namespace godwit::scan {

/// `alone` false: the model lies in a folder with other subjects, and one that cannot be read is a
/// finding (S135) instead of the end of the scan. Errors: those of scan_onnx.
Result<Part> scan_model(const std::filesystem::path& path, const Options& options, bool alone);

}  // namespace godwit::scan
