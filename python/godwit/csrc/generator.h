// Random numbers of a card: a CPU generator of its own, so that the host's numbers do not move with
// the device's.
#pragma once

#include <mutex>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>

#include "device.h"

namespace godwit {

/// Of the current card where `card` is negative.
const at::Generator& default_generator(c10::DeviceIndex card);
at::Generator new_generator(c10::DeviceIndex card);

/// The CPU generator that a generator of the device draws from.
at::Generator host_generator(const at::Generator& generator);

/// Where a CPU generator stands.
struct HostNumbers {
  at::mt19937 engine;
  decltype(std::declval<at::CPUGeneratorImpl>().next_float_normal_sample()) next_float;
  decltype(std::declval<at::CPUGeneratorImpl>().next_double_normal_sample()) next_double;
};

/// While it lives, the CPU's default generator continues the numbers of a card; for operators that
/// take no generator.
class DefaultGeneratorSwap {
 public:
  explicit DefaultGeneratorSwap(c10::DeviceIndex card);
  ~DefaultGeneratorSwap();
  DefaultGeneratorSwap(const DefaultGeneratorSwap&) = delete;
  DefaultGeneratorSwap& operator=(const DefaultGeneratorSwap&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  at::Generator card_;
  HostNumbers saved_;
};

}  // namespace godwit
