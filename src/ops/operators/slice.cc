// A part of a tensor: from a start to an end in steps, along some axes.
#include <algorithm>
#include <numeric>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

struct Cut {
  std::int64_t start;
  std::int64_t count;
  std::int64_t step;
};

// Start and end count from the back when negative and are cut to the axis.
Cut cut_of(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  const auto clamped = [&](std::int64_t at) {
    return std::clamp(at < 0 ? at + size : at, low, high);
  };
  start = clamped(start);
  end = clamped(end);
  const std::int64_t length = step > 0 ? end - start : start - end;
  if (length <= 0) return {0, 0, step};
  // -step would leave 64 bits for the least number.
  const std::uint64_t stride =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return {start, static_cast<std::int64_t>((static_cast<std::uint64_t>(length) - 1) / stride + 1),
          step};
}

// The same of a size that is not known: said where start and end leave no doubt.
Dim symbolic_count(std::int64_t start, Dim end, std::int64_t step, Dim size) {
  constexpr std::int64_t kFar = std::int64_t{1} << 31;  // what exporters write for "to the end"
  if (step == -1 && start == -1 && end.is_known() && end.value() <= -kFar + 1) return size;
  if (step < 1) return Dim::unknown();
  const bool reaches_end = end == size || (end.is_known() && end.value() >= kFar - 1);
  if (start == 0 && reaches_end) return ceil_div(size, step);
  if (start >= 0 && reaches_end) return ceil_div(max(size - Dim(start), 0), step);
  if (start < 0 && reaches_end) return ceil_div(min(size, Dim(0) - Dim(start)), step);
  if (start == 0 && end.is_known())
    return ceil_div(end.value() < 0 ? max(size + end, 0) : min(size, end), step);
  return Dim::unknown();
}

// Axes in the order of starts and ends; the first ones unless the node names them.
Result<std::vector<std::size_t>> axes_of(const Site& site, std::optional<Ints> named,
                                         std::size_t count, std::size_t rank) {
  if (!named) {
    named.emplace(count);
    std::iota(named->begin(), named->end(), 0);
  }
  TRY(site.axes(*named, rank));
  std::vector<std::size_t> out;
  for (const std::int64_t axis : *named) {
    ASSIGN(out.emplace_back(), site.axis(axis, rank));
  }
  if (out.size() != count)
    return refuse_shapes(site, {static_cast<std::int64_t>(out.size())},
                         {static_cast<std::int64_t>(count)});
  return out;
}

Status check_counts(const Site& site, std::size_t starts, std::size_t ends, const Ints& steps) {
  const auto size = [](std::size_t n) { return Sizes{static_cast<std::int64_t>(n)}; };
  if (ends != starts) return refuse_shapes(site, size(starts), size(ends));
  if (steps.size() != starts) return refuse_shapes(site, size(starts), size(steps.size()));
  if (std::find(steps.begin(), steps.end(), 0) != steps.end())
    return site.refuse("attribute", {{"name", "steps"}, {"value", "0"}});
  return {};
}

std::optional<Content> content_or_list(const Inference& n, std::string_view name, std::size_t i) {
  if (n.has_input(i)) return n.content(i);
  const Ints list = n.integers(name);
  return Content(list.begin(), list.end());
}

struct Wanted {
  Content starts, ends;
  Ints steps;
  std::optional<Ints> axes;
};

// Nothing where a part of it is not known yet.
std::optional<Wanted> wanted_of(const Inference& n) {
  std::optional<Content> starts = content_or_list(n, "starts", 1);
  std::optional<Content> ends = content_or_list(n, "ends", 2);
  if (!starts || !ends) return std::nullopt;
  Wanted out{*std::move(starts), *std::move(ends), {}, std::nullopt};
  const std::optional<Ints> steps = n.list("steps", 4, Ints(out.starts.size(), 1));
  if (!steps) return std::nullopt;
  out.steps = *steps;
  if (n.has_input(3) || n.has("axes")) {
    out.axes = n.list("axes", 3);
    if (!out.axes) return std::nullopt;
  }
  return out;
}

Dim count_of(Dim start, Dim end, std::int64_t step, Dim size) {
  if (start.is_known() && end.is_known() && size.is_known())
    return cut_of(start.value(), end.value(), step, size.value()).count;
  if (start.is_known()) return symbolic_count(start.value(), end, step, size);
  return Dim::unknown();
}

Status infer(Inference& n) {
  const Shape* const shape = n.shape(0);
  std::optional<Shape> out;
  if (shape) out = shape_of_rank(static_cast<std::int64_t>(shape->size()));
  const std::optional<Wanted> wanted = wanted_of(n);
  if (shape && wanted) {
    TRY(check_counts(n, wanted->starts.size(), wanted->ends.size(), wanted->steps));
    ASSIGN(const std::vector<std::size_t> axes,
           axes_of(n, wanted->axes, wanted->starts.size(), shape->size()));
    out = *shape;
    for (std::size_t i = 0; i < axes.size(); ++i)
      (*out)[axes[i]] =
          count_of(wanted->starts[i], wanted->ends[i], wanted->steps[i], (*shape)[axes[i]]);
  }
  n.set(0, n.element(0), std::move(out));
  const std::optional<Content> content = n.content(0);
  if (!content || !wanted || wanted->starts.size() != 1 || !shape || shape->size() != 1) return {};
  if (!wanted->starts[0].is_known() || !wanted->ends[0].is_known()) return {};
  const Cut cut = cut_of(wanted->starts[0].value(), wanted->ends[0].value(), wanted->steps[0],
                         static_cast<std::int64_t>(content->size()));
  Content part;
  for (std::int64_t i = 0; i < cut.count; ++i)
    part.push_back((*content)[static_cast<std::size_t>(cut.start + i * cut.step)]);
  n.set_content(0, std::move(part));
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const Ints starts, call.list("starts", 1));
  ASSIGN(const Ints ends, call.list("ends", 2));
  ASSIGN(const Ints steps, call.list("steps", 4, Ints(starts.size(), 1)));
  TRY(check_counts(call, starts.size(), ends.size(), steps));
  std::optional<Ints> named;
  if (call.has_input(3) || call.has("axes")) {
    ASSIGN(named, call.list("axes", 3));
  }
  ASSIGN(const std::vector<std::size_t> axes, axes_of(call, named, starts.size(), x.rank()));
  Sizes dims = x.dims();
  std::vector<std::int64_t> steps_in_x = strides(dims);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Cut cut = cut_of(starts[i], ends[i], steps[i], dims[axes[i]]);
    dims[axes[i]] = cut.count;
    first += cut.start * steps_in_x[axes[i]];
    // With one element or none the step, which may be huge, is never taken.
    steps_in_x[axes[i]] *= cut.count > 1 ? cut.step : 1;
  }
  ASSIGN(Tensor out, strided(x, std::move(dims), steps_in_x, first));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator slice = {
    .name = "Slice",
    .doc = "A part of a tensor: from start to end in steps, along the given axes.",
    .inputs =
        {{"data", 'T', classic(13)},
         {.name = "starts", .variable = 'I', .types = kIndices, .since = 10},
         {.name = "ends", .variable = 'I', .types = kIndices, .since = 10},
         {.name = "axes", .variable = 'I', .types = kIndices, .kind = kOptional, .since = 10},
         {.name = "steps", .variable = 'I', .types = kIndices, .kind = kOptional, .since = 10}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{.name = "starts", .fallback = kMustBeThere, .until = 9},
                   {.name = "ends", .fallback = kMustBeThere, .until = 9},
                   {.name = "axes", .until = 9}},
    .revisions = {11, 13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
