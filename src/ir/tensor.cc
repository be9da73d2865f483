// Memory of tensors, and reading their elements whatever their type.
#include "ir/tensor.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "ir/number.h"

namespace godwit::ir {
namespace {

constexpr std::int64_t kMostOfEmpty = std::int64_t{1} << 31;
constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector register

std::uint64_t bytes_of_machine() {
  static const std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                                     static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

// Bytes of all tensors that are alive.
std::atomic<std::uint64_t> live_bytes{0};

// Zeros that take memory only when they are touched.
std::shared_ptr<std::byte> allocate(std::size_t bytes) {
  if (live_bytes.fetch_add(bytes) + bytes > bytes_of_machine()) {
    live_bytes -= bytes;
    return nullptr;
  }
  void* const memory = std::calloc(1, bytes + kAlignment);
  if (!memory) {
    live_bytes -= bytes;
    return nullptr;
  }
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t aligned = (start + kAlignment - 1) / kAlignment * kAlignment;
  return {static_cast<std::byte*>(memory) + (aligned - start), [memory, bytes](std::byte*) {
            std::free(memory);
            live_bytes -= bytes;
          }};
}

std::size_t alignment_of(ElementType type) {
  const std::size_t bytes = bytes_in_memory(type);
  return type == ElementType::kString ? alignof(std::string) : std::min<std::size_t>(bytes, 8);
}

}  // namespace

std::optional<std::int64_t> count(const Sizes& dims) {
  std::int64_t out = 1;
  bool is_empty = false, overflows = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    is_empty |= dim == 0;
    overflows |= dim != 0 && __builtin_mul_overflow(out, dim, &out);
  }
  // Walks over what is empty along one axis still count the others.
  if (is_empty)
    return overflows || out > kMostOfEmpty ? std::nullopt : std::optional<std::int64_t>(0);
  return overflows ? std::nullopt : std::optional(out);
}

std::string to_string(const Sizes& dims) {
  std::string out = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) out += format("{}{}", i ? "," : "", dims[i]);
  return out + "]";
}

Result<Tensor> Tensor::make(ElementType type, Sizes dims) {
  const std::optional<std::int64_t> elements = ir::count(dims);
  const std::uint64_t width = bytes_in_memory(type);
  const std::uint64_t most = bytes_of_machine();
  if (!elements || width == 0 || static_cast<std::uint64_t>(*elements) > most / width) {
    return fail("E140", {},
                {{"type", std::string(name(type))},
                 {"dims", to_string(dims)},
                 {"most", human_bytes(most)}});
  }
  Tensor out;
  out.type_ = type;
  out.dims_ = std::move(dims);
  out.count_ = *elements;
  if (type == ElementType::kString) {
    auto strings = std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(*elements));
    out.mutable_ = reinterpret_cast<std::byte*>(strings->data());
    out.owner_ = std::move(strings);
  } else {
    std::shared_ptr<std::byte> memory = allocate(out.bytes());
    if (!memory) {
      return fail("E140", {},
                  {{"type", std::string(name(type))},
                   {"dims", to_string(out.dims_)},
                   {"most", human_bytes(most)}});
    }
    out.mutable_ = memory.get();
    out.owner_ = std::move(memory);
  }
  out.data_ = out.mutable_;
  return out;
}

Tensor Tensor::view(ElementType type, Sizes dims, const void* data,
                    std::shared_ptr<const void> owner) {
  Tensor out;
  out.type_ = type;
  out.count_ = ir::count(dims).value_or(0);
  out.dims_ = std::move(dims);
  out.data_ = static_cast<const std::byte*>(data);
  out.owner_ = std::move(owner);
  return out;
}

Result<Tensor> Tensor::aligned() const {
  const auto address = reinterpret_cast<std::uintptr_t>(data_);
  const std::size_t alignment = alignment_of(type_);
  if (alignment == 0 || address % alignment == 0) return *this;
  ASSIGN(Tensor out, make(type_, dims_));
  if (count_) std::memcpy(out.mutable_, data_, bytes());
  return out;
}

Tensor Tensor::reshaped(Sizes dims) const {
  Tensor out = *this;
  out.dims_ = std::move(dims);
  out.mutable_ = nullptr;
  return out;
}

Tensor Tensor::as(ElementType type) const {
  Tensor out = *this;
  out.type_ = type;
  return out;
}

void Tensor::check(ElementType wanted) const {
  // A tensor that is not there (an input that is left out) has no values of any type.
  const bool is_nothing = type_ == ElementType::kUndefined && count_ == 0;
  if (wanted != type_ && !is_nothing) std::abort();
}

Result<Tensor> convert(const Tensor& tensor, ElementType type) {
  if (tensor.type() == type) return tensor;
  ASSIGN(Tensor out, Tensor::make(type, tensor.dims()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(out.count()); ++i) {
    store(type, out.mutable_data(), i, number_at(tensor.type(), tensor.data(), i),
          Overflow::kToInfinity);
  }
  return out;
}

std::optional<std::vector<std::int64_t>> to_integers(const Tensor& tensor) {
  if (!is_integer(tensor.type()) && tensor.type() != ElementType::kBool) return std::nullopt;
  std::vector<std::int64_t> out(static_cast<std::size_t>(tensor.count()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = integer_at(tensor.type(), tensor.data(), i);
  }
  return out;
}

std::optional<std::vector<double>> to_doubles(const Tensor& tensor) {
  const ElementType type = tensor.type();
  if (!is_floating(type) && !is_integer(type) && type != ElementType::kBool) return std::nullopt;
  std::vector<double> out(static_cast<std::size_t>(tensor.count()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = number_at(type, tensor.data(), i);
  return out;
}

Datum Datum::sequence(std::vector<Datum> items) {
  Datum out;
  out.kind = Kind::kSequence;
  out.items = std::move(items);
  return out;
}

Datum Datum::optional(std::vector<Datum> item) {
  Datum out;
  out.kind = Kind::kOptional;
  out.items = std::move(item);
  return out;
}

}  // namespace godwit::ir
