// Counts operator calls by operator, place, types, shapes and strides; sizes that keep changing
// become -1.
#include "record_trace.h"

#include <ATen/core/Tensor.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/Exception.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "record_names.h"
#include "record_observer.h"
#include "record_sketch.h"
#include "record_writer.h"

namespace godwit::record {
namespace {

constexpr std::size_t kMostVariants = 8;  // of shapes, for one operator at one place
using Dims = std::vector<std::int64_t>;

struct TensorType {
  at::ScalarType dtype;
  const char* layout;
  Dims sizes, strides;  // strides: empty when contiguous
};

struct Record {
  const Op* op;
  const Op* top;
  const Op* forward;
  std::int32_t module;
  bool backward;
  at::DeviceType device;
  std::vector<TensorType> tensors;
  std::int64_t count = 0;
  std::int64_t merged_into = -1;
};

struct Place {  // everything of a record but sizes and strides
  std::vector<std::size_t> variants;
  std::int64_t merged = -1;
};

template <class Value>
void put(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// What is computed anew inside a backward pass (checkpointing) is forward again.
const Op* forward_of(const Scope& here) { return here.backward ? here.forward : nullptr; }

bool has_plain_sizes(const at::Tensor& tensor) {
  return !tensor.is_nested() && !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

TensorType type_of(const at::Tensor& tensor) {
  TensorType type{tensor.scalar_type(), layout_name(tensor), {}, {}};
  if (!has_plain_sizes(tensor)) {
    type.sizes.assign(static_cast<std::size_t>(tensor.dim()), -1);
    return type;
  }
  type.sizes = tensor.sizes().vec();
  if (!type.layout && !tensor.is_contiguous()) type.strides = tensor.strides().vec();
  return type;
}

// What `zeros(size, dtype)` and the like make.
std::vector<TensorType> made_by(const Op& op, Values inputs) {
  const c10::IValue& dtype = inputs[static_cast<std::size_t>(op.dtype_argument)];
  const bool has_size = inputs[0].isIntList();
  if (!dtype.isInt() && !has_size) return {};  // arange: the type follows from its arguments
  const auto type = dtype.isInt() ? static_cast<at::ScalarType>(dtype.toInt())
                                  : c10::get_default_dtype_as_scalartype();
  return {{type, nullptr, has_size ? inputs[0].toIntVector() : Dims(), {}}};
}

class Trace : public Listener {
 public:
  void call(const Op& op, Values inputs) override;
  std::int64_t write(const std::string& path, const std::string& header);
  void clear();
  std::int64_t size();

 private:
  std::size_t add_variant(const Op& op, Values inputs);
  void merge(Place& place);

  std::mutex mutex_;
  std::vector<Record> records_;
  std::unordered_map<std::string, std::size_t> exact_;
  std::unordered_map<std::string, Place> places_;
  std::string key_, place_key_;
  std::vector<TensorType> made_;  // by a factory, which has no tensor to tell types from
  at::DeviceType device_ = at::kCPU;
};

void Trace::call(const Op& op, Values inputs) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Scope& here = scope();
  key_.clear();
  put(key_, &op);
  put(key_, here.top);
  put(key_, forward_of(here));
  put(key_, here.module);
  put(key_, here.backward);
  place_key_ = key_;
  bool is_meta = false, any = false;
  device_ = at::kCPU;
  for_each_tensor(inputs, [&](const at::Tensor& tensor) {
    const auto dtype = tensor.scalar_type();
    const auto rank = static_cast<std::int32_t>(tensor.dim());
    put(place_key_, dtype);
    put(place_key_, rank);
    put(key_, dtype);
    put(key_, rank);
    any = true;
    is_meta |= tensor.is_meta();
    if (!tensor.device().is_cpu()) device_ = tensor.device().type();
    if (!has_plain_sizes(tensor)) return;
    for (const std::int64_t size : tensor.sizes()) put(key_, size);
    if (tensor.layout() != at::kStrided || tensor.is_contiguous()) return;
    for (const std::int64_t stride : tensor.strides()) put(key_, stride);
  });
  if (is_meta) return;
  put(place_key_, device_);
  put(key_, device_);
  made_.clear();
  if (!any && op.dtype_argument >= 0) made_ = made_by(op, inputs);
  for (const TensorType& type : made_) {
    put(key_, type.dtype);
    put(key_, type.sizes.size());
    place_key_ += key_.substr(key_.size() - sizeof type.dtype - sizeof(std::size_t));
    for (const std::int64_t size : type.sizes) put(key_, size);
  }
  const auto known = exact_.find(key_);
  std::size_t at = known != exact_.end() ? known->second : add_variant(op, inputs);
  while (records_[at].merged_into >= 0) at = static_cast<std::size_t>(records_[at].merged_into);
  ++records_[at].count;
}

void widen(Record& into, const std::vector<TensorType>& tensors) {
  for (std::size_t i = 0; i < into.tensors.size(); ++i) {
    TensorType& type = into.tensors[i];
    type.strides.clear();
    for (std::size_t k = 0; k < type.sizes.size(); ++k)
      if (type.sizes[k] != tensors[i].sizes[k]) type.sizes[k] = -1;
  }
}

// A loop over growing sequences has thousands of shapes; beyond a few they become one record.
std::size_t Trace::add_variant(const Op& op, Values inputs) {
  const Scope& here = scope();
  Record record{&op, here.top, forward_of(here), here.module, here.backward, device_, made_};
  for_each_tensor(inputs,
                  [&](const at::Tensor& tensor) { record.tensors.push_back(type_of(tensor)); });
  Place& place = places_[place_key_];
  if (place.merged >= 0) {
    Record& merged = records_[static_cast<std::size_t>(place.merged)];
    widen(merged, record.tensors);
    return static_cast<std::size_t>(place.merged);
  }
  place.variants.push_back(records_.size());
  exact_[key_] = records_.size();
  records_.push_back(std::move(record));
  if (place.variants.size() > kMostVariants) merge(place);
  return records_.size() - 1;
}

void Trace::merge(Place& place) {
  const std::size_t first = place.variants.front();
  for (std::size_t i = 1; i < place.variants.size(); ++i) {
    Record& other = records_[place.variants[i]];
    widen(records_[first], other.tensors);
    records_[first].count += other.count;
    other.count = 0;
    other.merged_into = static_cast<std::int64_t>(first);
  }
  place.merged = static_cast<std::int64_t>(first);
}

void put_dims(std::string& out, const Dims& dims) {
  out += '[';
  for (std::size_t i = 0; i < dims.size(); ++i) out += (i > 0 ? "," : "") + std::to_string(dims[i]);
  out += ']';
}

template <class PutOne>
void put_list(std::string& out, const char* key, const std::vector<TensorType>& tensors,
              PutOne&& put_one) {
  out += key;
  out += '[';
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i > 0) out += ',';
    put_one(tensors[i]);
  }
  out += ']';
}

void put_text(std::string& out, const char* key, const std::string& text) {
  out += key;
  put_quoted(out, text);
}

void put_record(std::string& out, const Record& record) {
  put_text(out, "{\"operator\":", record.op->name);
  if (!record.op->overload.empty()) put_text(out, ",\"overload\":", record.op->overload);
  put_list(out, ",\"dtypes\":", record.tensors,
           [&](const TensorType& type) { put_quoted(out, dtype_name(type.dtype)); });
  put_list(out, ",\"shapes\":", record.tensors,
           [&](const TensorType& type) { put_dims(out, type.sizes); });
  bool is_dense = true;
  for (const TensorType& type : record.tensors) is_dense &= !type.layout && type.strides.empty();
  if (!is_dense) {
    put_list(out, ",\"strides\":", record.tensors, [&](const TensorType& type) {
      if (type.layout) return put_quoted(out, type.layout);
      if (type.strides.empty()) return void(out += "null");
      put_dims(out, type.strides);
    });
  }
  out += ",\"count\":" + std::to_string(record.count);
  out += record.backward ? ",\"direction\":\"backward\"" : ",\"direction\":\"forward\"";
  if (record.module >= 0) put_text(out, ",\"module\":", name_text(record.module));
  if (record.top != record.op) put_text(out, ",\"top\":", record.top->name);
  if (record.forward) put_text(out, ",\"forward\":", record.forward->name);
  out += "}\n";
}

// In a program that uses an accelerator, work on the host (loading data) says nothing of the model.
std::int64_t Trace::write(const std::string& path, const std::string& header) {
  const std::lock_guard<std::mutex> lock(mutex_);
  bool has_device = false;
  for (const Record& record : records_) has_device |= record.device != at::kCPU;
  std::string text = header + "\n";
  std::int64_t written = 0;
  for (const Record& record : records_) {
    if (record.count == 0 || (has_device && record.device == at::kCPU && !record.tensors.empty()))
      continue;
    put_record(text, record);
    ++written;
  }
  const std::string part = path + ".part";
  std::FILE* const file = std::fopen(part.c_str(), "wb");
  bool good = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int code = errno;
  if (file && std::fclose(file) != 0) good = false, code = errno;
  if (good && std::rename(part.c_str(), path.c_str()) != 0) good = false, code = errno;
  if (!good) {
    std::remove(part.c_str());
    TORCH_CHECK(false, path, ": ", std::strerror(code));
  }
  return written;
}

std::int64_t Trace::size() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<std::int64_t>(records_.size());
}

void Trace::clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  records_.clear();
  exact_.clear();
  places_.clear();
}

Trace& trace() {
  static Trace* const only = new Trace;
  return *only;
}

bool is_tracing = false;

}  // namespace

void start_trace() {
  if (is_tracing) return;
  trace().clear();
  add_listener(&trace());
  is_tracing = true;
}

void stop_trace() {
  if (is_tracing) remove_listener(&trace());
  is_tracing = false;
}

std::int64_t trace_size() { return is_forked() ? 0 : trace().size(); }

std::int64_t write_trace(const std::string& path, const std::string& header) {
  return is_forked() ? 0 : trace().write(path, header);
}

}  // namespace godwit::record
