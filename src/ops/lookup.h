// Tables from one value to another, as LabelEncoder and CategoryMapper hold them.
#pragma once

#include "ops/call.h"

namespace godwit::ops::ml {

/// Keys and values in two lists of the same length; the fallback is one value. The last of equal
/// keys counts, and all NaNs are one key.
struct Lookup {
  Tensor keys{};
  Tensor values{};
  Tensor fallback{};
};

/// Output 0: for each element of input 0 the value of its key. Errors: E151 lists that do not fit
/// each other or the input.
Status look_up(Call& call, const Lookup& table);

Tensor list_of(Ints values);
Tensor list_of(Floats values);
Tensor list_of(std::vector<std::string> values);

}  // namespace godwit::ops::ml
