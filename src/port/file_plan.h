// One file: the rules run, what they want is settled and checked, and the file with its proof comes
// out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "port/dispatch.h"
#include "port/port.h"

namespace godwit::port {

struct Planned {
  std::optional<FilePlan> file{};  // nothing: it stays as it is
  std::vector<diag::Finding> left{};
  std::uint32_t lines = 0;
  std::map<std::string, Helper> helpers{};  // that the edits name, by their paths
};

/// Files are independent of each other and may be planned on several threads.
Result<Planned> plan_module(const Subject& subject, World& world, const Dispatch& dispatch);
Result<Planned> plan_script(const Script& script, World& world, const Dispatch& dispatch);

}  // namespace godwit::port
