// Two installations of one package: which one is imported depends on the order of folders.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  for (const std::string_view name : {"torch", "torch_npu", "torchvision", "numpy", "protobuf"}) {
    const auto all = context.environment.packages_named(name);
    if (all.size() < 2) continue;
    findings.push_back(finding("D018", diag::Severity::kWarning, all[0]->source,
                               {{"name", std::string(name)},
                                {"first", all[0]->version},
                                {"second", all[1]->version},
                                {"other", all[1]->source}}));
  }
  return Verdict::kJudged;
}

}  // namespace

extern const Check two_of_a_kind = {.code = "D018", .run = run};

}  // namespace godwit::doctor::checks
