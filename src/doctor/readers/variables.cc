// The variables of the shell that decide which CANN and which Python a program sees.
#include <array>

#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

constexpr std::array<std::string_view, 9> kNames = {
    "ASCEND_HOME_PATH",       "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH",
    "ASCEND_CUSTOM_OPP_PATH", "ATB_HOME_PATH",       "PYTHONPATH",
    "LD_LIBRARY_PATH",        "VIRTUAL_ENV",         "CONDA_PREFIX"};

void read(const Machine& machine, Environment& environment) {
  environment.has_variables = machine.knows_variables();
  for (const std::string_view name : kNames) {
    std::string value = machine.variable(name);
    if (!value.empty()) environment.variables.emplace(name, std::move(value));
  }
}

}  // namespace

extern const Reader variables = {.name = "variables", .read = read};

}  // namespace godwit::doctor::readers
