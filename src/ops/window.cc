// Arithmetic of sliding windows.
#include "ops/window.h"

#include "base/text.h"
#include "ops/expect.h"

namespace godwit::ops {
namespace {

// Attributes beyond this are no sizes, and their products would leave 64 bits.
constexpr std::int64_t kMost = std::int64_t{1} << 31;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t same_padding(const Window& window, std::size_t axis, std::int64_t image) {
  const std::int64_t stride = window.strides[axis];
  const std::int64_t last = (divide_up(image, stride) - 1) * stride;
  return std::max<std::int64_t>(0, last + window.extent(axis) - image);
}

Result<Window::Padding> read_padding(const Site& site) {
  using enum Window::Padding;
  const std::string_view text = site.text("auto_pad");
  if (text.empty() || text == "NOTSET") return kGiven;
  if (text == "VALID") return kValid;
  if (text == "SAME_UPPER") return kSameUpper;
  if (text == "SAME_LOWER") return kSameLower;
  return refuse_attribute(site, "auto_pad");
}

Status check_range(const Site& site, std::string_view name, const Ints& list, std::size_t length,
                   std::int64_t least) {
  const bool fits = list.size() == length && std::all_of(list.begin(), list.end(), [&](auto each) {
                      return each >= least && each < kMost;
                    });
  if (fits) return {};
  return site.refuse("attribute", {{"name", std::string(name)}, {"value", ir::to_string(list)}});
}

}  // namespace

std::int64_t Window::begin(std::size_t axis, std::int64_t image) const {
  switch (padding) {
    case Padding::kGiven: return pads[axis];
    case Padding::kValid: return 0;
    case Padding::kSameUpper: return same_padding(*this, axis, image) / 2;
    case Padding::kSameLower: return (same_padding(*this, axis, image) + 1) / 2;
  }
  return 0;
}

std::int64_t Window::end(std::size_t axis, std::int64_t image) const {
  if (padding == Padding::kGiven) return pads[rank() + axis];
  if (padding == Padding::kValid) return 0;
  return same_padding(*this, axis, image) - begin(axis, image);
}

Result<Dim> Window::positions(const Site& site, std::size_t axis, Dim image) const {
  const Dim stride = strides[axis];
  if (padding == Padding::kSameUpper || padding == Padding::kSameLower)
    return ceil_div(image, stride);
  const std::int64_t before = padding == Padding::kGiven ? pads[axis] : 0;
  const std::int64_t after = padding == Padding::kGiven ? pads[rank() + axis] : 0;
  const Dim room = image + Dim(before + after - extent(axis));
  if (room.is_known() && room.value() < 0) {
    return site.refuse("window", {{"window", format("{}", extent(axis))},
                                  {"image", image.to_string()},
                                  {"pads", format("{}", before + after)}});
  }
  if (!rounds_up || padding == Padding::kValid) return floor_div(room, stride) + Dim(1);
  // A window that would start behind the image, in the padding, does not count; that cannot
  // happen where the first element behind the last whole window is still inside.
  const Dim all = ceil_div(room, stride) + Dim(1);
  if (strides[axis] + after <= extent(axis)) return all;
  return min(all, ceil_div(image + Dim(before), stride));
}

Result<Shape> Window::positions(const Site& site, std::span<const Dim> image) const {
  Shape out;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    ASSIGN(const Dim count, positions(site, axis, image[axis]));
    out.push_back(count);
  }
  return out;
}

Result<Sizes> Window::positions(const Site& site, std::span<const std::int64_t> image) const {
  ASSIGN(const Shape counts, positions(site, Shape(image.begin(), image.end())));
  Sizes out;
  for (const Dim count : counts) out.push_back(count.value());
  return out;
}

Result<Ints> per_axis(const Site& site, std::string_view name, std::size_t rank, std::int64_t least,
                      std::int64_t fallback) {
  Ints list = site.integers(name);
  if (list.empty()) list.assign(rank, fallback);
  TRY(check_range(site, name, list, rank, least));
  return list;
}

Result<Window> read_window(const Site& site, Ints kernel) {
  const std::size_t rank = kernel.size();
  Window out;
  TRY(check_range(site, "kernel_shape", kernel, rank, 1));
  out.kernel = std::move(kernel);
  ASSIGN(out.strides, per_axis(site, "strides", rank, 1, 1));
  ASSIGN(out.dilations, per_axis(site, "dilations", rank, 1, 1));
  ASSIGN(out.pads, per_axis(site, "pads", 2 * rank, 0, 0));
  ASSIGN(out.padding, read_padding(site));
  out.rounds_up = site.flag("ceil_mode");
  return out;
}

Overlap overlap(const Window& window, std::size_t axis, std::int64_t image, std::int64_t position) {
  const std::int64_t step = window.dilations[axis], before = window.begin(axis, image);
  const std::int64_t start = position * window.strides[axis] - before;
  const std::int64_t skipped = start < 0 ? divide_up(-start, step) : 0;
  const auto fitting = [&](std::int64_t size) {
    return start >= size ? 0 : std::min(window.kernel[axis], divide_up(size - start, step));
  };
  const std::int64_t count = std::max<std::int64_t>(0, fitting(image) - skipped);
  return {start + skipped * step, step, count, fitting(image + window.end(axis, image))};
}

std::vector<Run> runs(const Window& window, const Sizes& coordinates,
                      std::span<const std::int64_t> image,
                      std::span<const std::int64_t> positions) {
  // Along each axis the positions [first, last) have this element over the image.
  std::vector<std::int64_t> first, start;
  Sizes counts;
  for (std::size_t axis = 0; axis < window.rank(); ++axis) {
    const std::int64_t offset =
        coordinates[axis] * window.dilations[axis] - window.begin(axis, image[axis]);
    const std::int64_t stride = window.strides[axis];
    const std::int64_t low = offset < 0 ? divide_up(-offset, stride) : 0;
    const std::int64_t high =
        offset < image[axis] ? std::min(positions[axis], divide_up(image[axis] - offset, stride))
                             : 0;
    if (low >= high) return {};
    first.push_back(low);
    start.push_back(low * stride + offset);
    counts.push_back(high - low);
  }
  const std::vector<std::int64_t> in_image = strides(Sizes(image.begin(), image.end()));
  const std::vector<std::int64_t> in_positions = strides(Sizes(positions.begin(), positions.end()));
  std::vector<std::int64_t> image_steps = in_image;
  std::size_t image_start = 0, position_start = 0;
  for (std::size_t axis = 0; axis < window.rank(); ++axis) {
    image_start += static_cast<std::size_t>(start[axis] * in_image[axis]);
    position_start += static_cast<std::size_t>(first[axis] * in_positions[axis]);
    image_steps[axis] *= window.strides[axis];
  }
  const auto length = static_cast<std::size_t>(counts.back());
  counts.back() = 1;
  const bool may_join = window.strides.back() == 1;
  std::vector<Run> out;
  for (Odometer at(counts, {in_positions, image_steps}); !at.done(); at.next()) {
    const Run run{position_start + at.offset(0), image_start + at.offset(1), length};
    const bool follows = may_join && !out.empty() &&
                         out.back().position + out.back().count == run.position &&
                         out.back().image + out.back().count == run.image;
    if (follows)
      out.back().count += length;
    else
      out.push_back(run);
  }
  return out;
}

}  // namespace godwit::ops
