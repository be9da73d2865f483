// Linear resizing of the last two axes. Where each element comes from is learned once, by letting
// the reference evaluation resize an image whose elements are their own places.
#include "exec/linear_resize.h"

#include <algorithm>

#include "base/parallel.h"
#include "exec/evaluate.h"
#include "kernels/half.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::Tensor;

// A value between two neighbours.
struct Between {
  std::size_t first = 0, second = 0;
  float weight = 0;  // of the second
};

struct Image {
  std::size_t planes = 1, rows = 1, columns = 1;
};
Image image_of(const ir::Sizes& sizes) {
  Image out;
  for (std::size_t i = 0; i + 2 < sizes.size(); ++i)
    out.planes *= static_cast<std::size_t>(sizes[i]);
  out.rows = static_cast<std::size_t>(sizes[sizes.size() - 2]);
  out.columns = static_cast<std::size_t>(sizes.back());
  return out;
}

// The inputs of the node for one image alone, or nothing when one of them comes in each run.
Result<std::optional<std::vector<Datum>>> inputs_for(const Part& part, Tensor image) {
  std::vector<Datum> out = {Datum(std::move(image))};
  for (std::size_t i = 1; i < part.node().inputs.size(); ++i) {
    const Tensor* const held = part.constant(part.input(i));
    if (part.input(i) != ir::kNone && !held) return std::nullopt;
    out.push_back(held ? Datum(*held) : Datum());
  }
  if (out.size() > 3 && !out[3].tensor.empty()) {  // sizes, also of the other axes
    ops::Ints sizes = *ir::to_integers(out[3].tensor);
    for (std::size_t i = 0; i + 2 < sizes.size(); ++i) sizes[i] = 1;
    out[3] = Datum(Tensor::integers(std::move(sizes)));
  }
  return std::optional(std::move(out));
}

// What each element along one of the last two axes of the result lies between. `from` and `to` are
// the sizes of the node's image and result.
Result<std::optional<std::vector<Between>>> places(const Part& part, const ir::Sizes& from,
                                                   const ir::Sizes& to, bool is_row) {
  ir::Sizes one = from;
  std::fill(one.begin(), one.end() - 2, 1);
  ASSIGN(Tensor numbers, Tensor::make(ir::ElementType::kDouble, one));
  const Image in = image_of(from), out = image_of(to);
  const std::span<double> at = numbers.mutable_values<double>();
  for (std::size_t i = 0; i < at.size(); ++i)
    at[i] = static_cast<double>(is_row ? i / in.columns : i % in.columns);
  ASSIGN(auto inputs, inputs_for(part, std::move(numbers)));
  if (!inputs) return std::nullopt;
  const auto made = evaluate(part.node(), *std::move(inputs), {});
  if (!made || (*made)[0].tensor.count() != static_cast<std::int64_t>(out.rows * out.columns))
    return std::nullopt;
  const std::span<const double> found = (*made)[0].tensor.values<double>();
  const std::size_t last = (is_row ? in.rows : in.columns) - 1;
  std::vector<Between> list;
  for (std::size_t i = 0; i < (is_row ? out.rows : out.columns); ++i) {
    const double place = found[is_row ? i * out.columns : i];
    if (!(place >= 0 && place <= static_cast<double>(last))) return std::nullopt;
    const auto first = static_cast<std::size_t>(place);
    list.push_back(
        {first, std::min(first + 1, last), static_cast<float>(place - static_cast<double>(first))});
  }
  return std::optional(std::move(list));
}

// Whether the value between two neighbours is all that there is to it.
bool is_plain_linear(const Part& part) {
  const std::string_view mode = part.text("mode");
  const bool is_cropped = part.text("coordinate_transformation_mode") == "tf_crop_and_resize";
  return (mode == "linear" || mode == "bilinear") && !is_cropped && !part.flag("antialias") &&
         !part.has("axes") && !part.has("keep_aspect_ratio_policy");
}

void resize_plane(const float* in, std::size_t in_columns, const std::vector<Between>& rows,
                  const std::vector<Between>& columns, float* out) {
  std::vector<float> line(in_columns);
  for (const Between& row : rows) {
    const float* const a = in + row.first * in_columns;
    const float* const b = in + row.second * in_columns;
    for (std::size_t x = 0; x < in_columns; ++x) line[x] = a[x] + row.weight * (b[x] - a[x]);
    for (const Between& column : columns) {
      const float left = line[column.first];
      *out++ = left + column.weight * (line[column.second] - left);
    }
  }
}

}  // namespace

Result<Step> make_linear_resize(const Part& part) {
  const auto from = part.sizes(part.input(0)), to = part.sizes(part.output());
  if (!from || !to || !part.is_fp32(part.input(0)) || !is_plain_linear(part)) return Step();
  if (from->size() < 3 || *ir::count(*from) == 0 || *ir::count(*to) == 0 ||
      !std::equal(from->begin(), from->end() - 2, to->begin()))
    return Step();
  ASSIGN(auto rows, places(part, *from, *to, true));
  ASSIGN(auto columns, places(part, *from, *to, false));
  if (!rows || !columns) return Step();
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step([image = image_of(*from), result = image_of(*to), rows = *std::move(rows),
               columns = *std::move(columns), in, out = part.output(),
               store = part.store()](Frame& frame) -> Status {
    ASSIGN(float* const first, frame.write<float>(out));
    const float* const planes = frame.read<float>(in);
    parallel_for(image.planes, [&](std::size_t i, std::size_t) {
      float* const plane = first + i * result.rows * result.columns;
      resize_plane(planes + i * image.rows * image.columns, image.columns, rows, columns, plane);
      kernels::narrow(plane, plane, result.rows * result.columns, store.how);
    });
    return {};
  });
}

}  // namespace godwit::exec
