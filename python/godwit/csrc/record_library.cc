// What Python may call of the recorder, as torch.ops.godwit.*.
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "record_dump.h"
#include "record_names.h"
#include "record_sketch.h"
#include "record_trace.h"

namespace godwit::record {
namespace {

using c10::string_view;

std::int64_t number_of(string_view text) { return name_number(std::string(text)); }

void open(string_view folder, string_view header, const Numbers& flags, std::int64_t most_bytes) {
  DumpOptions options;
  options.folder = std::string(folder);
  options.header = std::string(header);
  options.values = flags.at(0) != 0;
  options.operators = flags.at(1) != 0;
  options.forward = flags.at(2) != 0;
  options.backward = flags.at(3) != 0;
  options.sync = flags.at(4) != 0;
  options.most_bytes = most_bytes;
  open_dump(options);
}

// {count, finite, nan, +inf, -inf, zero, saturated, min, max, mean, norm, rms, samples …} and the
// hash.
std::tuple<at::Tensor, std::int64_t> sketch_tensor(const at::Tensor& tensor) {
  const Sketch made = sketch(host_values(tensor));
  std::vector<double> out = {static_cast<double>(made.count),
                             double(made.finite),
                             double(made.nan),
                             double(made.positive_inf),
                             double(made.negative_inf),
                             double(made.zero),
                             double(made.saturated),
                             made.min,
                             made.max,
                             made.mean,
                             made.norm,
                             made.rms};
  out.insert(out.end(), made.sample.begin(), made.sample.begin() + made.samples);
  const at::Tensor figures = at::empty({static_cast<std::int64_t>(out.size())}, at::kDouble);
  std::copy(out.begin(), out.end(), figures.mutable_data_ptr<double>());
  return {figures, static_cast<std::int64_t>(made.hash)};
}

// Of several tensors in order, with their types and shapes.
std::int64_t hash_tensors(const std::vector<at::Tensor>& tensors) {
  std::uint64_t hash = 0;
  for (const at::Tensor& tensor : tensors) {
    hash = mix(hash, static_cast<std::uint64_t>(tensor.scalar_type()));
    for (const std::int64_t size : tensor.sizes())
      hash = mix(hash, static_cast<std::uint64_t>(size));
    const at::Tensor values = host_values(tensor);
    if (values.defined()) hash = mix(hash, hash_bytes(values.const_data_ptr(), values.nbytes()));
  }
  return static_cast<std::int64_t>(hash);
}

double norm_of(const std::vector<at::Tensor>& tensors) {
  double squares = 0;
  for (const at::Tensor& tensor : tensors) {
    const Sketch made = sketch(host_values(tensor));
    if (made.finite < made.count) return std::numeric_limits<double>::quiet_NaN();
    squares += made.norm * made.norm;
  }
  return std::sqrt(squares);
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(godwit, library) {
  library.def("number(str text) -> int", number_of);
  library.def("trace_start() -> ()", start_trace);
  library.def("trace_stop() -> ()", stop_trace);
  library.def("trace_write(str path, str header) -> int", [](string_view path, string_view header) {
    return write_trace(std::string(path), std::string(header));
  });
  library.def("trace_size() -> int", trace_size);
  library.def("dump_open(str folder, str header, int[] flags, int most_bytes) -> ()", open);
  library.def("dump_step(int step, bool active) -> ()", set_dump_step);
  library.def("dump_tensors(str part, int[] names, Tensor[] tensors) -> ()",
              [](string_view part, const Numbers& names, const Tensors& tensors) {
                dump_tensors(std::string(part), names, tensors);
              });
  library.def("dump_error() -> str", dump_error);
  library.def("dump_counts() -> int[]", dump_counts);
  library.def("dump_close() -> ()", close_dump);
  library.def("sketch(Tensor tensor) -> (Tensor, int)", sketch_tensor);
  library.def("hash(Tensor[] tensors) -> int", hash_tensors);
  library.def("norm(Tensor[] tensors) -> float", norm_of);
}

}  // namespace godwit::record
