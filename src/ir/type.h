// Types of values: tensors with symbolic shapes, and the sequences, optionals and maps around them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/dim.h"
#include "ir/element_type.h"

namespace godwit::ir {

using Shape = std::vector<Dim>;

/// Product of the dimensions; 1 for a scalar.
Dim count(const Shape& shape);

struct Type {
  enum class Kind : std::uint8_t { kUnknown, kTensor, kSparse, kSequence, kMap, kOptional };
  Kind kind = Kind::kUnknown;
  ElementType element = ElementType::kUndefined;  // of a tensor; of a map: the key
  std::optional<Shape> shape{};                   // of a tensor; nothing: not even the rank
  std::shared_ptr<const Type> inner{};            // of a sequence, optional or map

  static Type tensor(ElementType element, std::optional<Shape> shape = std::nullopt) {
    return {Kind::kTensor, element, std::move(shape), nullptr};
  }
  static Type around(Kind kind, Type inner) {
    return {kind, ElementType::kUndefined, std::nullopt,
            std::make_shared<const Type>(std::move(inner))};
  }
  bool is_tensor() const { return kind == Kind::kTensor; }
};

/// The sizes of a tensor whose shape is all numbers; nothing otherwise.
std::optional<std::vector<std::int64_t>> static_sizes(const Type& type);

/// As ONNX writes types in text: "float[N,3,224,224]", "seq(int64[?])", "float" for a scalar,
/// "float[]" when not even the rank is known; "?" when nothing is known.
std::string to_string(const Type& type);

/// "[N,3,224]"
std::string to_string(const Shape& shape);

/// What holds of every value that has one of the two types: dims that differ are not known.
Type common(const Type& a, const Type& b);

/// What is known of a value of which both are said: numbers win over symbols, symbols over
/// unknowns. Nothing when they contradict each other.
std::optional<Type> unify(const Type& a, const Type& b);

}  // namespace godwit::ir
