// Scattering by the reductions none, add, mul, max and min.
#include "ops/scatter.h"

#include <algorithm>

#include "ops/arithmetic.h"
#include "ops/elements.h"
#include "ops/indices.h"

namespace godwit::ops {
namespace {

template <class T>
using Combine = T (*)(T, T);

template <class T>
Combine<T> combine_of(std::string_view name) {
  if (name == "add") return wrapping_add<T>;
  if (name == "mul") return wrapping_multiply<T>;
  if (name == "max") return larger<T>;
  return name == "min" ? smaller<T> : nullptr;
}

template <class T>
Status reduce(Call& call, const std::vector<std::size_t>& places, std::size_t block) {
  const Combine<T> combine = combine_of<T>(call.text("reduction"));
  if (!combine) return refuse_attribute(call, "reduction");
  const std::span<const T> data = call.values<T>(0), updates = call.values<T>(2);
  ASSIGN(const std::span<T> out, call.make<T>(0, call.input(0).dims()));
  std::copy(data.begin(), data.end(), out.begin());
  std::size_t from = 0;
  for (const std::size_t at : places) {
    for (std::size_t i = 0; i < block; ++i, ++from)
      out[at + i] = combine(out[at + i], updates[from]);
  }
  return {};
}

template <class... Ts>
Status reduce_any(Call& call, const std::vector<std::size_t>& places, std::size_t block,
                  Types<Ts...>) {
  Status out = call.refuse("type", {{"type", std::string(ir::name(call.input(0).type()))}});
  const auto attempt = [&]<class T>() {
    if (call.input(0).type() != ir::kElement<T>) return false;
    out = reduce<T>(call, places, block);
    return true;
  };
  (void)(attempt.template operator()<Ts>() || ...);
  return out;
}

}  // namespace

Status scatter(Call& call, const std::vector<std::size_t>& places, std::size_t block) {
  const std::string_view reduction = call.text("reduction");
  if (!reduction.empty() && reduction != "none") return reduce_any(call, places, block, Numbers());
  const Tensor& data = call.input(0);
  ASSIGN(Tensor* const out, call.make(0, data.type(), data.dims()));
  copy_elements(data, 0, *out, 0, static_cast<std::size_t>(data.count()));
  std::size_t from = 0;
  for (const std::size_t at : places) {
    copy_elements(call.input(2), from, *out, at, block);
    from += block;
  }
  return {};
}

Status scatter_elementwise(Call& call) {
  ASSIGN(const std::size_t axis, call.axis("axis", call.input(0).rank()));
  TRY(expect_sizes(call, 2, call.input(1).dims()));
  ASSIGN(const std::vector<std::size_t> places, element_places(call, axis));
  return scatter(call, places, 1);
}

}  // namespace godwit::ops
