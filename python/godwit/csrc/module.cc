// Python walks its own frames when asked: nothing is paid while nothing is asked. Without pybind,
// the question is a C function.
#include "module.h"

#include <array>
#include <atomic>

#include <torch/library.h>

namespace godwit {
namespace {

// Writes a zero-terminated path into the buffer; takes the GIL itself (a ctypes callback).
using Ask = void (*)(char* buffer, int capacity);
std::atomic<Ask> ask{nullptr};

}  // namespace

std::string module_path() {
  const Ask asked = ask.load(std::memory_order_acquire);
  if (!asked) return {};
  std::array<char, 512> buffer{};
  asked(buffer.data(), static_cast<int>(buffer.size()));
  buffer.back() = 0;
  return buffer.data();
}

}  // namespace godwit

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("set_module_callback(int address) -> ()",
        [](int64_t address) { godwit::ask = reinterpret_cast<godwit::Ask>(address); });
}
