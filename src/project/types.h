// Types: the light types of expressions that rules ask for.
#pragma once

#include <cstdint>

namespace godwit::project {

/// What an expression evaluates to, as far as it follows from assignments, annotations,
/// constructors and known results. kUnknown: it does not follow.
enum class Type : std::uint8_t {
  kUnknown,
  kTensor,  // torch.Tensor, nn.Parameter
  kModule,  // an instance of nn.Module or of a class derived from it
  kOptimizer,
  kScheduler,  // of the learning rate
  kLoader,     // torch.utils.data.DataLoader
  kDevice,     // torch.device
  kDtype,      // torch.float16 …
  kString,
  kInteger,
  kFloat,
  kBool,
  kNone,
  kList,
  kTuple,
  kDict,
  kClass,      // a class itself
  kFunction,   // a function or bound method itself
  kNamespace,  // an imported module
  kObject,     // an instance of another class, see Module::class_of
};

}  // namespace godwit::project
