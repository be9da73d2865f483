// The cards of the emulated device: how many, which is current on this thread, and what was
// configured.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>

namespace godwit {

constexpr c10::DeviceType kNpu = c10::DeviceType::PrivateUse1;
constexpr c10::DispatchKey kNpuKey = c10::DispatchKey::PrivateUse1;

c10::DeviceIndex card_count();

/// Before the first tensor only: the accounts of memory are laid out by it.
void set_card_count(c10::DeviceIndex count);

c10::DeviceIndex current_card();

/// Errors as torch_npu words them when the card does not exist.
void check_card(c10::DeviceIndex card);

void set_current_card(c10::DeviceIndex card);

/// `device` with the current card where it names none.
c10::Device resolve(c10::Device device);

/// True in a process that was forked after the device had been used: a real device is lost there.
bool is_lost_in_fork();

/// Marks the device as used; throws where is_lost_in_fork().
void touch();

/// True once a tensor or a stream was asked for.
bool is_touched();

}  // namespace godwit
