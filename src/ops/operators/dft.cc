// Discrete Fourier transform along one axis, of real or complex signals, in both directions.
#include "base/text.h"
#include "ops/expect.h"
#include "ops/fourier.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

constexpr std::int64_t kLongest = 1 << 24;  // the definition takes its square in steps

struct Direction {
  bool is_inverse, is_onesided;
  // Numbers along the axis of the output, for a transform of this length.
  Dim made(Dim length) const {
    return is_onesided && !is_inverse ? floor_div(length, 2) + Dim(1) : length;
  }
  Dim default_length(Dim signal) const {
    return is_onesided && is_inverse ? (signal - Dim(1)) * Dim(2) : signal;
  }
  std::int64_t parts() const { return is_onesided && is_inverse ? 1 : 2; }
};
Direction read_direction(const Site& site) { return {site.flag("inverse"), site.flag("onesided")}; }

// The last axis holds the parts of a number; no signal runs along it.
Result<std::size_t> signal_axis(const Site& site, std::int64_t axis, std::size_t rank) {
  ASSIGN(const std::size_t out, site.axis(axis, rank));
  if (out + 1 < rank) return out;
  return site.refuse("axis", {{"axis", format("{}", axis)}, {"rank", format("{}", rank)}});
}

Status infer(Inference& n) {
  n.set(0, n.element(0), std::nullopt);
  if (!n.shape(0) || n.shape(0)->empty()) return {};
  const Direction direction = read_direction(n);
  Shape out = *n.shape(0);
  std::optional<std::int64_t> axis = n.opset() < 20 ? n.integer("axis") : -2;
  if (n.has_input(2)) {
    const auto given = n.integers(2);
    axis = given && given->size() == 1 ? std::optional(given->front()) : std::nullopt;
  }
  if (axis) {
    ASSIGN(const std::size_t at, signal_axis(n, *axis, out.size()));
    const auto given = n.content(1);
    Dim length = direction.default_length(out[at]);
    if (n.has_input(1)) length = given && given->size() == 1 ? given->front() : Dim::unknown();
    out[at] = direction.made(length);
  } else {
    std::fill(out.begin(), out.end() - 1, Dim::unknown());
  }
  out.back() = direction.parts();
  n.set(0, n.element(0), std::move(out));
  return {};
}

// A spectrum of which only the first half is given: the rest are its conjugates.
Spectrum completed(const Spectrum& half, std::size_t length) {
  Spectrum out(length);
  for (std::size_t k = 0; k < half.size() && k <= length / 2 && k < length; ++k) {
    out[k] = half[k];
    if (k > 0) out[length - k] = std::conj(half[k]);
  }
  out[0] = out[0].real();
  if (length % 2 == 0) out[length / 2] = out[length / 2].real();
  return out;
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 2));
  const Sizes& dims = call.input(0).dims();
  const std::int64_t parts = dims.back();
  if (parts != 1 && parts != 2) return refuse_shapes(call, dims, {2});
  const Direction direction = read_direction(call);
  if (direction.is_onesided && !direction.is_inverse && parts == 2)
    return refuse_attribute(call, "onesided");
  std::int64_t given_axis = call.opset() < 20 ? call.integer("axis") : -2;
  if (call.has_input(2)) {
    ASSIGN(const Ints axis, call.integers(2));
    if (axis.size() != 1) return refuse_shapes(call, call.input(2).dims(), {});
    given_axis = axis.front();
  }
  ASSIGN(const std::size_t axis, signal_axis(call, given_axis, dims.size()));
  Ints length = {direction.default_length(dims[axis]).value()};
  if (call.has_input(1)) {
    ASSIGN(length, call.integers(1));
  }
  if (length.size() != 1 || length[0] < 1 || length[0] > kLongest)
    return refuse_shapes(call, length, dims);
  Sizes made = dims;
  made[axis] = direction.made(length[0]).value();
  made.back() = direction.parts();
  ASSIGN(const std::span<T> y, call.make<T>(0, made));

  // Lanes of the first parts; the second parts stand one element behind.
  const std::span<const T> x = call.values<T>(0);
  const auto step_in = static_cast<std::size_t>(parts);
  const auto step_out = static_cast<std::size_t>(direction.parts());
  const Sizes signals(dims.begin(), dims.end() - 1), results(made.begin(), made.end() - 1);
  std::vector<Lane> from, to;
  for_each_lane(signals, axis, [&](const Lane& lane) { from.push_back(lane); });
  for_each_lane(results, axis, [&](const Lane& lane) { to.push_back(lane); });
  const Fourier fourier(static_cast<std::size_t>(length[0]));
  for (std::size_t i = 0; i < from.size(); ++i) {
    Spectrum signal(std::min(from[i].count, fourier.length()));
    for (std::size_t n = 0; n < signal.size(); ++n) {
      const std::size_t at = from[i][n] * step_in;
      signal[n] = {static_cast<double>(x[at]), parts == 2 ? static_cast<double>(x[at + 1]) : 0.0};
    }
    Spectrum result;
    if (!direction.is_inverse) {
      signal.resize(fourier.length());
      result = fourier.forward(signal, to[i].count);
    } else if (direction.is_onesided) {
      result = fourier.inverse(completed(signal, fourier.length()));
    } else {
      signal.resize(fourier.length());
      result = fourier.inverse(std::move(signal));
    }
    for (std::size_t k = 0; k < to[i].count; ++k) {
      y[to[i][k] * step_out] = static_cast<T>(result[k].real());
      if (step_out == 2) y[to[i][k] * step_out + 1] = static_cast<T>(result[k].imag());
    }
  }
  return {};
}

}  // namespace

extern const Operator dft = {
    .name = "DFT",
    .doc = "Discrete Fourier transform along one axis, or its inverse.",
    .since = 17,
    .inputs = {{"input", 'T', kFloats},
               {"dft_length", 'L', kIndices, kOptional},
               {.name = "axis", .variable = 'A', .types = kInt64, .kind = kOptional, .since = 20}},
    .outputs = {{"output", 'T', kFloats}},
    .attributes = {{.name = "axis", .fallback = 1, .until = 19}, {"inverse", 0}, {"onesided", 0}},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
