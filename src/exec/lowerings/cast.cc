// Casts to floats that are carried as fp32: a copy, or a rounding.
#include "exec/lowering.h"
#include "kernels/half.h"

namespace godwit::exec::lowerings {
namespace {

// Whole numbers that fp32 holds, or rounds to the nearest of its own.
template <class Whole>
Result<Step> make_from(const Part& part, std::size_t n) {
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([in, out = part.output(), n, how = part.store().how](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    const Whole* const from = frame.read<Whole>(in);
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
    kernels::narrow(to, to, n, how);
    return {};
  });
}

Result<Step> make(const Part& part) {
  const auto sizes = part.sizes(part.output());
  if (!sizes || !part.is_fp32(part.output())) return Step();
  const auto n = static_cast<std::size_t>(*ir::count(*sizes));
  const bool is_rounded_once = part.store().how == kernels::Narrowing{};
  switch (part.element(part.input(0))) {
    case ir::ElementType::kBool: return make_from<bool>(part, n);
    case ir::ElementType::kUint8: return make_from<std::uint8_t>(part, n);
    case ir::ElementType::kInt32:
      return is_rounded_once ? make_from<std::int32_t>(part, n) : Result<Step>(Step());
    case ir::ElementType::kInt64:
      return is_rounded_once ? make_from<std::int64_t>(part, n) : Result<Step>(Step());
    default: break;
  }
  if (!part.is_fp32(part.input(0))) return Step();
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([in, out = part.output(), n, how = part.store().how](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    kernels::narrow(frame.read<float>(in), to, n, how);
    return {};
  });
}

}  // namespace

extern const Lowering cast = {.ops = {"Cast"}, .make = make};

}  // namespace godwit::exec::lowerings
