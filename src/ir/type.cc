// Printing and uniting types.
#include "ir/type.h"

#include "base/text.h"

namespace godwit::ir {
namespace {

std::optional<Dim> unify(Dim a, Dim b) {
  if (a.is_known() && b.is_known()) return a == b ? std::optional(a) : std::nullopt;
  if (a.is_known() || b.is_known()) return a.is_known() ? a : b;
  return a.is_anonymous() ? b : a;
}

std::optional<Shape> unify(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return std::nullopt;
  Shape out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::optional<Dim> dim = unify(a[i], b[i]);
    if (!dim) return std::nullopt;
    out.push_back(*dim);
  }
  return out;
}

std::string_view kind_name(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::kSequence: return "seq";
    case Type::Kind::kOptional: return "optional";
    case Type::Kind::kMap: return "map";
    case Type::Kind::kSparse: return "sparse_tensor";
    default: return "?";
  }
}

}  // namespace

Dim count(const Shape& shape) {
  Dim out = 1;
  for (const Dim dim : shape) out = out * dim;
  return out;
}

std::optional<std::vector<std::int64_t>> static_sizes(const Type& type) {
  if (!type.is_tensor() || !type.shape) return std::nullopt;
  std::vector<std::int64_t> out;
  for (const Dim dim : *type.shape) {
    if (!dim.is_known()) return std::nullopt;
    out.push_back(dim.value());
  }
  return out;
}

std::string to_string(const Shape& shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? "," : "") + shape[i].to_string();
  return out + "]";
}

std::string to_string(const Type& type) {
  if (type.kind == Type::Kind::kUnknown) return "?";
  if (!type.inner) {
    const bool is_scalar = type.shape && type.shape->empty();
    const std::string shape = !type.shape ? "[]" : is_scalar ? "" : to_string(*type.shape);
    return std::string(name(type.element)) + shape;
  }
  const std::string inner = to_string(*type.inner);
  if (type.kind == Type::Kind::kMap) return format("map({}, {})", name(type.element), inner);
  return format("{}({})", kind_name(type.kind), inner);
}

std::optional<Type> unify(const Type& a, const Type& b) {
  if (a.kind == Type::Kind::kUnknown) return b;
  if (b.kind == Type::Kind::kUnknown) return a;
  if (a.kind != b.kind) return std::nullopt;
  Type out = a;
  if (a.element == ElementType::kUndefined) out.element = b.element;
  if (b.element != ElementType::kUndefined && out.element != b.element) return std::nullopt;
  if (a.shape && b.shape) {
    out.shape = unify(*a.shape, *b.shape);
    if (!out.shape) return std::nullopt;
  } else if (b.shape) {
    out.shape = b.shape;
  }
  if (a.inner && b.inner) {
    const std::optional<Type> inner = unify(*a.inner, *b.inner);
    if (!inner) return std::nullopt;
    out.inner = std::make_shared<const Type>(*inner);
  } else if (b.inner) {
    out.inner = b.inner;
  }
  return out;
}

Type common(const Type& a, const Type& b) {
  if (a.kind != b.kind) return {};
  Type out = {.kind = a.kind};
  if (a.element == b.element) out.element = a.element;
  if (a.shape && b.shape && a.shape->size() == b.shape->size()) {
    out.shape = a.shape;
    for (std::size_t i = 0; i < a.shape->size(); ++i) {
      if (!((*a.shape)[i] == (*b.shape)[i])) (*out.shape)[i] = Dim::unknown();
    }
  }
  if (a.inner && b.inner) out.inner = std::make_shared<const Type>(common(*a.inner, *b.inner));
  return out;
}

}  // namespace godwit::ir
