// Runs an operator of the device with the CPU's kernel on the same memory.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace godwit {

/// The boxed fallback of the device.
void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack);

/// The same, but the CPU's kernel is that of `target`, which takes the same arguments.
void run_on_host_as(const c10::OperatorHandle& op, const c10::OperatorHandle& target,
                    torch::jit::Stack* stack);

}  // namespace godwit
