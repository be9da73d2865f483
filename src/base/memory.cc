// One way out for all allocators.
#include "base/memory.h"

#include <cstdlib>
#include <new>

namespace godwit {

void out_of_memory() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  std::abort();
}

}  // namespace godwit
