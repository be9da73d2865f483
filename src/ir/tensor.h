// Tensors: numbers of a model that are mapped from its file, or made while it runs.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/element_type.h"

namespace godwit::ir {

/// The element type that a C++ type holds.
template <class T>
inline constexpr ElementType kElement = ElementType::kUndefined;
template <>
inline constexpr ElementType kElement<float> = ElementType::kFloat;
template <>
inline constexpr ElementType kElement<double> = ElementType::kDouble;
template <>
inline constexpr ElementType kElement<std::int8_t> = ElementType::kInt8;
template <>
inline constexpr ElementType kElement<std::int16_t> = ElementType::kInt16;
template <>
inline constexpr ElementType kElement<std::int32_t> = ElementType::kInt32;
template <>
inline constexpr ElementType kElement<std::int64_t> = ElementType::kInt64;
template <>
inline constexpr ElementType kElement<std::uint8_t> = ElementType::kUint8;
template <>
inline constexpr ElementType kElement<std::uint16_t> = ElementType::kUint16;
template <>
inline constexpr ElementType kElement<std::uint32_t> = ElementType::kUint32;
template <>
inline constexpr ElementType kElement<std::uint64_t> = ElementType::kUint64;
template <>
inline constexpr ElementType kElement<bool> = ElementType::kBool;
template <>
inline constexpr ElementType kElement<std::string> = ElementType::kString;
template <>
inline constexpr ElementType kElement<std::complex<float>> = ElementType::kComplex64;
template <>
inline constexpr ElementType kElement<std::complex<double>> = ElementType::kComplex128;

using Sizes = std::vector<std::int64_t>;

/// Product of the sizes; nothing when one is negative, the product leaves 63 bits, or the sizes
/// beside a 0 multiply to more than 2^31: no real tensor is so wide and holds nothing.
std::optional<std::int64_t> count(const Sizes& dims);

/// "[1,3,224,224]"
std::string to_string(const Sizes& dims);

/// Values in row-major order. Copies share the values, which nobody changes once a tensor is handed
/// on. Types under eight bits take a byte per element (the bits in its low end), strings are
/// std::string objects, bools the bytes 0 and 1. What is mapped from a file may lie at any address:
/// `values` is for aligned tensors, see `aligned`.
class Tensor {
 public:
  Tensor() = default;

  /// Zeros. Errors: E140 more bytes, with all tensors that are
  /// alive, than this machine has.
  static Result<Tensor> make(ElementType type, Sizes dims);
  /// Values that lie elsewhere and are kept alive by `owner`.
  static Tensor view(ElementType type, Sizes dims, const void* data,
                     std::shared_ptr<const void> owner);
  template <class T>
  static Tensor of(Sizes dims, std::initializer_list<T> values) {
    return of(std::move(dims), std::vector<T>(values));
  }
  template <class T>
  static Tensor of(Sizes dims, std::vector<T> values) {
    auto kept = std::make_shared<std::vector<T>>(std::move(values));
    return view(kElement<T>, std::move(dims), kept->data(), kept);
  }
  static Tensor scalar(float value) { return of<float>({}, {value}); }
  static Tensor scalar(std::int64_t value) { return of<std::int64_t>({}, {value}); }
  static Tensor integers(std::vector<std::int64_t> values) {
    const auto length = static_cast<std::int64_t>(values.size());
    return of<std::int64_t>({length}, std::move(values));
  }

  ElementType type() const { return type_; }
  const Sizes& dims() const { return dims_; }
  std::size_t rank() const { return dims_.size(); }
  std::int64_t count() const { return count_; }
  /// Bytes of its values in memory.
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * bytes_in_memory(type_); }
  bool empty() const { return count_ == 0; }

  const std::byte* data() const { return data_; }
  std::byte* mutable_data() { return mutable_; }  // null unless made by `make` and not handed on
  const std::shared_ptr<const void>& owner() const { return owner_; }

  /// T must be the element type; a broken invariant of ours otherwise.
  template <class T>
  std::span<const T> values() const {
    check(kElement<T>);
    return {reinterpret_cast<const T*>(data_), static_cast<std::size_t>(count_)};
  }
  template <class T>
  std::span<T> mutable_values() {
    check(kElement<T>);
    return {reinterpret_cast<T*>(mutable_), static_cast<std::size_t>(count_)};
  }

  /// This tensor, or a copy of it where its values lie at an address that the type does not allow.
  Result<Tensor> aligned() const;
  /// The same values under other sizes; their product must be the same.
  Tensor reshaped(Sizes dims) const;
  /// The same bits as another type of the same width.
  Tensor as(ElementType type) const;

 private:
  void check(ElementType wanted) const;

  ElementType type_ = ElementType::kUndefined;
  Sizes dims_{};
  std::int64_t count_ = 0;
  std::shared_ptr<const void> owner_{};
  const std::byte* data_ = nullptr;
  std::byte* mutable_ = nullptr;
};

/// The values as another type: nearest, ties to even; too large for a small float: infinity. The
/// tensor itself when it has the type. Strings and complex numbers are not converted.
Result<Tensor> convert(const Tensor& tensor, ElementType type);

/// Integers of an i64, i32 or smaller integer or bool tensor; nothing of other types.
std::optional<std::vector<std::int64_t>> to_integers(const Tensor& tensor);

/// Every element as a double; nothing of strings and complex numbers. 16-bit floats and smaller
/// are widened exactly.
std::optional<std::vector<double>> to_doubles(const Tensor& tensor);

/// What a value is when a model runs: a tensor, or the sequence or optional that holds some.
struct Datum {
  enum class Kind : std::uint8_t { kNothing, kTensor, kSequence, kOptional, kMap };
  Kind kind = Kind::kNothing;
  Tensor tensor{};
  ElementType element = ElementType::kUndefined;  // of an empty sequence
  std::vector<Datum> items{};  // of a sequence; of an optional: none or one; of a map: keys, values

  Datum() = default;
  Datum(Tensor value) : kind(Kind::kTensor), tensor(std::move(value)) {}  // NOLINT: a tensor is one
  static Datum sequence(std::vector<Datum> items);
  static Datum optional(std::vector<Datum> item);
  bool is_tensor() const { return kind == Kind::kTensor; }
};

}  // namespace godwit::ir
