// Readers: one file each, from one source of a machine into the picture of it.
#pragma once

#include <span>
#include <string_view>

#include "doctor/environment.h"
#include "doctor/machine.h"

namespace godwit::doctor {

struct Reader {
  std::string_view name;
  int stage = 0;  // readers of a later stage lean on what earlier ones found
  void (*read)(const Machine&, Environment&);
};

extern const std::span<const Reader* const> kReaders;

/// Everything that the readers find. Never fails: what cannot be read stays unknown.
Environment read_machine(const Machine& machine);

}  // namespace godwit::doctor
