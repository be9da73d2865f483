// Arrays and archives come from anywhere: no bytes may crash, hang or exhaust their reader.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diag/finding.h"
#include "formats/npy/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace godwit;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto arrays = formats::npy::read(bytes, nullptr, "fuzz.npz");
  if (!arrays) {
    (void)diag::render(arrays.error());
    return 0;
  }
  for (const auto& [name, tensor] : *arrays) (void)ir::to_doubles(tensor);
  return 0;
}
