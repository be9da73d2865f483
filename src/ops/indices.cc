// Places of elements and blocks by the indices of gathers and scatters.
#include "ops/indices.h"

#include "base/text.h"
#include "ops/walk.h"

namespace godwit::ops {

Result<std::vector<std::size_t>> element_places(const Call& call, std::size_t axis) {
  const Sizes& dims = call.input(0).dims();
  const Sizes& wanted = call.input(1).dims();
  TRY(expect_rank(call, 1, dims.size()));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i != axis && wanted[i] > dims[i]) return refuse_shapes(call, dims, wanted);
  }
  ASSIGN(const Ints indices, call.integers(1));
  std::vector<std::int64_t> steps = strides(dims);
  const std::int64_t along = steps[axis];
  steps[axis] = 0;
  std::vector<std::size_t> out;
  out.reserve(indices.size());
  for (Odometer at(wanted, {steps}); !at.done(); at.next()) {
    ASSIGN(const std::size_t index, place(call, indices[out.size()], dims[axis]));
    out.push_back(at.offset(0) + index * static_cast<std::size_t>(along));
  }
  return out;
}

Result<Blocks> block_places(const Call& call, std::size_t batch_dims) {
  const Sizes& dims = call.input(0).dims();
  const Sizes& rows = call.input(1).dims();
  TRY(expect_rank_from(call, 1, batch_dims + 1));
  TRY(expect_rank_from(call, 0, batch_dims + 1));
  const auto depth = static_cast<std::size_t>(rows.back());
  if (depth > dims.size() - batch_dims) return refuse_shapes(call, dims, rows);
  for (std::size_t i = 0; i < batch_dims; ++i) {
    if (dims[i] != rows[i]) return refuse_shapes(call, dims, rows);
  }
  ASSIGN(const Ints indices, call.integers(1));
  Blocks out;
  out.dims.assign(rows.begin(), rows.end() - 1);
  out.dims.insert(out.dims.end(), dims.begin() + static_cast<std::ptrdiff_t>(batch_dims + depth),
                  dims.end());
  out.block = static_cast<std::size_t>(product(dims, batch_dims + depth, dims.size()));
  const std::int64_t count = product(rows, 0, rows.size() - 1);
  const std::int64_t per_batch = product(rows, batch_dims, rows.size() - 1);
  std::size_t next = 0;
  for (std::int64_t row = 0; row < count; ++row) {
    auto at = static_cast<std::size_t>(row / per_batch);
    for (std::size_t i = 0; i < depth; ++i) {
      const std::int64_t size = dims[batch_dims + i];
      ASSIGN(const std::size_t index, place(call, indices[next++], size));
      at = at * static_cast<std::size_t>(size) + index;
    }
    out.places.push_back(at * out.block);
  }
  return out;
}

}  // namespace godwit::ops
