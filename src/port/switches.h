// Switches: what turns a flag of a project on when its program starts: an option of the command
// line, or a variable of the environment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "port/flow.h"
#include "port/subject.h"

namespace godwit::port {

struct Switch {
  enum class Kind : std::uint8_t {
    kNegative,  // add_argument("--no_fast", action="store_false", dest="fast"): on unless given
    kPositive,  // add_argument("--fast", action="store_true"): off unless given
    kVariable,  // os.environ.get("FAST", "1") == "1": on unless the environment says otherwise
    kUnread,    // another question to the environment
  };
  Kind kind = Kind::kUnread;
  std::string_view name{};     // "--no_fast", "FAST"
  NodeIndex value = kNoNode;   // the whole expression, or the call of add_argument
  NodeIndex edited = kNoNode;  // the action, the default
  std::string off{};           // what stands there where the flag is off
  std::vector<SlotId> slots{};
};

/// All of a module.
std::vector<Switch> switches_of(const Subject& subject, Flow& flow);

/// The name behind which an option's value is kept: "dist-backend" of
/// add_argument("--dist-backend", …), the text of dest=. Empty when there is none.
std::string_view option_of(const Subject& subject, NodeIndex call);

}  // namespace godwit::port
