// Models as text come from anywhere, and what is read must be printed so that it reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diag/finding.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace godwit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto model = ir::parse(text, "fuzz.txt");
  if (!model) {
    (void)diag::render(model.error());
    return 0;
  }
  if (!ir::verify(*model)) std::abort();  // the reader finds every fault of the dataflow itself
  const std::string printed = ir::print(*model);
  const auto again = ir::parse(printed, "again.txt");
  if (!again || ir::print(*again) != printed) std::abort();
  return 0;
}
