// The observer of operators: one callback of RecordFunction that knows where it is and tells those
// who listen.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/util/ArrayRef.h>

#include <functional>

#include "record_scope.h"

namespace godwit::record {

using Values = c10::ArrayRef<c10::IValue>;

/// Who wants to know. `call` is for every operator that reaches a backend, with the scope of the
/// thread as it is then; `before` and `after` are for the operators that Python called.
struct Listener {
  virtual ~Listener() = default;
  virtual void call(const Op&, Values) {}
  virtual void before(const Op&, Values) {}
  virtual void after(const Op&, Values) {}
  bool wants_outputs = false;
};

/// Starts and ends listening. The same listener is never added twice.
void add_listener(Listener* listener);
void remove_listener(Listener* listener);

/// A number that a person wrote (x * 2) is a tensor inside operators; its type takes no part.
inline bool is_real(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.unsafeGetTensorImpl()->is_wrapped_number();
}

/// Calls `take` for each tensor, those in lists included.
template <class Take>
void for_each_tensor(Values values, Take&& take) {
  for (const c10::IValue& value : values) {
    if (value.isTensor()) {
      if (is_real(value.toTensor())) take(value.toTensor());
    } else if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector())
        if (is_real(tensor)) take(tensor);
    } else if (value.isList()) {
      for (const c10::IValue& item : value.toListRef())
        if (item.isTensor() && is_real(item.toTensor())) take(item.toTensor());
    }
  }
}

/// True in a child that was forked while something was recorded: there is no writer there.
bool is_forked();

}  // namespace godwit::record
