// Rows over the threads: what happens in a row stays in the first-level cache.
#include "kernels/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/chunks.h"
#include "kernels/row_loops.h"

namespace godwit::kernels {
namespace {

std::size_t rows_per_task(std::size_t columns) {
  return std::max<std::size_t>(1, kTask / std::max<std::size_t>(1, columns));
}

void softmax_row(const RowLoops& loops, const float* in, float* out, std::size_t columns) {
  const float top = loops.maximum(in, columns);
  loops.divide(out, loops.exp_sum(in, top, out, columns), columns);
}

void normalize_row(const RowLoops& loops, const float* in, float* out, std::size_t columns,
                   const Norm& norm) {
  const auto n = static_cast<float>(columns);
  const float mean = norm.centred ? loops.sum(in, columns) / n : 0.0f;
  const float variance = loops.square_sum(in, columns, mean) / n;
  loops.normalize(in, mean, std::sqrt(variance + norm.epsilon), norm, out, columns);
}

float reduce_row(const RowLoops& loops, Reduction reduction, const float* in, std::size_t columns) {
  switch (reduction) {
    case Reduction::kSum: return loops.sum(in, columns);
    case Reduction::kMean: return loops.sum(in, columns) / static_cast<float>(columns);
    case Reduction::kMaximum: return loops.maximum(in, columns);
    case Reduction::kMinimum: return loops.minimum(in, columns);
    case Reduction::kSquareSum: return loops.square_sum(in, columns, 0);
  }
  return 0;
}

float start_of(Reduction reduction) {
  if (reduction == Reduction::kMaximum) return -std::numeric_limits<float>::infinity();
  if (reduction == Reduction::kMinimum) return std::numeric_limits<float>::infinity();
  return 0;
}

}  // namespace

void softmax(const Rows& call) {
  const RowLoops& loops = row_loops();
  if (call.columns == 0) return;
  for_each_item(call.rows, rows_per_task(call.columns), call.store,
                [&](std::size_t row, Losses& losses) {
                  float* const out = call.out + row * call.columns;
                  softmax_row(loops, call.in + row * call.columns, out, call.columns);
                  round_to_store(out, call.columns, call.store, losses);
                });
}

void normalize(const Rows& call, const Norm& norm) {
  const RowLoops& loops = row_loops();
  if (call.columns == 0) return;
  for_each_item(call.rows, rows_per_task(call.columns), call.store,
                [&](std::size_t row, Losses& losses) {
                  float* const out = call.out + row * call.columns;
                  normalize_row(loops, call.in + row * call.columns, out, call.columns, norm);
                  round_to_store(out, call.columns, call.store, losses);
                });
}

void reduce_rows(Reduction reduction, const Rows& call) {
  const RowLoops& loops = row_loops();
  for_each_item(call.rows, rows_per_task(call.columns), call.store,
                [&](std::size_t row, Losses& losses) {
                  float* const out = call.out + row;
                  *out = reduce_row(loops, reduction, call.in + row * call.columns, call.columns);
                  round_to_store(out, 1, call.store, losses);
                });
}

void reduce_columns(Reduction reduction, const Rows& call) {
  const RowLoops& loops = row_loops();
  for_each_chunk(1, call.columns, call.store, [&](std::size_t, std::size_t at, std::size_t n) {
    float* const out = call.out + at;
    std::fill_n(out, n, start_of(reduction));
    for (std::size_t row = 0; row < call.rows; ++row) {
      loops.fold(reduction, call.in + row * call.columns + at, out, n);
    }
    if (reduction == Reduction::kMean) loops.divide(out, static_cast<float>(call.rows), n);
    return out;
  });
}

}  // namespace godwit::kernels
