// Where the values of a plan lie: in one planned stretch of memory, in constants, or on their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "exec/interpreter.h"
#include "ir/model.h"
#include "kernels/gemm.h"

namespace godwit::exec {

/// Where a value lies while a plan runs.
struct Placement {
  enum class Kind : std::uint8_t { kOwn, kArena, kConstant };
  Kind kind = Kind::kOwn;
  std::uint64_t offset = 0;      // into the arena
  ir::ValueId base = ir::kNone;  // of an alias in the arena: the value whose bytes it shares
};

/// What a run has beside its plan.
struct RunSetting {
  Arithmetic* arithmetic = nullptr;  // of nodes without a kernel; must outlive the run
  std::shared_ptr<const Liveness> liveness{};
  Tap tap{};               // of the values inside subgraphs
  std::uint64_t seed = 0;  // of random operators without a seed of their own
};

/// The values of one run. Steps read and write through it.
class Frame {
 public:
  Frame(const ir::Model& model, const std::vector<Placement>& placements,
        std::span<std::byte> arena, kernels::Buffer& scratch, RunSetting setting)
      : model_(model),
        placements_(placements),
        arena_(arena),
        scratch_(scratch),
        setting_(std::move(setting)),
        own_(model.values.size()) {}

  /// Elements of a tensor that a step before has made.
  template <class T>
  const T* read(ir::ValueId value) const {
    return static_cast<const T*>(address(value));
  }
  /// Where a step puts the elements of the value; its type is static.
  template <class T>
  Result<T*> write(ir::ValueId value) {
    ASSIGN(void* const at, room(value));
    return static_cast<T*>(at);
  }

  /// Room for the step's own use, until the next step asks.
  float* scratch(std::size_t floats) {
    if (scratch_.size() < floats) scratch_ = kernels::Buffer(floats);
    return scratch_.data();
  }

  /// A node without a kernel.
  Result<std::vector<ir::Datum>> evaluate(const ir::Node& node, std::vector<ir::Datum> inputs) {
    return setting_.arithmetic->evaluate(node, std::move(inputs), host());
  }
  /// Runs the graphs that nodes own: one host for the whole run.
  const ops::Host& host();

  /// The value as the reference executor takes it; shares memory with the frame.
  ir::Datum datum(ir::ValueId value) const;
  /// Keeps what a step made by itself. Errors: E155 it is not what its type says, which steps rely
  /// on. A view of planned memory, which others will write, is
  /// copied.
  Status keep(ir::ValueId value, ir::Datum datum);
  /// Keeps an input of the run, which was checked.
  void bind(ir::ValueId value, ir::Datum datum) { own_[value] = std::move(datum); }
  void release(ir::ValueId value) { own_[value] = {}; }
  /// The value in memory that outlives the frame.
  Result<ir::Datum> take(ir::ValueId value);

 private:
  const void* address(ir::ValueId value) const;
  Status detach(ir::Datum& datum) const;
  Result<void*> room(ir::ValueId value);
  ir::Sizes sizes(ir::ValueId value) const;

  const ir::Model& model_;
  const std::vector<Placement>& placements_;
  std::span<std::byte> arena_;
  kernels::Buffer& scratch_;
  RunSetting setting_;
  std::vector<ir::Datum> own_;
  std::optional<Interpreter> subgraphs_;  // once somebody asks for the host
};

}  // namespace godwit::exec
