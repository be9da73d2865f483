// Takes sketches or copies of tensors where modules and operators begin and end, and of gradients
// when autograd has them.
#include "record_dump.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "record_names.h"
#include "record_observer.h"
#include "record_sketch.h"
#include "record_writer.h"

namespace godwit::record {
namespace {

// The output of one module is the input of the next: the last sketches are kept by tensor and
// version. A weak pointer keeps the address from being used again.
class Recent {
 public:
  const Sketch* find(const at::Tensor& tensor) {
    if (tensor.is_inference()) return nullptr;
    for (const Item& item : items_)
      if (item.tensor && item.tensor->_unsafe_get_target() == tensor.unsafeGetTensorImpl() &&
          item.version == tensor._version())
        return &item.sketch;
    return nullptr;
  }

  void add(const at::Tensor& tensor, const Sketch& sketch) {
    if (tensor.is_inference()) return;
    Item& item = items_[next_++ % kItems];
    item.tensor.emplace(tensor.getIntrusivePtr());
    item.version = static_cast<std::int64_t>(tensor._version());
    item.sketch = sketch;
  }

 private:
  static constexpr std::size_t kItems = 16;
  struct Item {
    std::optional<c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>> tensor;
    std::int64_t version = -1;
    Sketch sketch;
  };
  Item items_[kItems];
  std::size_t next_ = 0;
};

std::vector<std::int64_t> shape_of(const at::Tensor& tensor) {
  if (tensor.is_nested() || tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides()) return {};
  return tensor.sizes().vec();
}

class Dump : public Listener {
 public:
  explicit Dump(const DumpOptions& options)
      : options_(options),
        writer_({options.folder, options.header, static_cast<std::size_t>(options.most_bytes),
                 options.sync}) {
    wants_outputs = options.operators;
  }

  void set_step(std::int64_t step, bool active);
  void take(const Place& place, const at::Tensor& tensor);
  int next_call(std::int32_t name, std::int32_t op);
  void watch_gradient(const at::Tensor& tensor, Place place);

  void before(const Op& op, Values inputs) override;
  void after(const Op& op, Values outputs) override;

  bool is_active() const { return active_.load(std::memory_order_relaxed); }
  std::int64_t step() const { return step_.load(std::memory_order_relaxed); }
  const DumpOptions& options() const { return options_; }
  Writer& writer() { return writer_; }

 private:
  bool wants(const Scope& here) const;
  Sketch sketch_of(const at::Tensor& tensor, at::Tensor& values);

  const DumpOptions options_;
  Writer writer_;
  std::atomic<bool> active_{false};
  std::atomic<std::int64_t> step_{0};
  std::mutex mutex_;
  Recent recent_;
  std::unordered_map<std::int64_t, int> calls_;  // of this step, by module and operator
};

// Shared with the hooks on tensors, which may outlive the dump.
std::shared_ptr<Dump> current;
std::mutex current_mutex;
Numbers last_counts = {0, 0, 0};
std::string last_error;
thread_local std::string see_error;

std::shared_ptr<Dump> dump() {
  if (is_forked()) return nullptr;
  const std::lock_guard<std::mutex> lock(current_mutex);
  return current;
}

void Dump::set_step(std::int64_t step, bool active) {
  step_ = step;
  active_ = active;
  const std::lock_guard<std::mutex> lock(mutex_);
  calls_.clear();
}

int Dump::next_call(std::int32_t name, std::int32_t op) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return calls_[std::int64_t{name} << 32 | static_cast<std::uint32_t>(op)]++;
}

Sketch Dump::sketch_of(const at::Tensor& tensor, at::Tensor& values) {
  if (!options_.values) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const Sketch* const known = recent_.find(tensor)) return *known;
  }
  values = host_values(tensor);
  const Sketch made = sketch(values);
  const std::lock_guard<std::mutex> lock(mutex_);
  recent_.add(tensor, made);
  return made;
}

void Dump::take(const Place& place, const at::Tensor& tensor) {
  at::Tensor values;
  Entry entry;
  static_cast<Place&>(entry) = place;
  entry.step = place.step ? place.step : step();
  entry.dtype = dtype_name(tensor.scalar_type());
  entry.layout = layout_name(tensor);
  entry.shape = shape_of(tensor);
  entry.sketch = sketch_of(tensor, values);
  const char* const stored =
      options_.values && values.defined() ? stored_name(values.scalar_type()) : nullptr;
  if (!stored) return writer_.add(std::move(entry), nullptr, 0);
  entry.has_values = true;
  entry.stored = stored;
  entry.stored_shape = values.sizes().vec();
  writer_.add(std::move(entry), values.const_data_ptr(), values.nbytes());
}

