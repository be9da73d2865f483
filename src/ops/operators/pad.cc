// Widens axes at both ends: by a constant, the edge, or the tensor mirrored or repeated.
#include <algorithm>
#include <numeric>

#include "ir/number.h"
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

constexpr std::int64_t kFill = -1;

// Where along an axis of `size` the value for position `at` lies, which may be outside [0, size).
std::int64_t source(std::string_view mode, std::int64_t at, std::int64_t size) {
  if (at >= 0 && at < size) return at;
  if (mode == "constant") return kFill;
  if (mode == "edge") return std::clamp<std::int64_t>(at, 0, size - 1);
  const auto wrapped = [at](std::int64_t period) { return (at % period + period) % period; };
  if (mode == "wrap") return wrapped(size);
  if (size == 1) return 0;
  const std::int64_t back_and_forth = wrapped(2 * size - 2);  // the edges are not repeated
  return std::min(back_and_forth, 2 * size - 2 - back_and_forth);
}

Status check_mode(const Site& site) {
  const std::string_view mode = site.text("mode");
  const bool is_known = mode == "constant" || mode == "edge" || mode == "reflect" ||
                        (mode == "wrap" && site.opset() >= 19);
  return is_known ? Status() : refuse_attribute(site, "mode");
}

std::string_view list_name(const Site& site) { return site.opset() == 1 ? "paddings" : "pads"; }

// Begins of the given axes first, then ends, spread over all axes of the tensor.
template <class Number>
Result<std::vector<Number>> spread(const Site& site, const std::vector<Number>& pads,
                                   const std::optional<Ints>& axes, std::size_t rank) {
  const std::size_t count = axes ? axes->size() : rank;
  if (pads.size() != 2 * count)
    return site.refuse("counts", {{"what", std::string(list_name(site))},
                                  {"found", std::to_string(pads.size())},
                                  {"expected", std::to_string(2 * count)}});
  if (!axes) return pads;
  TRY(site.axes(*axes, rank));
  std::vector<Number> out(2 * rank, Number(0));
  for (std::size_t i = 0; i < count; ++i) {
    ASSIGN(const std::size_t axis, site.axis((*axes)[i], rank));
    out[axis] = pads[i];
    out[axis + rank] = pads[i + count];
  }
  return out;
}

Status infer(Inference& n) {
  std::optional<Content> pads = n.content(1);
  if (n.opset() < 11) {
    const Ints list = n.integers(list_name(n));
    pads = Content(list.begin(), list.end());
  }
  const std::optional<Ints> axes = n.has_input(3) ? n.integers(3) : std::nullopt;
  std::optional<Shape> shape;
  if (n.shape(0)) shape = shape_of_rank(static_cast<std::int64_t>(n.shape(0)->size()));
  if (n.shape(0) && pads && (axes || !n.has_input(3))) {
    const std::size_t rank = n.shape(0)->size();
    ASSIGN(const Content both, spread(n, *pads, axes, rank));
    for (std::size_t i = 0; i < rank; ++i)
      (*shape)[i] = (*n.shape(0))[i] + both[i] + both[i + rank];
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

// One element: the input, the attribute of older opsets, or zero.
Result<Tensor> fill_of(const Call& call) {
  const ElementType type = call.input(0).type();
  if (call.has_input(2)) {
    if (call.input(2).count() != 1) return refuse_shapes(call, call.input(2).dims(), {});
    return call.input(2);
  }
  ASSIGN(Tensor out, Tensor::make(type, {}));
  if (call.opset() < 11)
    ir::store(type, out.mutable_data(), 0, call.number("value"), ir::Overflow::kToInfinity);
  return out;
}

// For each axis, the place in the input of every position of the output.
Result<std::vector<Ints>> sources(const Call& call, const Ints& pads, const Sizes& dims) {
  const std::string_view mode = call.text("mode");
  std::vector<Ints> out;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const std::int64_t size = call.input(0).dims()[axis];
    if (size == 0 && mode != "constant" && dims[axis] != 0)
      return refuse_empty(call, call.input(0).dims());
    Ints& row = out.emplace_back();
    for (std::int64_t i = 0; i < dims[axis]; ++i) row.push_back(source(mode, i - pads[axis], size));
  }
  return out;
}

Result<Sizes> padded(const Call& call, const Ints& pads) {
  Sizes out = call.input(0).dims();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool overflows = __builtin_add_overflow(out[i], pads[i], &out[i]) ||
                           __builtin_add_overflow(out[i], pads[i + out.size()], &out[i]);
    if (overflows || out[i] < 0) return refuse_shapes(call, call.input(0).dims(), pads);
  }
  return out;
}

Status evaluate(Call& call) {
  TRY(check_mode(call));
  const Tensor& x = call.input(0);
  ASSIGN(const Ints list, call.list(list_name(call), 1));
  std::optional<Ints> axes;
  if (call.has_input(3)) {
    ASSIGN(axes, call.integers(3));
  }
  ASSIGN(const Ints pads, spread(call, list, axes, x.rank()));
  ASSIGN(const Sizes dims, padded(call, pads));
  ASSIGN(const Tensor fill, fill_of(call));
  ASSIGN(Tensor* const out, call.make(0, x.type(), dims));
  if (out->empty()) return {};
  ASSIGN(const std::vector<Ints> from, sources(call, pads, dims));
  const std::vector<std::int64_t> steps = strides(x.dims());
  std::size_t where = 0;
  for (Odometer at(dims, {}); !at.done(); at.next(), ++where) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < dims.size() && place != kFill; ++axis) {
      const std::int64_t along = from[axis][static_cast<std::size_t>(at.coordinates()[axis])];
      place = along == kFill ? kFill : place + along * steps[axis];
    }
    if (place == kFill)
      copy_elements(fill, 0, *out, where);
    else
      copy_elements(x, static_cast<std::size_t>(place), *out, where);
  }
  return {};
}

}  // namespace

extern const Operator pad = {
    .name = "Pad",
    .doc = "The tensor with more elements at both ends of its axes, or fewer for negative numbers.",
    .inputs =
        {{.name = "data",
          .types = floats(13) | since(11, kIntegers) | since(13, kBool | kString | kComplex) |
                   since(21, kFloat8) | kPackedTypes},
         {.name = "pads", .variable = 'P', .types = kInt64, .since = 11},
         {.name = "constant_value",
          .types = numbers(13) | since(13, kBool | kString | kComplex) | since(21, kFloat8) |
                   kPackedTypes,
          .kind = kOptional,
          .since = 11},
         {.name = "axes", .variable = 'I', .types = kIndices, .kind = kOptional, .since = 18}},
    .outputs = {{.name = "output",
                 .types = floats(13) | since(11, kIntegers) |
                          since(13, kBool | kString | kComplex) | since(21, kFloat8) |
                          kPackedTypes}},
    .attributes = {{"mode", "constant"},
                   {.name = "paddings", .fallback = kMustBeThere, .until = 1},
                   {.name = "pads", .fallback = kMustBeThere, .since = 2, .until = 10},
                   {.name = "value", .fallback = 0.0f, .until = 10}},
    .revisions = {13, 18, 19, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
