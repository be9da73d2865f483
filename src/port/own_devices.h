// Own devices: the one place where a project chooses its device, which edits of the portable style
// use before they bring a helper along.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "port/choices.h"
#include "port/subject.h"

namespace godwit::port {

class OwnDevices {
 public:
  /// Variables at the top of a module and functions without parameters whose value is
  /// `torch.device("cuda" if torch.cuda.is_available() else "cpu")` or the text of it.
  /// They are looked for in the portable style only.
  OwnDevices(const std::vector<Subject>& subjects, Style style);

  /// The expression by which the code at `node` reaches one: "device", "get_device()". Empty when
  /// it sees none.
  std::string visible_at(const Subject& subject, NodeIndex node) const;

 private:
  struct Place {
    const Subject* subject = nullptr;
    NodeIndex statement = kNoNode;  // the assignment or the function
    bool is_function = false;
  };
  std::string through_module(const Subject& subject, NodeIndex node) const;
  void add(const Subject& subject, NodeIndex node);
  bool sees(const Subject& subject, NodeIndex node, std::string_view name,
            NodeIndex statement) const;

  std::map<std::string, Place, std::less<>> places_;  // "utils.device.DEVICE"
};

}  // namespace godwit::port
