// Loading in 8 or 4 bits goes through bitsandbytes, a CUDA library with partial NPU support.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  for (const std::string_view keyword : {"load_in_8bit", "load_in_4bit"}) {
    const auto value = site.argument(keyword);
    if (value == syntax::kNoNode || site.text(value) == "False") continue;
    out.push_back(site.finding({{"name", std::string(keyword)}}));
  }
}

}  // namespace

extern const Rule quantized_load = {
    .code = "S068",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"*.from_pretrained", "transformers.BitsAndBytesConfig", "*.BitsAndBytesConfig"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
