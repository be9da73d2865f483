// Takes sketches or copies of tensors where modules and operators begin and end, and of gradients when autograd has them.
#include "record_dump.h"

#include <ATen/ATen.h>
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

// The output of one module is the input of the next: the last sketches are kept by tensor and version. A weak pointer
// keeps the address from being used again.
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
        writer_({options.folder, options.header, static_cast<std::size_t>(options.most_bytes), options.sync}) {
    wants_outputs = options.operators;
  }

  void set_step(std::int64_t step, bool active);
  void take(Entry entry, const at::Tensor& tensor);
  int next_call(std::int32_t name, std::int32_t op);
  void watch_gradient(const at::Tensor& tensor, const Entry& seen);

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

std::shared_ptr<Dump> dump() {
  if (is_forked()) return nullptr;
  const std::lock_guard<std::mutex> lock(current_mutex);
  return current;
}

void Dump::set_step(std::int64_t step, bool active) {
  step_ = step;
  active_ = active;
  writer_.flush();
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

void Dump::take(Entry entry, const at::Tensor& tensor) {
  const Quiet quiet;
  at::Tensor values;
  entry.step = entry.step ? entry.step : step();
  entry.dtype = dtype_name(tensor.scalar_type());
  entry.layout = layout_name(tensor);
  entry.shape = shape_of(tensor);
  entry.sketch = sketch_of(tensor, values);
  const char* const stored = options_.values && values.defined() ? stored_name(values.scalar_type()) : nullptr;
  if (!stored) return writer_.add(std::move(entry), nullptr, 0);
  entry.has_values = true;
  entry.stored = stored;
  entry.stored_shape = values.sizes().vec();
  writer_.add(std::move(entry), values.const_data_ptr(), values.nbytes());
}

// The gradient of the whole result with respect to this tensor, once autograd has summed it up.
void Dump::watch_gradient(const at::Tensor& tensor, const Entry& seen) {
  if (!tensor.requires_grad() || tensor.is_leaf() || !at::isFloatingType(tensor.scalar_type())) return;
  Entry entry = seen;
  entry.part = "bwd";
  entry.step = step();
  tensor.register_hook([entry](const at::Tensor& gradient) {
    const std::shared_ptr<Dump> now = dump();
    if (now && now->is_active() && now->step() == entry.step && gradient.defined()) now->take(entry, gradient);
  });
}

Entry entry_at(const Scope& here, const char* side) {
  Entry entry;
  entry.part = here.backward ? "bwd" : "fwd";
  entry.side = side;
  return entry;
}

// Operators outside of all modules (updates, data) are left out; others are told apart by module, name and how often they
// were called there in this step.
bool Dump::wants(const Scope& here) const {
  return is_active() && here.module >= 0 && (here.backward ? options_.backward : options_.forward);
}

void Dump::before(const Op& op, Values inputs) {
  Scope& here = scope();
  if (!wants(here)) return;
  Entry entry = entry_at(here, "input");
  entry.name = here.module;
  entry.op = op.number;
  entry.call = here.op_call = next_call(here.module, op.number * 2 + (here.backward ? 1 : 0));
  int index = 0;
  for_each_tensor(inputs, [&](const at::Tensor& tensor) {
    entry.label = label_number(index++);
    take(entry, tensor);
  });
}

void Dump::after(const Op& op, Values outputs) {
  const Scope& here = scope();
  if (!wants(here)) return;
  Entry entry = entry_at(here, "output");
  entry.name = here.module;
  entry.op = op.number;
  entry.call = here.op_call;
  int index = 0;
  for_each_tensor(outputs, [&](const at::Tensor& tensor) {
    entry.label = label_number(index++);
    take(entry, tensor);
  });
}

void take_all(Dump& into, Entry entry, const Tensors& tensors, const Numbers& labels) {
  for (std::size_t i = 0; i < tensors.size() && i < labels.size(); ++i) {
    if (!tensors[i].defined()) continue;
    entry.label = static_cast<std::int32_t>(labels[i]);
    if (into.options().forward) into.take(entry, tensors[i]);
    if (into.options().backward) into.watch_gradient(tensors[i], entry);
  }
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

void dump_enter(std::int64_t module, const Tensors& tensors, const Numbers& labels) {
  const auto name = static_cast<std::int32_t>(module);
  const auto now = dump();
  const bool takes = now && now->is_active();
  enter_module(name, takes ? now->next_call(name, -1) : 0);
  if (!takes) return;
  Entry entry = entry_at(scope(), "input");
  entry.name = name;
  entry.call = scope().call;
  take_all(*now, entry, tensors, labels);
}

void dump_leave(const Tensors& tensors, const Numbers& labels) {
  Entry entry = entry_at(scope(), "output");
  entry.name = scope().module;
  entry.call = scope().call;
  leave_module();
  const auto now = dump();
  if (now && now->is_active()) take_all(*now, entry, tensors, labels);
}

void dump_tensors(const std::string& part, const Numbers& names, const Tensors& tensors) {
  const auto now = dump();
  if (!now || !now->is_active()) return;
  Entry entry;
  entry.part = part == "param" ? "param" : part == "grad" ? "grad" : "optim";
  for (std::size_t i = 0; i < tensors.size() && i < names.size(); ++i) {
    entry.name = static_cast<std::int32_t>(names[i]);
    if (tensors[i].defined()) now->take(entry, tensors[i]);
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
