// The middle of a tensor cut out, or a tensor put into the middle of zeros.
#include <algorithm>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

// The axes that the list of sizes names, in its order.
Result<std::vector<std::size_t>> named_axes(const Site& site, std::size_t rank) {
  Ints list = site.integers("axes");
  for (std::size_t i = 0; i < rank && !site.has("axes"); ++i)
    list.push_back(static_cast<std::int64_t>(i));
  TRY(site.axes(list, rank));
  std::vector<std::size_t> out;
  for (const std::int64_t each : list) {
    ASSIGN(const std::size_t axis, site.axis(each, rank));
    out.push_back(axis);
  }
  return out;
}

Status infer(Inference& n) {
  n.set(0, n.element(0), std::nullopt);
  if (!n.shape(0)) return {};
  Shape out = *n.shape(0);
  ASSIGN(const std::vector<std::size_t> axes, named_axes(n, out.size()));
  const auto sizes = n.content(1);
  const bool is_known = sizes && sizes->size() == axes.size();
  for (std::size_t i = 0; i < axes.size(); ++i)
    out[axes[i]] = is_known ? (*sizes)[i] : Dim::unknown();
  n.set(0, n.element(0), std::move(out));
  return {};
}

Status evaluate(Call& call) {
  const Sizes& from = call.input(0).dims();
  ASSIGN(const std::vector<std::size_t> axes, named_axes(call, from.size()));
  ASSIGN(const Ints sizes, call.integers(1));
  if (sizes.size() != axes.size()) return refuse_shapes(call, sizes, from);
  Sizes to = from;
  for (std::size_t i = 0; i < axes.size(); ++i) to[axes[i]] = sizes[i];
  ASSIGN(Tensor* const y, call.make(0, call.input(0).type(), to));

  const std::vector<std::int64_t> from_steps = strides(from), to_steps = strides(to);
  Sizes kept;
  std::int64_t from_start = 0, to_start = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    kept.push_back(std::min(from[axis], to[axis]));
    from_start += (from[axis] - kept[axis]) / 2 * from_steps[axis];
    to_start += (to[axis] - kept[axis]) / 2 * to_steps[axis];
  }
  for (Odometer at(kept, {from_steps, to_steps}); !at.done(); at.next()) {
    copy_elements(call.input(0), static_cast<std::size_t>(from_start) + at.offset(0), *y,
                  static_cast<std::size_t>(to_start) + at.offset(1));
  }
  return {};
}

// Sizes must be known: a dim that is cut and one that is filled up are said differently.
Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const std::vector<std::size_t> axes, named_axes(e, rank));
  const std::optional<Ints> sizes = e.Inference::integers(1);
  if (!sizes || sizes->size() != axes.size()) return e.refuse("not_constant", {{"input", "1"}});
  Ints starts, ends, places, pads(2 * rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dim dim = (*e.shape(0))[axes[i]];
    if (!dim.is_known()) return e.refuse("unknown_rank", {{"input", "0"}});
    if ((*sizes)[i] < 0) return refuse_shapes(e, *sizes, {});
    const std::int64_t more = (*sizes)[i] - dim.value();
    places.push_back(static_cast<std::int64_t>(axes[i]));
    starts.push_back(more < 0 ? -more / 2 : 0);
    ends.push_back(starts.back() + std::min((*sizes)[i], dim.value()));
    pads[axes[i]] = more > 0 ? more / 2 : 0;
    pads[axes[i] + rank] = more > 0 ? more - more / 2 : 0;
  }
  const Term middle = x.then(
      "Slice", {e.indices(std::move(starts)), e.indices(std::move(ends)), e.indices(places)});
  e.set_output(0, middle.then("Pad", {e.indices(std::move(pads))}));
  return {};
}

}  // namespace

extern const Operator center_crop_pad = {
    .name = "CenterCropPad",
    .doc = "Cuts out the middle of a tensor, or puts it into the middle of zeros.",
    .since = 18,
    .inputs = {{"input_data", 'T', kClassic | kBfloat16}, {"shape", 'I', kIndices}},
    .outputs = {{"output_data", 'T', kClassic | kBfloat16}},
    .attributes = {{"axes"}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
    .expand = expand,
};

}  // namespace godwit::ops::operators
