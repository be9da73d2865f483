// Choosing steps for the nodes of a model, and places for the values between them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exec/lowering.h"
#include "exec/plan.h"

namespace godwit::exec {

class Planner : private Layouts {
 public:
  using Narrowings = std::function<kernels::Narrowing(ir::ValueId)>;

  /// Of a model with types and folded constants, whose values `arithmetic` carries; kernels that
  /// compute for no chip round what they store by `narrowing`.
  Planner(ir::Model model, const PlanOptions& options, const Arithmetic& arithmetic,
          Narrowings narrowing);
  Result<Plan> make();

 private:
  using Layout = kernels::engine::Layout;

  Layout of(ir::ValueId value) const override { return layouts_[value]; }
  Result<ir::ValueId> as(ir::ValueId value, const Layout& layout) override;
  void set(ir::ValueId value, const Layout& layout) override;
  bool may_be_blocked(ir::ValueId value) const override {
    return options_.blocks && !is_seen_[value];
  }

  void mark_seen();
  void choose_tails();
  Tail tail_of(ir::NodeId id, const Lowering& lowering);
  Tail chain_of(ir::NodeId id);
  const Lowering* lowering_of(ir::NodeId id) const {
    return find_lowering(model_->nodes[id], options_.npu != nullptr);
  }
  Status add_single(ir::NodeId id);
  Status add_node(ir::NodeId id);
  Result<bool> lower(ir::NodeId anchor);
  Status add_alias(ir::NodeId id);
  Status add_reference(ir::NodeId id);
  void add_stage(ir::NodeId id, Step step, const std::vector<ir::ValueId>& uses,
                 std::vector<ir::ValueId> makes);
  bool is_alias(const ir::Node& node) const;
  ir::ValueId base(ir::ValueId value) const;
  ir::ValueId add_hidden(ir::ValueId like, const Layout& layout);
  std::uint64_t bytes(ir::ValueId value) const;
  Status place();
  void release_own();
  void drop(const std::vector<ir::ValueId>& packed);

  std::shared_ptr<ir::Model> model_;
  PlanOptions options_;
  const Arithmetic& arithmetic_;
  Narrowings narrowing_;
  ir::Users users_;
  std::optional<Linker> linker_;
  Plan plan_;
  std::vector<Tail> tails_;                  // by node
  std::vector<ir::NodeId> anchor_at_;        // by node: whose step is emitted here
  std::vector<bool> is_fused_;               // by node: part of another's tail
  std::vector<bool> is_seen_;                // by value: others than steps look at it
  std::vector<Layout> layouts_;              // by value
  std::vector<std::uint32_t> first_, last_;  // by value: steps that make and last use it
  std::vector<std::pair<ir::ValueId, ir::ValueId>> copies_;  // a value, and it in another order
  std::size_t dropped_ = 0;  // bytes of weights that wait to be given back
};

}  // namespace godwit::exec
