// Applies metrics, gates and causes to one value.
#include "compare/layer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/parallel.h"
#include "base/text.h"
#include "compare/cause.h"
#include "compare/gate.h"
#include "compare/metric.h"

namespace godwit::compare {
namespace {

// A value that was lost weighs more than any rounding.
constexpr double kLostValue = 1e3;

std::string surest(const Pair& pair, const Layer& layer) {
  std::string out;
  double best = 0;
  for (const Cause* const cause : kCauses) {
    const double likelihood = cause->likelihood(pair, layer);
    if (likelihood <= best) continue;
    best = likelihood;
    out = cause->code;
  }
  return out;
}

double risk_of(const Pair& pair, const Layer& layer) {
  const double unit = std::max(unit_roundoff(pair.stored), 0x1p-24);
  const double added = std::max(0.0, layer.figure("relative_rmse") - layer.input_error) / unit;
  const double lost = layer.figure("non_finite") + layer.figure("saturated") +
                      static_cast<double>(layer.overflows + layer.nans);
  return added + kLostValue * std::log2(1 + lost);
}

}  // namespace

double measure(std::string_view metric, const Pair& pair) {
  for (const Metric* const each : kMetrics) {
    if (each->name == metric) return each->measure(pair);
  }
  std::abort();
}

bool Layer::passes(std::string_view gate) const {
  return std::all_of(verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) {
    return verdict.gate != gate || verdict.passes;
  });
}

void judge(const Pair& pair, Layer& layer) {
  // Each reads the whole pair and nothing else.
  std::vector<double> figures(kMetrics.size());
  parallel_for(kMetrics.size(), [&](std::size_t i, std::size_t) {
    figures[i] = kMetrics[i]->measure(pair);
    if (kMetrics[i]->histogram) layer.ulps = kMetrics[i]->histogram(pair);
  });
  for (std::size_t i = 0; i < figures.size(); ++i) layer.figures[kMetrics[i]->name] = figures[i];
  for (const Gate* const gate : kGates)
    layer.verdicts.push_back({gate->name, gate->passes(pair, layer)});
  layer.risk = risk_of(pair, layer);
  const bool is_beyond = std::any_of(layer.verdicts.begin(), layer.verdicts.end(),
                                     [](const Verdict& verdict) { return !verdict.passes; });
  if (is_beyond) layer.cause = surest(pair, layer);
}

Json to_json(const Layer& layer) {
  Json out = Json::object();
  out.set("value", to_valid_utf8(layer.value));
  out.set("op", to_valid_utf8(layer.op));
  out.set("node", to_valid_utf8(layer.node));
  out.set("output", layer.is_output);
  out.set("depth", layer.depth);
  for (const auto& [name, figure] : layer.figures) out.set(name, figure);
  Json ulps = Json::array();
  for (const std::uint64_t count : layer.ulps) ulps.add(count);
  out.set("ulps", std::move(ulps));
  out.set("overflows", layer.overflows);
  out.set("nans", layer.nans);
  out.set("tier", layer.tier);
  out.set("band", layer.band);
  out.set("risk", layer.risk);
  for (const Verdict& verdict : layer.verdicts)
    out.set(format("passes_{}", verdict.gate), verdict.passes);
  out.set("cause", layer.cause);
  return out;
}

}  // namespace godwit::compare
