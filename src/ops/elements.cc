// Copies by runs of neighbours where the strides allow it.
#include "ops/elements.h"

#include <cstring>

namespace godwit::ops {

void copy_elements(const Tensor& from, std::size_t at, Tensor& to, std::size_t where,
                   std::size_t count) {
  if (count == 0) return;
  if (from.type() == ElementType::kString) {
    const auto source = from.values<std::string>().subspan(at, count);
    std::copy(source.begin(), source.end(),
              to.mutable_values<std::string>().subspan(where).begin());
    return;
  }
  const std::size_t width = ir::bytes_in_memory(from.type());
  std::memcpy(to.mutable_data() + where * width, from.data() + at * width, count * width);
}

Result<Tensor> strided(const Tensor& from, Sizes dims, const std::vector<std::int64_t>& steps,
                       std::int64_t start) {
  ASSIGN(Tensor out, Tensor::make(from.type(), dims));
  if (out.empty()) return out;
  // The innermost axis is walked here, the others by the odometer.
  const bool has_rows = !dims.empty();
  const auto length = has_rows ? static_cast<std::size_t>(dims.back()) : 1;
  const std::int64_t step = has_rows ? steps.back() : 1;
  std::vector<std::int64_t> outer_steps = steps;
  if (has_rows) {
    dims.pop_back();
    outer_steps.pop_back();
  }
  std::size_t where = 0;
  for (Odometer at(std::move(dims), {std::move(outer_steps)}); !at.done(); at.next()) {
    const std::size_t first = static_cast<std::size_t>(start) + at.offset(0);
    if (step == 1) {
      copy_elements(from, first, out, where, length);
      where += length;
      continue;
    }
    for (std::size_t i = 0; i < length; ++i)
      copy_elements(from, first + i * static_cast<std::size_t>(step), out, where++);
  }
  return out;
}

Result<Tensor> joined(std::span<const Tensor> parts, std::size_t axis) {
  Sizes dims = parts[0].dims();
  for (const Tensor& part : parts.subspan(1)) dims[axis] += part.dims()[axis];
  ASSIGN(Tensor out, Tensor::make(parts[0].type(), dims));
  if (out.empty()) return out;
  const auto outer = static_cast<std::size_t>(product(dims, 0, axis));
  const auto inner = static_cast<std::size_t>(product(dims, axis + 1, dims.size()));
  std::size_t where = 0;
  for (std::size_t row = 0; row < outer; ++row) {
    for (const Tensor& part : parts) {
      const std::size_t run = static_cast<std::size_t>(part.dims()[axis]) * inner;
      copy_elements(part, row * run, out, where, run);
      where += run;
    }
  }
  return out;
}

Result<Tensor> part_of(const Tensor& whole, std::size_t axis, std::int64_t first,
                       std::int64_t size) {
  Sizes dims = whole.dims();
  const std::vector<std::int64_t> steps = strides(dims);
  dims[axis] = size;
  return strided(whole, std::move(dims), steps, first * steps[axis]);
}

Result<Tensor> taken(const Tensor& from, std::size_t axis, const std::vector<std::size_t>& places,
                     Sizes dims) {
  ASSIGN(Tensor out, Tensor::make(from.type(), std::move(dims)));
  if (out.empty()) return out;
  const auto outer = static_cast<std::size_t>(product(from.dims(), 0, axis));
  const auto length = static_cast<std::size_t>(from.dims()[axis]);
  const auto inner = static_cast<std::size_t>(product(from.dims(), axis + 1, from.rank()));
  std::size_t where = 0;
  for (std::size_t row = 0; row < outer; ++row) {
    for (const std::size_t at : places) {
      copy_elements(from, (row * length + at) * inner, out, where, inner);
      where += inner;
    }
  }
  return out;
}

Result<Tensor> filled(const Tensor& value, std::size_t element, Sizes dims) {
  ASSIGN(Tensor out, Tensor::make(value.type(), std::move(dims)));
  for (std::size_t i = 0; i < static_cast<std::size_t>(out.count()); ++i)
    copy_elements(value, element, out, i);
  return out;
}

}  // namespace godwit::ops
