// Cuts the tensor into chunks and takes each through the steps.
#include "kernels/chain.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/parallel.h"
#include "kernels/chunks.h"
#include "kernels/elementwise_loops.h"

namespace godwit::kernels {
namespace {

// Without a row or a column to repeat, all is one row.
bool is_flat(const Chain& call) {
  return std::all_of(call.links.begin(), call.links.end(), [&](const ChainLink& link) {
    const ChainOperand& other = link.operand;
    const bool is_scalar = other.column_step == 0 && other.row_step == 0;
    const bool is_dense = other.column_step == 1 && other.row_step == call.columns &&
                          other.each == 1 && other.rows >= call.rows;
    return link.kind != ChainLink::Kind::kBinary || other.is_source || is_scalar || is_dense;
  });
}

// Whether this link and the three behind it are a normalisation of one pattern, stored once.
bool is_normalization(std::span<const ChainLink> links) {
  constexpr Binary kSteps[] = {Binary::kSubtract, Binary::kDivide, Binary::kMultiply, Binary::kAdd};
  if (links.size() < std::size(kSteps)) return false;
  for (std::size_t i = 0; i < std::size(kSteps); ++i) {
    const ChainLink& link = links[i];
    const bool is_step = link.kind == ChainLink::Kind::kBinary && link.binary == kSteps[i] &&
                         !link.is_swapped && !link.operand.is_source &&
                         link.operand.column_step == links[0].operand.column_step;
    if (!is_step || (i + 1 < std::size(kSteps) && link.store.how != Narrowing{})) return false;
  }
  return true;
}

// Whether rounding once more changes and loses nothing: of a saturating store nothing but finite
// numbers of its format comes.
bool keeps_rounded(std::span<const ChainLink> links, std::size_t at) {
  const ChainLink& link = links[at];
  const bool is_exact =
      link.kind == ChainLink::Kind::kUnary &&
      (link.unary == Unary::kRelu || link.unary == Unary::kAbs || link.unary == Unary::kNegate);
  return is_exact && at > 0 && links[at - 1].store.how == link.store.how &&
         link.store.how.overflow == Overflow::kSaturate;
}

void count_lost(const HalfTable& table, const float* in, std::size_t n, Losses& losses) {
  std::uint16_t codes[kChunk];
  to_codes(in, codes, n, kHalf);
  for (std::size_t i = 0; i < n; ++i) {
    losses.overflows += table.lost[codes[i]] == 1;
    losses.nans += table.lost[codes[i]] == 2;
  }
}

/// One run over a tensor: what all chunks share.
class Run {
 public:
  explicit Run(const Chain& call)
      : call_(call), loops_(elementwise_loops()), rows_(call.rows), columns_(call.columns) {
    if (is_flat(call)) {
      rows_ = 1;
      columns_ = call.rows * call.columns;
    }
    keeps_source_ = call.in == call.out &&
                    std::any_of(call.links.begin(), call.links.end(),
                                [](const ChainLink& link) { return link.operand.is_source; });
  }

  void all() {
    if (rows_ * columns_ == 0) return;
    const std::size_t pieces = (columns_ + kChunk - 1) / kChunk;
    const std::size_t per_task = std::max<std::size_t>(1, kTask / std::min(columns_, kChunk));
    const std::size_t count = rows_ * pieces;
    std::mutex mutex;
    parallel_for((count + per_task - 1) / per_task, [&](std::size_t task, std::size_t) {
      std::vector<Losses> losses(call_.links.size());
      const std::size_t end = std::min(count, (task + 1) * per_task);
      for (std::size_t index = task * per_task; index < end; ++index) {
        const std::size_t column = index % pieces * kChunk;
        chunk(index / pieces, column, std::min(kChunk, columns_ - column), losses);
      }
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < losses.size(); ++i) {
        if (call_.links[i].store.losses != nullptr) *call_.links[i].store.losses += losses[i];
      }
    });
  }

 private:
  void chunk(std::size_t row, std::size_t column, std::size_t n, std::vector<Losses>& losses) {
    float kept[kChunk];
    const std::size_t at = row * columns_ + column;
    const float* source = call_.in + at;
    if (keeps_source_) {
      std::copy(source, source + n, kept);
      source = kept;
    }
    const float* from = call_.in + at;
    float* const out = call_.out + at;
    for (std::size_t i = 0; i < call_.links.size(); ++i, from = out) {
      const std::span<const ChainLink> left = call_.links.subspan(i);
      if (is_normalization(left)) {
        i += 3;
        const Normalization by{.mean = operand(left[0], row, column),
                               .deviation = operand(left[1], row, column),
                               .scale = operand(left[2], row, column),
                               .shift = operand(left[3], row, column),
                               .step = left[0].operand.column_step};
        loops_.normalize(by, left[3].store.how, from, out, n, losses[i]);
        continue;
      }
      const ChainLink& link = call_.links[i];
      step(link, row, column, source, from, out, n, losses[i]);
      if (link.kind == ChainLink::Kind::kTable || keeps_rounded(call_.links, i)) continue;
      round_to_store(out, n, link.store, losses[i]);
    }
  }

  static const float* operand(const ChainLink& link, std::size_t row, std::size_t column) {
    const ChainOperand& other = link.operand;
    return other.data + row / other.each % other.rows * other.row_step + column * other.column_step;
  }

  void step(const ChainLink& link, std::size_t row, std::size_t column, const float* source,
            const float* from, float* out, std::size_t n, Losses& losses) const {
    switch (link.kind) {
      case ChainLink::Kind::kUnary:
        if (link.unary == Unary::kIdentity && from == out) return;
        return loops_.unary(link.unary, from, out, n, link.a, link.b);
      case ChainLink::Kind::kTable:
        if (link.table.lost != nullptr) count_lost(link.table, from, n, losses);
        return loops_.lookup(link.table.values, from, out, n);
      case ChainLink::Kind::kBinary: break;
    }
    const ChainOperand& other = link.operand;
    const std::size_t step = other.is_source ? 1 : other.column_step;
    const float* const data = other.is_source ? source : operand(link, row, column);
    if (link.is_swapped) return loops_.binary(link.binary, data, step, from, 1, out, n);
    loops_.binary(link.binary, from, 1, data, step, out, n);
  }

  const Chain& call_;
  const ElementwiseLoops& loops_;
  std::size_t rows_, columns_;
  bool keeps_source_ = false;
};

}  // namespace

void chain(const Chain& call) { Run(call).all(); }

}  // namespace godwit::kernels
