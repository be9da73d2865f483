// Operands in the format that the cube reads.
#include "exec/cube.h"

namespace godwit::exec {

Cube::Cube(const Part& part, facts::CubeInput reads)
    : reads_(cube_narrowing(part.npu()->chip(), !part.npu()->options().keeps_fp32, reads)),
      order_(summation(part.npu()->chip(), part.npu()->options().order)),
      losses_(part.store().losses) {}

CubeWeights Cube::weights(const float* values, std::size_t count) const {
  if (reads_stored()) return {.data = values};
  CubeWeights out{.own = std::vector<float>(count)};
  out.losses = kernels::narrow(values, out.own.data(), count, reads_);
  out.data = out.own.data();
  return out;
}

Result<Step> CubeProduct::step(const Part& part, bool shares_b) {
  call.order = cube.order();
  call.epilogue.store = part.store().how;
  call.epilogue.losses = part.store().losses;
  ASSIGN(const std::optional<ChainStep> chain, ChainStep::make(part, {}, false));
  if (!chain) return Step();
  std::shared_ptr<const CubeWeights> weights;
  std::shared_ptr<const kernels::PackedMatrix> packed;
  if (const float* const values = part.floats(part.input(1))) {
    CubeWeights read = cube.weights(values, b_count);
    if (shares_b) {
      call.b.data = read.data;
      packed = std::make_shared<const kernels::PackedMatrix>(
          kernels::Side::kRight, call.k, call.n, call.b, kernels::block_depth(call.k, call.order));
      read = {.losses = read.losses};
      part.packed(part.input(1));
    }
    weights = std::make_shared<const CubeWeights>(std::move(read));
  }
  ASSIGN(const ir::ValueId left, part.reads(part.input(0)));
  ASSIGN(const ir::ValueId right,
         weights ? Result<ir::ValueId>(ir::kNone) : part.reads(part.input(1)));
  return Step([=, self = *this, chain = *chain, out = part.output()](Frame& frame) -> Status {
    kernels::Gemm now = self.call;
    ASSIGN(now.c, frame.write<float>(out));
    const std::size_t room = self.cube.reads_stored() ? 0 : self.a_count;
    const bool reads_right = room && !weights;
    float* const free = frame.scratch(room + (reads_right ? self.b_count : 0));
    now.a.data = self.cube.read(frame.read<float>(left), self.a_count, free);
    now.packed_b = packed.get();
    if (weights) {
      self.cube.add(weights->losses);
      now.b.data = weights->data;
    } else {
      now.b.data = self.cube.read(frame.read<float>(right), self.b_count, free + room);
    }
    kernels::gemm(now);
    if (!chain.is_empty()) chain.run(frame, now.c, now.c);
    return {};
  });
}

const float* Cube::read(const float* values, std::size_t count, float* room) const {
  if (reads_stored()) return values;
  add(kernels::narrow(values, room, count, reads_));
  return room;
}

}  // namespace godwit::exec
