// Parts of a tensor along one axis, each into memory of its own.
#include <cstring>

#include "exec/lowering.h"

namespace godwit::exec::lowerings {
namespace {

Result<Step> make(const Part& part) {
  const auto sizes = part.sizes(part.input(0));
  if (!sizes || !part.is_fp32(part.input(0)) || *ir::count(*sizes) == 0) return Step();
  ASSIGN(const std::size_t axis, part.axis("axis", sizes->size()));
  std::size_t outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= static_cast<std::size_t>((*sizes)[i]);
  std::vector<std::size_t> widths;  // floats of each part that lie together
  for (const ir::ValueId value : part.node().outputs) {
    const auto made = part.sizes(value);
    if (!made) return Step();
    widths.push_back(static_cast<std::size_t>(*ir::count(*made)) / outer);
  }
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  const std::size_t row = static_cast<std::size_t>(*ir::count(*sizes)) / outer;
  return Step([=, outputs = part.node().outputs](Frame& frame) -> Status {
    const float* from = frame.read<float>(in);
    for (std::size_t i = 0; i < outputs.size(); from += widths[i++]) {
      ASSIGN(float* const to, frame.write<float>(outputs[i]));
      for (std::size_t k = 0; k < outer; ++k)
        std::memcpy(to + k * widths[i], from + k * row, widths[i] * sizeof(float));
    }
    return {};
  });
}

}  // namespace

extern const Lowering split = {.ops = {"Split"}, .makes_all = true, .make = make};

}  // namespace godwit::exec::lowerings
