// Interning of names by open addressing; the seed differs per run, so that no file can be made of
// names that collide.
#include <cstring>
#include <random>

#include "formats/onnx/reader.h"

namespace godwit::formats::onnx {
namespace {

std::uint64_t mix(std::uint64_t h) {
  h *= 0x9E3779B97F4A7C15u;
  return h ^ (h >> 32);
}

// Eight bytes a step: names of exported graphs are long ("/model/layers.0/self_attn/q_proj").
std::uint64_t hash(std::string_view name, std::uint64_t seed) {
  std::uint64_t h = seed ^ name.size();
  while (name.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, name.data(), 8);
    h = mix(h ^ word);
    name.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!name.empty()) std::memcpy(&rest, name.data(), name.size());
  return mix(mix(h ^ rest) ^ seed);
}

}  // namespace

Names::Names() : slots_(1024, kNone) {
  std::random_device device;
  seed_ = std::uint64_t{device()} << 32 | device();
}

void Names::grow() {
  slots_.assign(slots_.size() * 2, kNone);
  for (Index i = 0; i < names_.size(); ++i) {
    std::size_t slot = hashes_[i] & (slots_.size() - 1);
    while (slots_[slot] != kNone) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = i;
  }
}

Index Names::number(std::string_view name) {
  const std::uint64_t h = hash(name, seed_);
  std::size_t slot = h & (slots_.size() - 1);
  for (; slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1)) {
    const Index at = slots_[slot];
    if (hashes_[at] == h && names_[at] == name) return at;
  }
  const auto number = static_cast<Index>(names_.size());
  slots_[slot] = number;
  names_.push_back(name);
  hashes_.push_back(h);
  if (names_.size() * 2 > slots_.size()) grow();
  return number;
}

}  // namespace godwit::formats::onnx
