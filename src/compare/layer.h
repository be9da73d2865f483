// One compared value of a model: what it is, how far it is off, what the gates say and why it is
// so.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "compare/pair.h"
#include "ops/operator.h"

namespace godwit::compare {

/// Says of a gate whether a value passes, and in how many words not.
struct Verdict {
  std::string_view gate;
  bool passes = true;
};

struct Layer {
  std::string value{}, op{}, node{};
  ops::Numerics numerics = ops::Numerics::kExact;
  bool is_output = false;
  std::size_t depth = 0;    // roundings on the longest way to it
  double unit = 0;          // largest relative rounding on the way: stores and operands
  std::int64_t summed = 0;  // products or terms in one sum; 0: none
  /// Whether sums on the way are known to be kept in fp16; nothing when the values alone must tell.
  std::optional<bool> narrow_accumulator{};
  double input_error = 0;                 // largest relative RMSE of what it is made from
  std::uint64_t overflows = 0, nans = 0;  // that the store could not keep, as the run counted them
  double band = 0;                        // estimated, see exec::Effect
  std::string tier{};                     // "T0", "T1", "T2"

  std::map<std::string_view, double> figures{};  // by metric
  std::vector<std::uint64_t> ulps{};             // histogram
  std::vector<Verdict> verdicts{};
  std::string cause{};  // code of a message; empty: within the tolerance

  double figure(std::string_view metric) const {
    const auto found = figures.find(metric);
    return found == figures.end() ? 0 : found->second;
  }
  bool passes(std::string_view gate) const;
  /// How much worse than its inputs it is, in roundings of the stored type; more where values were
  /// lost. Layers are ranked by it.
  double risk = 0;
};

/// Fills figures, verdicts, cause and risk from the values; all else must be set.
void judge(const Pair& pair, Layer& layer);

Json to_json(const Layer& layer);

}  // namespace godwit::compare
