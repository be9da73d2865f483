// Chains of element-wise nodes under the numerics of a chip: each value between is rounded as the
// chip stores it, and none of them makes a trip to memory.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exec/half_tables.h"
#include "ir/model.h"
#include "kernels/chain.h"

namespace godwit::exec {

/// How the other operand of a step repeats over the elements in row-major order: element e takes
/// number e / inner % own of it.
struct LinkOperand {
  enum class Kind : std::uint8_t { kNone, kScalar, kRepeated, kFull, kSource };
  Kind kind = Kind::kNone;
  std::size_t own = 1;
  std::size_t inner = 1;
  bool is_channel = false;        // along axis 1, so that other orders of an image can have it too
  ir::ValueId value = ir::kNone;  // read in each run; none: `held`
  const float* held = nullptr;    // a constant
  std::shared_ptr<const std::vector<float>> made{};  // what `held` points into, where it is ours
};

struct LinkStep {
  kernels::ChainLink kernel{};
  LinkOperand other{};
  std::shared_ptr<const HalfValues> table{};
};

/// One node of a chain: its last step is the one that is stored.
struct Link {
  ir::NodeId node = ir::kNone;
  std::vector<LinkStep> steps{};
};

/// Where and on what a chain goes.
struct LinkPlace {
  ir::ValueId from = ir::kNone;    // what the node takes from the one before
  ir::ValueId source = ir::kNone;  // what the chain starts from
};

/// What decides about links: the model, the chip, and the tables that were made before.
class Linker {
 public:
  Linker(const ir::Model& model, Npu& npu) : model_(model), npu_(npu) {}

  /// The node as a link of a chain of fp32 tensors with static sizes; nothing when it is none.
  std::optional<Link> link(ir::NodeId node, const LinkPlace& place);

 private:
  std::optional<LinkOperand> operand(ir::ValueId value, const LinkPlace& place) const;
  std::optional<Link> binary(ir::NodeId node, const LinkPlace& place, kernels::Binary op);
  std::optional<Link> normalization(ir::NodeId node, const LinkPlace& place);
  std::optional<Link> table(ir::NodeId node, const LinkPlace& place);
  bool holds_halves(ir::ValueId value) const;
  bool is_real(ir::ValueId value) const;

  const ir::Model& model_;
  Npu& npu_;
  HalfTables tables_;
};

}  // namespace godwit::exec
