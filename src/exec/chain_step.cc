// Finds a number of columns that suits all operands, and repeats short constants to fill a chunk.
#include "exec/chain_step.h"

#include <algorithm>
#include <numeric>

#include "kernels/chunks.h"

namespace godwit::exec {

using kernels::ChainLink;
using kernels::ChainOperand;
using kernels::engine::Layout;
using Kind = LinkOperand::Kind;

namespace {

constexpr std::size_t kFewestColumns = 8;      // below, calls cost more than what they do
constexpr std::size_t kFewElements = 1 << 12;  // unless there are hardly any

std::size_t largest_divisor(std::size_t of, std::size_t most) {
  std::size_t out = std::max<std::size_t>(1, std::min(of, most));
  while (of % out != 0) --out;
  return out;
}

}  // namespace

class ChainMaker {
 public:
  ChainMaker(const Part& part, const Layout& layout)
      : part_(part), layout_(layout), sizes_(*part.sizes(part.node().outputs[0])) {
    total_ = static_cast<std::size_t>(*ir::count(sizes_));
    for (const Link& link : part.tail().links) {
      for (const LinkStep& step : link.steps) steps_.push_back(step);
    }
  }

  Result<std::optional<ChainStep>> make(bool stores_first) {
    if (stores_first && !(part_.store().how == kernels::Narrowing{}))
      out_.links_.push_back({.store = part_.store()});
    if (!arrange()) return std::nullopt;
    for (const LinkStep& step : steps_) {
      ChainLink link = step.kernel;
      ASSIGN(link.operand, operand(step.other));
      out_.links_.push_back(link);
      if (step.table) out_.kept_.push_back(step.table);
      if (step.other.made) out_.kept_.push_back(step.other.made);
    }
    return std::optional(std::move(out_));
  }

 private:
  // Brings operands into the order of the layout and chooses rows and columns.
  bool arrange() {
    block_ = layout_.channel_block();
    if (block_ == 0) return false;
    if (block_ > 1 && !reorder()) return false;
    std::size_t columns = 0;
    bool may_repeat = true;
    for (const LinkStep& step : steps_) {
      if (step.other.kind != Kind::kRepeated) continue;
      const bool is_row = step.other.inner > 1;
      columns = std::gcd(columns, is_row ? step.other.inner : step.other.own);
      may_repeat = may_repeat && !is_row && step.other.held && pattern_rows_ == 1;
    }
    for (const LinkStep& step : steps_)
      may_repeat = may_repeat && (step.other.kind != Kind::kRepeated || step.other.own == columns);
    if (columns == 0) columns = total_;
    if (pattern_rows_ > 1)
      columns = pattern_;
    else if (may_repeat && columns < total_)
      columns *= largest_divisor(total_ / columns, kernels::kChunk / columns);
    if (columns < kFewestColumns && total_ > kFewElements) return false;
    out_.columns_ = columns;
    out_.rows_ = columns == 0 ? 0 : total_ / columns;
    return true;
  }

  // Along channels only: all of them side by side, or in blocks, each with a pattern of its own.
  bool reorder() {
    const auto channels = static_cast<std::size_t>(sizes_[1]);
    const std::size_t pixels = total_ / channels / static_cast<std::size_t>(sizes_[0]);
    if (block_ < channels) {
      pattern_rows_ = channels / block_;
      pattern_ = block_ * largest_divisor(pixels, std::max<std::size_t>(1, kPattern / block_));
      row_pixels_ = pixels * block_;
    }
    for (LinkStep& step : steps_) {
      LinkOperand& other = step.other;
      if (other.kind == Kind::kFull && other.held) return false;
      if (other.kind != Kind::kRepeated) continue;
      if (!other.is_channel || !other.held) return false;
      other.inner = 1;
    }
    return true;
  }

  Result<ChainOperand> operand(const LinkOperand& other) {
    switch (other.kind) {
      case Kind::kNone: return ChainOperand{};
      case Kind::kSource: return ChainOperand{.is_source = true};
      case Kind::kScalar: return given(other, {.column_step = 0});
      case Kind::kFull: return given(other, {.row_step = out_.columns_});
      case Kind::kRepeated: break;
    }
    if (pattern_rows_ > 1) return blocks(other.held);
    const std::size_t columns = out_.columns_;
    if (other.inner > 1)
      return given(
          other,
          {.row_step = 1, .column_step = 0, .each = other.inner / columns, .rows = other.own});
    if (other.own >= columns)
      return given(other, {.row_step = columns, .rows = other.own / columns});
    return ChainOperand{.data = repeated(other.held, 1, other.own, columns), .row_step = 0};
  }

  Result<ChainOperand> given(const LinkOperand& other, ChainOperand out) {
    out.data = other.held;
    if (!other.held) {
      const Layout wanted = other.kind == Kind::kFull ? layout_ : Layout();
      ASSIGN(const ir::ValueId value, part_.reads(other.value, wanted));
      out_.read_.emplace_back(out_.links_.size(), value);
    }
    return out;
  }

  ChainOperand blocks(const float* held) {
    return {.data = repeated(held, pattern_rows_, block_, pattern_),
            .row_step = pattern_,
            .each = row_pixels_ / pattern_,
            .rows = pattern_rows_};
  }

  // Rows of `own` values, each repeated to `length`.
  const float* repeated(const float* held, std::size_t rows, std::size_t own, std::size_t length) {
    auto out = std::make_shared<std::vector<float>>(rows * length);
    for (std::size_t i = 0; i < out->size(); ++i)
      (*out)[i] = held[i / length * own + i % length % own];
    const float* const data = out->data();
    out_.kept_.push_back(std::move(out));
    return data;
  }

  static constexpr std::size_t kPattern = 256;

  const Part& part_;
  Layout layout_;
  ir::Sizes sizes_;
  std::size_t total_ = 0;
  std::size_t block_ = 1;
  std::size_t pattern_rows_ = 1, pattern_ = 1, row_pixels_ = 1;  // of an image in blocks
  std::vector<LinkStep> steps_;
  ChainStep out_;
};

Result<std::optional<ChainStep>> ChainStep::make(const Part& part, const Layout& layout,
                                                 bool stores_first) {
  return ChainMaker(part, layout).make(stores_first);
}

void ChainStep::run(Frame& frame, const float* in, float* out) const {
  Links links = links_;
  for (const auto& [at, value] : read_) links[at].operand.data = frame.read<float>(value);
  kernels::chain({.in = in, .out = out, .rows = rows_, .columns = columns_, .links = links});
}

}  // namespace godwit::exec
