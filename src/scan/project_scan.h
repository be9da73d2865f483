// One PyTorch project scanned: findings, inventory of APIs, figures.
#pragma once

#include "scan/rule.h"
#include "scan/scan.h"

namespace godwit::scan {

/// What one subject adds to a report.
struct Part {
  Findings findings{};
  Figures figures{};
  std::string key{};  // of its object in the summary: "project", "trace"
  Json summary = Json::object();
  std::vector<diag::Section> sections{};
};

/// Errors: E065 nothing there, and those of facts.
Result<Part> scan_project(const std::filesystem::path& root, const Options& options);

}  // namespace godwit::scan
