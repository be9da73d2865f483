// Access for shape rules, and the rules that many operators share.
#include "ops/inference.h"

#include "base/text.h"

namespace godwit::ops {
namespace {

const Type kUnknownType;
constexpr std::int64_t kMostAxes = 1024;

}  // namespace

std::optional<Shape> shape_of_rank(std::int64_t rank) {
  if (rank < 0 || rank > kMostAxes) return std::nullopt;
  Shape out;
  for (std::int64_t i = 0; i < rank; ++i) out.push_back(Dim::unknown());
  return out;
}

const Type& Inference::type(std::size_t i) const {
  return has_input(i) ? inputs_[i].type : kUnknownType;
}

const Shape* Inference::shape(std::size_t i) const {
  const Type& known = type(i);
  return known.shape ? &*known.shape : nullptr;
}

const ir::Tensor* Inference::constant(std::size_t i) const {
  return has_input(i) ? inputs_[i].constant : nullptr;
}

std::optional<Content> Inference::content(std::size_t i) const {
  if (!has_input(i)) return std::nullopt;
  if (inputs_[i].content) return inputs_[i].content;
  const ir::Tensor* const held = inputs_[i].constant;
  if (!held || held->count() > kMostContent || held->rank() > 1) return std::nullopt;
  const std::optional<Ints> numbers = to_integers(*held);
  if (!numbers) return std::nullopt;
  return Content(numbers->begin(), numbers->end());
}

std::optional<Ints> Inference::integers(std::size_t i) const {
  const std::optional<Content> known = content(i);
  if (!known) return std::nullopt;
  Ints out;
  for (const Dim dim : *known) {
    if (!dim.is_known()) return std::nullopt;
    out.push_back(dim.value());
  }
  return out;
}

std::optional<Ints> Inference::list(std::string_view name, std::size_t i, Ints fallback) const {
  if (has_input(i)) return integers(i);
  if (has(name)) return integers(name);
  return fallback;
}

void Inference::set(std::size_t output, Type type) {
  if (output < outputs_.size()) outputs_[output].type = std::move(type);
}

void Inference::set_content(std::size_t output, Content content) {
  if (output < outputs_.size() && content.size() <= kMostContent)
    outputs_[output].content = std::move(content);
}

Status same_as_first(Inference& n) {
  n.set(0, n.type(0));
  return {};
}

Result<Shape> broadcast(const Site& site, const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Shape out(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim x = i + a.size() < rank ? Dim(1) : a[i + a.size() - rank];
    const Dim y = i + b.size() < rank ? Dim(1) : b[i + b.size() - rank];
    if (x == y || y.is(1))
      out[i] = x;
    else if (x.is(1))
      out[i] = y;
    else if (x.is_known() && y.is_known())
      return site.refuse("broadcast", {{"a", to_string(a)}, {"b", to_string(b)}});
    else  // one of them is not known: if it is not 1 it must be the other
      out[i] = x.is_known() ? x : y.is_known() ? y : Dim::unknown();
  }
  return out;
}

namespace {

Status broadcast_as(Inference& n, ElementType element) {
  std::optional<Shape> shape = Shape{};
  for (std::size_t i = 0; i < n.inputs() && shape; ++i) {
    if (!n.shape(i)) {
      shape.reset();
      break;
    }
    Shape own = *n.shape(i);
    if (i == 1) {
      ASSIGN(const std::size_t ones, n.ones_behind(shape->size(), own.size()));
      own.insert(own.end(), ones, Dim(1));
    }
    ASSIGN(shape, broadcast(n, *shape, own));
  }
  n.set(0, element, std::move(shape));
  return {};
}

}  // namespace

Status broadcast_numbers(Inference& n) { return broadcast_as(n, n.element(0)); }
Status broadcast_truth(Inference& n) { return broadcast_as(n, ElementType::kBool); }

}  // namespace godwit::ops
