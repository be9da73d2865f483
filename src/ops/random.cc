// Seeds of random operators and the numbers that follow from them.
#include "ops/random.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace godwit::ops {
namespace {

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return Random(a ^ (b * kStep)).bits(); }

std::uint64_t hash(std::string_view text) {
  std::uint64_t out = 0;
  for (const char c : text) out = mixed(out, static_cast<unsigned char>(c));
  return out;
}

}  // namespace

Random Random::of(const Call& call) {
  const ir::Node& node = call.node();
  const ir::ValueId first = node.outputs.empty() ? ir::kNone : node.outputs[0];
  const std::uint64_t draw = call.host().draws[first]++;
  std::uint64_t seed = mixed(call.host().seed, node.name.empty() ? first : hash(node.name));
  if (call.has("seed")) {  // of most operators a float
    seed = std::bit_cast<std::uint32_t>(call.number("seed")) ^
           static_cast<std::uint64_t>(call.integer("seed"));
  }
  return Random(mixed(seed, draw));
}

std::uint64_t Random::bits() {
  std::uint64_t z = state_ += kStep;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Status infer_random_like(Inference& n) {
  const auto said = static_cast<ElementType>(n.integer("dtype"));
  n.set(0, said == ElementType::kUndefined ? n.element(0) : said, n.type(0).shape);
  return {};
}

}  // namespace godwit::ops
