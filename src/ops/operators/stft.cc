// Fourier transforms of frames that slide over a signal, each weighted by a window.
#include "ops/expect.h"
#include "ops/fourier.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

std::optional<Dim> scalar(const Inference& n, std::size_t i) {
  const auto known = n.content(i);
  return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
}

Status infer(Inference& n) {
  Dim batch = Dim::unknown(), length = Dim::unknown();
  if (n.shape(0) && n.shape(0)->size() == 3) {
    batch = (*n.shape(0))[0];
    length = (*n.shape(0))[1];
  }
  Dim frame = length;
  if (n.has_input(3))
    frame = scalar(n, 3).value_or(Dim::unknown());
  else if (n.has_input(2))
    frame = n.shape(2) && n.shape(2)->size() == 1 ? n.shape(2)->front() : Dim::unknown();
  const Dim step = scalar(n, 1).value_or(Dim::unknown());
  n.set(0, n.element(0),
        Shape{batch, floor_div(length - frame, step) + Dim(1),
              n.flag("onesided") ? floor_div(frame, 2) + Dim(1) : frame, 2});
  return {};
}

// The one integer of an input.
Result<std::int64_t> size_of(const Call& call, std::size_t i) {
  ASSIGN(const Ints list, call.integers(i));
  if (list.size() != 1 || list[0] < 1) return refuse_shapes(call, list, call.input(0).dims());
  return list[0];
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 3));
  const Sizes& dims = call.input(0).dims();
  const std::int64_t parts = dims[2];
  if (parts != 1 && parts != 2) return refuse_shapes(call, dims, {2});
  const bool is_onesided = call.flag("onesided");
  if (is_onesided && parts == 2) return refuse_attribute(call, "onesided");
  ASSIGN(const std::int64_t step, size_of(call, 1));
  std::int64_t frame = call.has_input(2) ? call.input(2).count() : dims[1];
  if (call.has_input(3)) {
    ASSIGN(frame, size_of(call, 3));
  }
  if (call.has_input(2)) TRY(expect_sizes(call, 2, {frame}));
  if (frame < 1 || frame > dims[1]) return refuse_shapes(call, {frame}, dims);

  const std::int64_t frames = (dims[1] - frame) / step + 1;
  const std::int64_t bins = is_onesided ? frame / 2 + 1 : frame;
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, {dims[0], frames, bins, 2}));
  const Fourier fourier(static_cast<std::size_t>(frame));
  Spectrum part(fourier.length());
  auto to = y.begin();
  for (std::int64_t i = 0; i < dims[0] * frames; ++i) {
    const std::int64_t first = i / frames * dims[1] + i % frames * step;
    for (std::size_t n = 0; n < part.size(); ++n) {
      const std::size_t at =
          (static_cast<std::size_t>(first) + n) * static_cast<std::size_t>(parts);
      const double weight = call.has_input(2) ? static_cast<double>(call.values<T>(2)[n]) : 1.0;
      part[n] = {weight * static_cast<double>(x[at]),
                 parts == 2 ? weight * static_cast<double>(x[at + 1]) : 0.0};
    }
    for (const auto& each : fourier.forward(part, static_cast<std::size_t>(bins))) {
      *to++ = static_cast<T>(each.real());
      *to++ = static_cast<T>(each.imag());
    }
  }
  return {};
}

}  // namespace

extern const Operator stft = {
    .name = "STFT",
    .doc = "Fourier transforms of windowed frames that slide over a signal.",
    .since = 17,
    .inputs = {{"signal", 'T', kFloats},
               {"frame_step", 'L', kIndices},
               {"window", 'T', kFloats, kOptional},
               {"frame_length", 'L', kIndices, kOptional}},
    .outputs = {{"output", 'T', kFloats}},
    .attributes = {{"onesided", 1}},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
