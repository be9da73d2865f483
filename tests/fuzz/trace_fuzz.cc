// Feeds arbitrary bytes to the trace reader: it must end with records or an error, never otherwise.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scan/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::uint64_t calls = 0;
  const auto header = godwit::scan::read_trace(
      text, "trace.json", [&](const godwit::scan::TraceRecord& record) { calls += record.count; });
  (void)header;
  return 0;
}
