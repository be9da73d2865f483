// Joins strings pair by pair.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator string_concat = {
    .name = "StringConcat",
    .doc = "Element-wise concatenation with broadcasting.",
    .since = 20,
    .inputs = {{"X", 'T', kString}, {"Y", 'T', kString}},
    .outputs = {{"Z", 'T', kString}},
    .storage = Storage::kAsStored,
    .infer = broadcast_numbers,
    .evaluate = [](Call& call) -> Status {
      return binary<std::string>(call,
                                 [](const std::string& a, const std::string& b) { return a + b; });
    },
};

}  // namespace godwit::ops::operators
