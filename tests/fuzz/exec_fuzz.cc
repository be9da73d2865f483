// Hostile models run through the executor: any operator with any inputs is computed or refused.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "random_graph_run.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const godwit::tests::RandomRun run = godwit::tests::run_random({data, size});
  if (run.fault.empty()) return 0;
  std::fprintf(stderr, "%s\n", run.fault.c_str());
  std::abort();
}
