// The sizes of a tensor, or of some of its axes.
#include <algorithm>

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// The axes [start, end), counted from the back when negative and cut to those that exist.
template <class Size>
std::vector<Size> chosen(const Site& site, const std::vector<Size>& sizes) {
  const auto rank = static_cast<std::int64_t>(sizes.size());
  const auto clamped = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const std::int64_t start = clamped(site.integer("start"));
  const std::int64_t end = site.has("end") ? clamped(site.integer("end")) : rank;
  return {sizes.begin() + start, sizes.begin() + std::max(start, end)};
}

Status infer(Inference& n) {
  if (!n.shape(0)) {
    n.set(0, ElementType::kInt64, Shape{Dim::unknown()});
    return {};
  }
  Content content = chosen(n, *n.shape(0));
  n.set(0, ElementType::kInt64, Shape{static_cast<std::int64_t>(content.size())});
  n.set_content(0, std::move(content));
  return {};
}

Status evaluate(Call& call) {
  call.set(0, Tensor::integers(chosen(call, call.input(0).dims())));
  return {};
}

}  // namespace

extern const Operator shape = {
    .name = "Shape",
    .doc = "The sizes of the axes [start, end).",
    .inputs = {{.name = "data", .types = any_tensor(13, 19)}},
    .outputs = {{"shape", 'S', kInt64}},
    .attributes = {{.name = "start", .fallback = 0, .since = 15}, {.name = "end", .since = 15}},
    .revisions = {13, 19, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
