// Kernel work: what stands in for a kernel of the project on Ascend, by its name, and what a new
// one costs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace godwit::port {

struct Substitute {
  std::string instead{}, note{};
};

/// What computes the same as a kernel of such a name, or nothing: then a new one is due.
std::optional<Substitute> substitute_of(std::string_view kernel);

/// Person-days of a new kernel until it runs: "3-8".
std::string days_of_a_kernel();

}  // namespace godwit::port
