// Random numbers that depend on seeds alone, so that a run can be repeated on any machine.
#pragma once

#include <cstdint>

#include "ir/number.h"
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops {

/// SplitMix64 (Steele, Lea, Flood 2014): a counter that is mixed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// From the attribute `seed`, else from the seed of the run and the name of the node; each call
  /// of the same node goes on with other numbers.
  static Random of(const Call& call);

  std::uint64_t bits();
  double uniform();  // in [0, 1)
  double normal();   // of mean 0 and deviation 1, by Box and Muller

 private:
  std::uint64_t state_;
};

/// Shape rule of RandomNormalLike and its kin: the shape of input 0, the type that `dtype` names.
Status infer_random_like(Inference& n);

/// Fills output 0, of the type that `dtype` names (else `fallback`), with what `draw` returns.
template <class Draw>
Status fill_random(Call& call, ElementType fallback, const Sizes& dims, Draw&& draw) {
  const auto said = static_cast<ElementType>(call.integer("dtype"));
  const ElementType type = said == ElementType::kUndefined ? fallback : said;
  if (!(kNumbers | kBool).has(type))
    return call.refuse("type", {{"type", std::string(ir::name(type))}});
  ASSIGN(Tensor* const y, call.make(0, type, dims));
  Random random = Random::of(call);
  for (std::size_t i = 0; i < static_cast<std::size_t>(y->count()); ++i)
    ir::store(type, y->mutable_data(), i, draw(random, i), ir::Overflow::kToInfinity);
  return {};
}

/// The same as a whole evaluation: of the sizes that `shape` names, or those of input 0.
template <class Draw>
Status fill_as_named(Call& call, Draw&& draw) {
  const Sizes dims = call.has_input(0) ? call.input(0).dims() : call.integers("shape");
  if (!ir::count(dims)) return call.refuse("empty", {{"dims", ir::to_string(dims)}});
  const ElementType fallback = call.has_input(0) ? call.input(0).type() : ElementType::kFloat;
  return fill_random(call, fallback, dims,
                     [&](Random& random, std::size_t) { return draw(random); });
}

}  // namespace godwit::ops
