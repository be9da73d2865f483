// The epilogue, one element at a time.
#include "kernels/epilogue.h"

namespace godwit::kernels::ref {

float activate(float x, const Epilogue& epilogue) {
  switch (epilogue.activation) {
    case Activation::kNone: return x;
    case Activation::kRelu: return x <= 0 ? 0.0f : x;
    case Activation::kClip:
      if (x < epilogue.low) return epilogue.low;
      return x > epilogue.high ? epilogue.high : x;
    case Activation::kLeakyRelu: return x < 0 ? epilogue.low * x : x;
  }
  return x;
}

float finish(float x, const Epilogue& epilogue, std::size_t row, std::size_t column,
             std::size_t offset) {
  if (epilogue.row_bias != nullptr) x += epilogue.row_bias[row];
  if (epilogue.column_bias != nullptr) x += epilogue.column_bias[column];
  x = narrow(x, epilogue.product);
  if (epilogue.residual != nullptr) x += epilogue.residual[offset];
  return narrow(activate(x, epilogue), epilogue.store);
}

}  // namespace godwit::kernels::ref
