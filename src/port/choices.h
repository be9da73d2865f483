// Choices: what the user decides about a port before anything is read.
#pragma once

#include <cstdint>

namespace godwit::port {

/// What becomes of float64 in the source, where the chip has none: decided by a person.
enum class Float64 : std::uint8_t { kAsk, kSingle };

/// What the program is run for; kAuto takes the answer from the project: a backward pass means
/// training.
enum class Mode : std::uint8_t { kAuto, kInference, kTraining };

/// kNpu names the NPU; kPortable asks a small module, so that the source still runs on CUDA and
/// the CPU as before.
enum class Style : std::uint8_t { kNpu, kPortable };

}  // namespace godwit::port
