// What is known of an operator: looked up once per schema, then a pointer away.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/ScalarType.h>

namespace godwit {

/// How an operator treats numbers.
enum class Numerics : uint8_t {
  kComputes,     // results are rounded and saturate
  kMoves,        // values pass as they are: copies, selections, constants
  kMatmul,       // a product on the cube
  kConvolution,  // the same, with its own rule for fp32
  kSoftmax       // reads saturated values, so that a row of -inf is uniform
};

enum class Verdict : uint8_t { kNotAsked, kRuns, kSaysMore };

constexpr size_t kTypes = static_cast<size_t>(c10::ScalarType::NumOptions);

struct Operator {
  std::string name;  // "aten::mul.Tensor", as the registry spells it
  Numerics numerics = Numerics::kComputes;
  int generator = -1;                // argument that is a generator
  bool draws = false;                // random numbers without a generator argument
  bool takes_host_tensors = false;   // indices, lengths: tensors of the host that are no mistake
  std::vector<bool> writes;          // by argument
  std::vector<bool> is_accumulator;  // by argument: what a product is added to, never rounded
  mutable std::array<std::atomic<Verdict>, kTypes> verdicts{};
  mutable std::array<std::atomic<int64_t>, kTypes> calls{};
  mutable std::atomic<int64_t> saturated{0};  // elements that overflowed or were NaN
};

const Operator& find_operator(const c10::OperatorHandle& handle);

/// All that were looked up so far, for reports.
std::vector<const Operator*> seen_operators();

}  // namespace godwit
