// Files of an installed CANN come from other people's machines: no bytes may crash their importers.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "facts/importer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace godwit::facts;
  static constexpr std::string_view kPaths[] = {
      "tbe/config/ascend310p/aic-ascend310p-ops-info.json", "config/aicpu_kernel.json",
      "platform_config/Ascend310P3.ini", "version.cfg", "torch_npu/npu/__init__.py"};
  if (size == 0) return 0;
  const std::string_view path = kPaths[data[0] % std::size(kPaths)];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Imported imported;
  for (const Importer* const importer : kImporters) {
    if (importer->claims(path)) importer->read(path, text, imported);
  }
  return 0;
}
