// Functions of one number as tables: where inputs are fp16, an operator has 65536 results, made
// once by its own evaluation, so that the bits are those of the interpreter.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/npu.h"
#include "kernels/chain.h"

namespace godwit::exec {

/// The results of a node for every fp16 number, as they are stored.
struct HalfValues {
  std::vector<float> values{};
  std::vector<std::uint8_t> lost{};  // of each; empty: none loses
  kernels::HalfTable table() const { return {values.data(), lost.empty() ? nullptr : lost.data()}; }
};

/// Tables of a plan; equal nodes share one.
class HalfTables {
 public:
  /// Of a node that takes `from` and beside it constants of one element; null when it is no
  /// function of one number. `rank` is that of the tensor it will be applied to.
  std::shared_ptr<const HalfValues> of(const ir::Model& model, const Npu& npu, const ir::Node& node,
                                       ir::ValueId from, std::size_t rank);

 private:
  std::map<std::string, std::shared_ptr<const HalfValues>> tables_;
};

}  // namespace godwit::exec
