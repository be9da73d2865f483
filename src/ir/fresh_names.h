// Names for values and nodes that passes add: none that the model has already.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "ir/model.h"

namespace godwit::ir {

class FreshNames {
 public:
  /// Knows all names of values and nodes of the model.
  explicit FreshNames(const Model& model);
  /// `wanted`, or `wanted` with a number behind it when it is taken; taken from now on.
  std::string fresh(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;
  std::map<std::string, std::uint32_t, std::less<>> last_;
};

}  // namespace godwit::ir
