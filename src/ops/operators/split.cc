// Cuts a tensor into parts along an axis.
#include <numeric>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// Lengths of equal parts; since opset 18 the last one may be shorter.
Result<Ints> equal_parts(const Site& site, std::int64_t length) {
  const auto parts = static_cast<std::int64_t>(site.node().outputs.size());
  if (site.has("num_outputs") && site.integer("num_outputs") != parts)
    return refuse_attribute(site, "num_outputs");
  if (parts == 0) return Ints();
  if (site.opset() < 18 && length % parts != 0) return refuse_shapes(site, {length}, {parts});
  const std::int64_t each = length / parts + (length % parts != 0);
  Ints out(static_cast<std::size_t>(parts));
  for (std::int64_t& part : out) {
    part = std::min(each, length);
    length -= part;
  }
  return out;
}

// Errors: E151 parts that are negative, not as many as outputs, or do not add up.
Status check_parts(const Site& site, const Ints& parts, std::int64_t length) {
  std::int64_t left = length;
  for (const std::int64_t part : parts) {
    if (part < 0 || part > left) return refuse_shapes(site, {length}, parts);
    left -= part;
  }
  const bool fits = left == 0 && parts.size() == site.node().outputs.size();
  return fits ? Status() : refuse_shapes(site, {length}, parts);
}

Status infer(Inference& n) {
  std::optional<Ints> parts;
  const bool is_given = n.has_input(1) || n.has("split");
  if (is_given) parts = n.list("split", 1);
  const Shape* const shape = n.shape(0);
  std::size_t axis = 0;
  if (shape) {
    ASSIGN(axis, n.axis("axis", shape->size()));
  }
  if (shape && !is_given && (*shape)[axis].is_known()) {
    ASSIGN(parts, equal_parts(n, (*shape)[axis].value()));
  }
  const std::optional<Content> content = n.content(0);
  std::size_t first = 0;
  for (std::size_t i = 0; i < n.outputs(); ++i) {
    std::optional<Shape> part;
    if (shape) part = *shape;
    if (part) (*part)[axis] = parts && i < parts->size() ? Dim((*parts)[i]) : Dim::unknown();
    if (part && !is_given && n.opset() < 18)  // equal parts, or else the run refuses
      (*part)[axis] = floor_div((*shape)[axis], static_cast<std::int64_t>(n.outputs()));
    n.set(i, n.element(0), std::move(part));
    if (!content || !shape || !parts || i >= parts->size()) continue;
    TRY(check_parts(n, *parts, static_cast<std::int64_t>(content->size())));
    const auto at = content->begin() + static_cast<std::ptrdiff_t>(first);
    n.set_content(i, Content(at, at + (*parts)[i]));
    first += static_cast<std::size_t>((*parts)[i]);
  }
  return {};
}

// Opset 1 may give the lengths as floats.
Result<Ints> lengths(const Call& call) {
  if (!call.has_input(1) || ir::is_integer(call.input(1).type())) return call.list("split", 1);
  Ints out;
  for (const double length : to_doubles(call.input(1)).value_or(std::vector<double>())) {
    if (!(length >= 0 && length < 9e18)) return refuse_attribute(call, "split");
    out.push_back(static_cast<std::int64_t>(length));
  }
  return out;
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const std::size_t axis, call.axis("axis", x.rank()));
  const bool is_given = call.has_input(1) || call.has("split");
  ASSIGN(const Ints parts, is_given ? lengths(call) : equal_parts(call, x.dims()[axis]));
  TRY(check_parts(call, parts, x.dims()[axis]));
  std::int64_t first = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ASSIGN(Tensor out, part_of(x, axis, first, parts[i]));
    call.set(i, std::move(out));
    first += parts[i];
  }
  return {};
}

}  // namespace

extern const Operator split = {
    .name = "Split",
    .doc = "Parts of a tensor along one axis, equal ones unless lengths are given.",
    .inputs = {{"input", 'T', floats(13) | since(2, kClassic)},
               {.name = "split", .types = kClassicFloats, .kind = kOptional, .until = 1},
               {.name = "split", .variable = 'S', .types = kInt64, .kind = kOptional, .since = 13}},
    .outputs = {{"outputs", 'T', floats(13) | since(2, kClassic), kVariadic}},
    .attributes = {{.name = "axis", .fallback = 0},
                   {.name = "split", .until = 12},
                   {.name = "num_outputs", .since = 18}},
    .revisions = {11, 13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
