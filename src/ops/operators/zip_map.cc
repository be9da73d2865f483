// Turns rows of scores into maps from class to score.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/lookup.h"
#include "ops/ml.h"
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Tensor keys_of(const Site& site) {
  return site.has("classlabels_strings") ? ml::list_of(site.texts("classlabels_strings"))
                                         : ml::list_of(site.integers("classlabels_int64s"));
}

Status infer(Inference& n) {
  Type map = Type::around(Type::Kind::kMap, Type::tensor(ElementType::kFloat));
  map.element = keys_of(n).type();
  n.set(0, sequence_of(std::move(map)));
  return {};
}

Status evaluate(Call& call) {
  const Tensor keys = keys_of(call);
  const Tensor& x = call.input(0);
  const Sizes& dims = x.dims();
  if (dims.empty() || dims.size() > 2) return expect_rank(call, 0, 2);
  if (dims.back() != keys.count()) return refuse_shapes(call, dims, keys.dims());
  std::vector<Datum> maps;
  const Tensor rows = x.reshaped({dims.size() == 2 ? dims[0] : 1, dims.back()});
  for (std::int64_t row = 0; row < rows.dims()[0]; ++row) {
    ASSIGN(const Tensor values, part_of(rows, 0, row, 1));
    Datum& map = maps.emplace_back();
    map.kind = Datum::Kind::kMap;
    map.items = {Datum(keys), Datum(values.reshaped(keys.dims()))};
  }
  call.set(0, Datum::sequence(std::move(maps)));
  return {};
}

}  // namespace

extern const Operator zip_map = {
    .name = "ZipMap",
    .domain = ml::kDomain,
    .doc = "For each row a map from the class labels to its values.",
    .inputs = {{"X", 'T', kFloat}},
    .outputs = {{.name = "Z", .variable = 'M', .types = kFloat, .form = Form::kSequence}},
    .attributes = {{"classlabels_int64s"}, {"classlabels_strings"}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
