// Patterns of API names, as rules and modes list them.
#pragma once

#include <string_view>

namespace godwit::scan {

/// "torch.save" fits itself, "torch.optim.*" what starts so, "*.cuda" what ends so.
bool fits(std::string_view name, std::string_view pattern);

}  // namespace godwit::scan
