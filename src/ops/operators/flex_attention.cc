// Attention whose scores and probabilities pass through graphs of the node's own.
#include "ops/attention.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> y;
  if (n.shape(0) && n.shape(0)->size() == 4) {
    y = *n.shape(0);
    y->back() = n.shape(2) && n.shape(2)->size() == 4 ? n.shape(2)->back() : Dim::unknown();
  }
  n.set(0, n.element(0), std::move(y));
  return {};
}

// The tensor as the graph of that attribute makes it anew; as it is where the node has none.
Result<Tensor> modified(Call& call, std::string_view attribute, Tensor tensor) {
  const auto graph = call.subgraph(attribute);
  if (!graph) return tensor;
  const Sizes dims = tensor.dims();
  ASSIGN(std::vector<Datum> made, call.host().run_graph(*graph, {Datum(std::move(tensor))}));
  if (made.size() != 1 || !made[0].is_tensor() || made[0].tensor.dims() != dims)
    return refuse_attribute(call, attribute);
  return made[0].tensor;
}

Status check_fit(const Call& call) {
  const Sizes &q = call.input(0).dims(), &k = call.input(1).dims(), &v = call.input(2).dims();
  for (std::size_t i = 0; i < 3; ++i) TRY(expect_rank(call, i, 4));
  const bool fits = k[0] == q[0] && k[1] >= 1 && q[1] % k[1] == 0 && k[3] == q[3];
  if (!fits) return refuse_shapes(call, q, k);
  return expect_sizes(call, 2, {k[0], k[1], k[2], v[3]});
}

template <class T>
HeadRows<T> rows(const Call& call, std::size_t input) {
  const Sizes& d = call.input(input).dims();
  return head_rows(HeadSizes{d[0], d[1], d[2], d[3]}, call.values<T>(input));
}

// Softmax of every row of the last axis.
template <class P>
Result<Tensor> softmax(const Tensor& scores) {
  const std::span<const P> from = scores.values<P>();
  std::vector<P> values(from.begin(), from.end());
  const auto length = static_cast<std::size_t>(scores.dims().back());
  for (std::size_t first = 0; first < values.size(); first += length)
    softmax_row(std::span(values).subspan(first, length));
  return Tensor::of<P>(scores.dims(), std::move(values));
}

template <class T>
Status evaluate(Call& call) {
  TRY(check_fit(call));
  const HeadRows<T> q = rows<T>(call, 0), k = rows<T>(call, 1), v = rows<T>(call, 2);
  const T scale = call.has("scale") ? static_cast<T>(call.number("scale"))
                                    : 1 / std::sqrt(static_cast<T>(q.size));
  const std::size_t sharing = q.heads / k.heads;
  Sizes dims = call.input(0).dims();
  dims[3] = call.input(1).dims()[2];
  ASSIGN(Tensor scores, Tensor::make(ir::kElement<T>, dims));
  auto to = scores.mutable_values<T>().begin();
  for (std::size_t at = 0; at < q.batch * q.heads * q.length; ++at) {
    const std::size_t i = at % q.length, h = at / q.length % q.heads, b = at / q.length / q.heads;
    for (std::size_t j = 0; j < k.length; ++j)
      *to++ = score<T>(q(b, h, i), k(b, h / sharing, j), 1) * scale;
  }

  const auto precision = call.has("softmax_precision")
                             ? static_cast<ElementType>(call.integer("softmax_precision"))
                             : ir::kElement<T>;
  if (!kFloats.has(precision)) return refuse_attribute(call, "softmax_precision");
  ASSIGN(scores, convert(scores, precision));
  ASSIGN(scores, modified(call, "score_mod", std::move(scores)));
  ASSIGN(scores, convert(scores, ElementType::kDouble));
  ASSIGN(Tensor probabilities, softmax<double>(scores));
  ASSIGN(probabilities, convert(probabilities, precision));
  ASSIGN(probabilities, modified(call, "prob_mod", std::move(probabilities)));
  ASSIGN(probabilities, convert(probabilities, ir::kElement<T>));

  dims[3] = call.input(2).dims()[3];
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  for (std::size_t at = 0; at < q.batch * q.heads * q.length; ++at) {
    const std::size_t h = at / q.length % q.heads, b = at / q.length / q.heads;
    add_weighted<T>(probabilities.values<T>().subspan(at * k.length, k.length), v, b, h / sharing,
                    y.subspan(at * v.size, v.size));
  }
  return {};
}

}  // namespace

extern const Operator flex_attention = {
    .name = "FlexAttention",
    .domain = "ai.onnx.preview",
    .doc = "Attention whose scores and probabilities pass through graphs of the node's own.",
    .inputs = {{"Q", 'T', kFloats}, {"K", 'T', kFloats}, {"V", 'T', kFloats}},
    .outputs = {{"Y", 'T', kFloats}},
    .attributes = {{"prob_mod"}, {"scale"}, {"score_mod"}, {"softmax_precision"}},
    .numerics = Numerics::kSoftmax,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