// The gradient of the whole result with respect to this tensor, once autograd has summed it up.
void Dump::watch_gradient(const at::Tensor& tensor, Place place) {
  if (!tensor.requires_grad() || tensor.is_leaf() || !at::isFloatingType(tensor.scalar_type()))
    return;
  place.part = "bwd";
  place.step = step();
  tensor.register_hook([place](const at::Tensor& gradient) {
    const std::shared_ptr<Dump> now = dump();
    if (now && now->is_active() && now->step() == place.step && gradient.defined())
      now->take(place, gradient);
  });
}

Place place_at(const Scope& here, const char* side) {
  Place place;
  place.name = here.module;
  place.part = here.backward ? "bwd" : "fwd";
  place.side = side;
  return place;
}

// Operators outside of all modules (updates, data) are left out; others are told apart by module,
// name and how often they were called there in this step.
bool Dump::wants(const Scope& here) const {
  return is_active() && here.module >= 0 && (here.backward ? options_.backward : options_.forward);
}

void Dump::before(const Op& op, Values inputs) {
  Scope& here = scope();
  if (!wants(here)) return;
  Place place = place_at(here, "input");
  place.op = op.number;
  place.call = here.op_call = next_call(here.module, op.number * 2 + (here.backward ? 1 : 0));
  int index = 0;
  for_each_tensor(inputs, [&](const at::Tensor& tensor) {
    place.label = label_number(index++);
    take(place, tensor);
  });
}

void Dump::after(const Op& op, Values outputs) {
  const Scope& here = scope();
  if (!wants(here)) return;
  Place place = place_at(here, "output");
  place.op = op.number;
  place.call = here.op_call;
  int index = 0;
  for_each_tensor(outputs, [&](const at::Tensor& tensor) {
    place.label = label_number(index++);
    take(place, tensor);
  });
}

}  // namespace

void open_dump(const DumpOptions& options) {
  close_dump();
  const auto made = std::make_shared<Dump>(options);
  const std::string error = made->writer().error();
  TORCH_CHECK(error.empty(), options.folder, "/", error);
  if (options.operators) add_listener(made.get());
  const std::lock_guard<std::mutex> lock(current_mutex);
  current = made;
}

void set_dump_step(std::int64_t step, bool active) {
  if (const auto now = dump()) now->set_step(step, active);
}

void dump_enter() {
  const auto now = dump();
  if (now && now->is_active()) scope().call = now->next_call(scope().module, -1);
}

void dump_see(bool is_output, std::int32_t label, const at::Tensor& tensor) {
  const auto now = dump();
  if (!now || !now->is_active() || !tensor.defined()) return;
  Place place = place_at(scope(), is_output ? "output" : "input");
  place.call = scope().call;
  place.label = label;
  if (now->options().forward) now->take(place, tensor);
  if (now->options().backward) now->watch_gradient(tensor, place);
}

void dump_tensors(const std::string& part, const Numbers& names, const Tensors& tensors) {
  const auto now = dump();
  if (!now || !now->is_active()) return;
  Place place;
  place.part = part == "param" ? "param" : part == "grad" ? "grad" : "optim";
  for (std::size_t i = 0; i < tensors.size() && i < names.size(); ++i) {
    place.name = static_cast<std::int32_t>(names[i]);
    if (tensors[i].defined()) now->take(place, tensors[i]);
  }
}

std::string dump_error() {
  const auto now = dump();
  return now ? now->writer().error() : last_error;
}

Numbers dump_counts() {
  const auto now = dump();
  if (!now) return last_counts;
  return {now->writer().written(), now->writer().dropped(), now->writer().bytes()};
}

void close_dump() {
  if (is_forked()) return;
  std::shared_ptr<Dump> last;
  {
    const std::lock_guard<std::mutex> lock(current_mutex);
    last.swap(current);
  }
  if (!last) return;
  remove_listener(last.get());
  last->writer().close();
  last_counts = {last->writer().written(), last->writer().dropped(), last->writer().bytes()};
  last_error = last->writer().error();
}

}  // namespace godwit::record

// Called through ctypes for each module: an eighth of what a call through torch.ops costs, where
// every argument is boxed and observed.
extern "C" {
__attribute__((visibility("default"))) void godwit_dump_enter() { godwit::record::dump_enter(); }

/// `tensor` is what Python calls tensor._cdata. False when torch failed; godwit_dump_see_error says
/// why.
__attribute__((visibility("default"))) bool godwit_dump_see(bool is_output, int label,
                                                            void* tensor) {
  using Pointer = c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>;
  try {
    const auto seen = Pointer::reclaim_copy(static_cast<at::TensorImpl*>(tensor));
    godwit::record::dump_see(is_output, label, at::Tensor(seen));
    return true;
  } catch (const std::exception& error) {
    godwit::record::see_error = error.what();
    return false;
  }
}

__attribute__((visibility("default"))) const char* godwit_dump_see_error() {
  return godwit::record::see_error.c_str();
}
}
