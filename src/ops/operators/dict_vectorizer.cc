// The values of a map at the places of their keys in a vocabulary.
#include <algorithm>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/lookup.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

Tensor vocabulary(const Site& site) {
  return site.has("string_vocabulary") ? ml::list_of(site.texts("string_vocabulary"))
                                       : ml::list_of(site.integers("int64_vocabulary"));
}

template <class Key>
Status vectorize(Call& call, const Tensor& words, const Tensor& keys, const Tensor& values) {
  ASSIGN(Tensor* const out, call.make(0, values.type(), {words.count()}));
  const std::span<const Key> known = words.values<Key>(), given = keys.values<Key>();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto at = std::find(known.begin(), known.end(), given[i]);
    if (at == known.end()) return refuse_index(call, static_cast<std::int64_t>(i), words.count());
    copy_elements(values, i, *out, static_cast<std::size_t>(at - known.begin()));
  }
  return {};
}

Status evaluate(Call& call) {
  const std::vector<Datum>& map = call.datum(0).items;
  if (map.size() != 2) return refuse_empty(call, {0});
  const Tensor words = vocabulary(call);
  const Tensor &keys = map[0].tensor, &values = map[1].tensor;
  if (keys.type() != words.type())
    return call.refuse("type", {{"type", std::string(ir::name(keys.type()))}});
  if (keys.count() != values.count()) return refuse_shapes(call, keys.dims(), values.dims());
  return words.type() == ElementType::kString ? vectorize<std::string>(call, words, keys, values)
                                              : vectorize<std::int64_t>(call, words, keys, values);
}

}  // namespace

extern const Operator dict_vectorizer = {
    .name = "DictVectorizer",
    .domain = ml::kDomain,
    .doc = "The values of a map at the places of their keys in a vocabulary, else zero.",
    .inputs = {{.name = "X", .types = ml::kFeatures | kString, .form = Form::kMap}},
    .outputs = {{"Y", 'U', (ml::kFeatures - TypeSet{ElementType::kInt32}) | kString}},
    .attributes = {{"int64_vocabulary"}, {"string_vocabulary"}},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      const Type& map = n.type(0);
      n.set(0, map.inner ? map.inner->element : ElementType::kUndefined,
            Shape{vocabulary(n).count()});
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
