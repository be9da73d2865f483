// How long a scan waits for its facts: load and first verdicts, against unpacking the same members.
#include <chrono>
#include <cstdio>

#include "base/resources.h"
#include "facts/eager.h"
#include "facts/graph.h"
#include "facts/symbols.h"
#include "facts/tables.h"

namespace {

using namespace godwit;

template <class Work>
double best_ms(int rounds, Work work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = took.count() < best ? took.count() : best;
  }
  return best;
}

void unpack() {
  for (const char* name :
       {"api/aten.tsv", "api/torch_to_aten.tsv", "api/aten_kind.tsv", "api/aten_decomposition.tsv",
        "api/torch.tsv", "api/aclnn/ascend310p.tsv", "ops/kernels/ascend310p.tsv",
        "ops/kernels/any.tsv", "ops/kernels_open/ascend310p.tsv", "ops/kernels_open/any.tsv",
        "api/torch_npu_symbols.tsv", "ops/onnx.tsv"}) {
    (void)resource(name);
  }
}

// One question of each kind touches every table that a scan of a project or model needs.
void ask() {
  facts::forget_tables();
  const facts::Soc soc = facts::resolve_target("Ascend310P3")->soc;
  for (const char* api : {"torch.nn.Linear", "torch.nn.Embedding", "torch.linalg.svd"}) {
    (void)facts::eager_verdict(api, soc, {.mode = facts::Mode::kTraining});
  }
  (void)facts::has_symbol("torch.npu.Event", "2.9.0");
  (void)facts::onnx_verdict("", "Softmax", 17, soc);
}

}  // namespace

int main() {
  const double anchor = best_ms(20, unpack);
  const double load = best_ms(20, ask);
  const facts::Soc soc = facts::resolve_target("Ascend310P3")->soc;
  const Table& apis = **facts::table("api/torch_to_aten.tsv", {"api"});
  const double all = best_ms(3, [&] {
    for (std::size_t row = 0; row < apis.rows(); ++row) {
      (void)facts::eager_verdict(facts::cell(apis, row, "api"), soc);
    }
  });
  std::printf("facts.load       %6.2f ms  %.2f x unpacking (%.2f ms)\n", load, load / anchor,
              anchor);
  std::printf("facts.verdict    %6.2f us  per API, %.2f ms for all %zu\n",
              1000 * all / static_cast<double>(apis.rows()), all, apis.rows());
  return 0;
}
