// Turns categories into vectors that are one at one place.
#include <algorithm>

#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

// A node may list categories of both kinds; those of its input count.
Dim category_count(const Inference& n) {
  if (n.element(0) == ElementType::kUndefined) return Dim::unknown();
  return static_cast<std::int64_t>(n.element(0) == ElementType::kString
                                       ? n.texts("cats_strings").size()
                                       : n.integers("cats_int64s").size());
}

// Numbers are cut to whole ones; what is none of 64 bits is no category.
template <class Category, class T>
std::optional<Category> category(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!(x > T(-9e18) && x < T(9e18))) return std::nullopt;
  }
  return static_cast<Category>(x);
}

template <class T, class Category>
Status encode(Call& call, const std::vector<Category>& categories) {
  Sizes dims = call.input(0).dims();
  dims.push_back(static_cast<std::int64_t>(categories.size()));
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<float> y, call.make<float>(0, std::move(dims)));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::optional<Category> wanted = category<Category>(x[i]);
    const auto at =
        wanted ? std::find(categories.begin(), categories.end(), *wanted) : categories.end();
    if (at != categories.end())
      y[i * categories.size() + static_cast<std::size_t>(at - categories.begin())] = 1;
    else if (!call.flag("zeros"))
      return refuse_index(call, static_cast<std::int64_t>(i),
                          static_cast<std::int64_t>(categories.size()));
  }
  return {};
}

}  // namespace

extern const Operator one_hot_encoder = {
    .name = "OneHotEncoder",
    .domain = ml::kDomain,
    .doc = "For each element a vector that is 1 at its category and 0 elsewhere.",
    .inputs = {{"X", 'T', ml::kFeatures | kString}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes = {{"cats_int64s"}, {"cats_strings"}, {"zeros", 1}},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      std::optional<Shape> shape;
      if (n.shape(0)) {
        shape = *n.shape(0);
        shape->push_back(category_count(n));
      }
      n.set(0, ElementType::kFloat, std::move(shape));
      return {};
    },
    .evaluate = by_type(Types<float, double, std::int32_t, std::int64_t, std::string>(),
                        []<class T>(Call& call) -> Status {
                          if constexpr (std::is_same_v<T, std::string>)
                            return encode<T>(call, call.texts("cats_strings"));
                          else
                            return encode<T>(call, call.integers("cats_int64s"));
                        }),
};

}  // namespace godwit::ops::operators
