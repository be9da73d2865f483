// A dump: tensors that modules, operators, parameters and optimizers see in chosen steps, as
// sketches or in full.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace godwit::record {

struct DumpOptions {
  std::string folder, header;
  bool values = false;     // whole tensors, not only sketches
  bool operators = false;  // what Python calls, beside modules
  bool forward = true, backward = true;
  std::int64_t most_bytes = 0;
  bool sync = false;
};

using Tensors = std::vector<at::Tensor>;
using Numbers = std::vector<std::int64_t>;

/// One dump at a time; opening a second closes the first.
void open_dump(const DumpOptions& options);
/// From here on things belong to `step`; nothing is taken unless `active`. Hands over what the step
/// before gathered.
void set_dump_step(std::int64_t step, bool active);
/// The module that this thread has just entered is dumped: gives the call its number.
void dump_enter();
/// A tensor that goes into this module or comes out of it; `label` names it ("0", "kwargs.mask").
void dump_see(bool is_output, std::int32_t label, const at::Tensor& tensor);
/// Parameters, gradients ("param", "grad") and optimizer state ("optim") by name.
void dump_tensors(const std::string& part, const Numbers& names, const Tensors& tensors);
/// Empty while all goes well.
std::string dump_error();
/// {records written, dropped, bytes}; of the last dump after it was closed.
Numbers dump_counts();
void close_dump();

}  // namespace godwit::record
