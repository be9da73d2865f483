// A standard operator that no open plug-in of ATC names: conversion probably ends there.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  if (!group.domain.empty() || group.verdict.has_parser || group.function != onnx::kNone) return;
  Args args = {{"optype", to_valid_utf8(group.optype())}};
  if (!group.remedy) return out.add(group, std::move(args), "private");
  if (group.remedy->kind == "quantised") return;  // S118 says it once for the whole model
  args.emplace_back("how", group.remedy->how);
  out.add(group, std::move(args), facts::to_string(group.tier));
}

}  // namespace

extern const NodeRule no_parser = {
    .code = "S101",
    .severity = diag::Severity::kError,
    .group = judge,
};

}  // namespace godwit::scan::nodes
