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

Names::Names() : slots_(4096) {
  std::random_device device;
  seed_ = std::uint64_t{device()} << 32 | device();
}

void Names::grow() {
  std::vector<Slot> old(slots_.size() * 4);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& each : old) {
    if (each.number == kNone) continue;
    std::size_t at = each.hash & mask;
    while (slots_[at].number != kNone) at = (at + 1) & mask;
    slots_[at] = each;
  }
}

Index Names::number(std::string_view name) {
  const auto h = static_cast<std::uint32_t>(hash(name, seed_));
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = h & mask;
  for (; slots_[at].number != kNone; at = (at + 1) & mask) {
    if (slots_[at].hash == h && names_[slots_[at].number] == name) return slots_[at].number;
  }
  const auto number = static_cast<Index>(names_.size());
  slots_[at] = {h, number};
  names_.push_back(name);
  if (names_.size() * 2 > slots_.size()) grow();
  return number;
}

}  // namespace godwit::formats::onnx
