// One list of the options of a chip, for every command that has them.
#include "cli/chip_options.h"

namespace godwit::cli {

std::vector<Option> with_chip_options(std::initializer_list<Option> before,
                                      std::initializer_list<Option> after) {
  std::vector<Option> options(before);
  options.insert(options.end(),
                 {{.name = "--precision-mode",
                   .value = "MODE",
                   .choices = {"force_fp16", "must_keep_origin_dtype"}},
                  {.name = "--stores", .value = "WHERE", .choices = {"unfused", "fused"}},
                  {.name = "--order",
                   .value = "ORDER",
                   .choices = {"cube16", "sequential", "exact", "fast"}}});
  options.insert(options.end(), after);
  return options;
}

exec::ChipWords chip_options(const Arguments& arguments) {
  return {.precision_mode = arguments.text("--precision-mode"),
          .stores = arguments.text("--stores"),
          .order = arguments.text("--order")};
}

}  // namespace godwit::cli
