// Triangles that gather the bins of a spectrum into bands of equal width on the mel scale.
#include <cmath>

#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const auto scalar = [&](std::size_t i) {
    const auto known = n.content(i);
    return known && known->size() == 1 ? known->front() : Dim::unknown();
  };
  n.set(0, static_cast<ElementType>(n.integer("output_datatype")),
        Shape{floor_div(scalar(1), 2) + Dim(1), scalar(0)});
  return {};
}

double mel(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertz(double mels) { return 700 * (std::pow(10, mels / 2595) - 1); }

// Bins of the spectrum at which the triangles begin, peak and end: triangle i spans i to i + 2.
Result<Ints> edges(const Call& call, std::int64_t bands, double length) {
  ASSIGN(const double rate, call.scalar(2));
  ASSIGN(const double low, call.scalar(3));
  ASSIGN(const double high, call.scalar(4));
  const auto count = static_cast<double>(bands + 2);
  const double bins = std::floor(length / 2) + 1, step = (mel(high) - mel(low)) / count;
  Ints out;
  for (double i = 0; i < count; ++i) {
    const double bin = std::floor((length + 1) * hertz(mel(low) + i * step) / rate);
    if (!(bin >= 0 && bin < bins)) return call.refuse("mel", {});
    out.push_back(static_cast<std::int64_t>(bin));
  }
  return out;
}

Status evaluate(Call& call) {
  const auto type = static_cast<ElementType>(call.integer("output_datatype"));
  if (!kNumbers.has(type)) return refuse_attribute(call, "output_datatype");
  ASSIGN(const double bands, call.scalar(0));
  ASSIGN(const double length, call.scalar(1));
  if (bands < 0 || length < 0) return call.refuse("mel", {});
  const auto columns = static_cast<std::int64_t>(bands);
  const std::int64_t bins = static_cast<std::int64_t>(length) / 2 + 1;
  ASSIGN(Tensor matrix, Tensor::make(ElementType::kDouble, {bins, columns}));
  ASSIGN(const Ints edge, edges(call, columns, length));
  const std::span<double> y = matrix.mutable_values<double>();
  for (std::int64_t i = 0; i < columns; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t left = edge[at], peak = edge[at + 1], right = edge[at + 2];
    const auto weight = [&](std::int64_t bin) -> double& {
      return y[static_cast<std::size_t>(bin * columns + i)];
    };
    for (std::int64_t bin = left; bin < peak; ++bin)
      weight(bin) = static_cast<double>(bin - left) / static_cast<double>(peak - left);
    weight(peak) = 1;
    for (std::int64_t bin = peak + 1; bin < right; ++bin)
      weight(bin) = static_cast<double>(right - bin) / static_cast<double>(right - peak);
  }
  ASSIGN(Tensor out, convert(matrix, type));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator mel_weight_matrix = {
    .name = "MelWeightMatrix",
    .doc = "Triangles that gather the bins of a spectrum into bands on the mel scale.",
    .since = 17,
    .inputs = {{"num_mel_bins", 'I', kIndices},
               {"dft_length", 'I', kIndices},
               {"sample_rate", 'I', kIndices},
               {"lower_edge_hertz", 'F', kFloats},
               {"upper_edge_hertz", 'F', kFloats}},
    .outputs = {{"output", 'T', kNumbers}},
    .attributes = {{"output_datatype", 1}},
    .numerics = Numerics::kTranscendental,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
