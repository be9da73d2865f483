// Sizes as the operators check them, then the kernel.
#include "exec/wide_products.h"

#include "exec/conv_shape.h"
#include "kernels/wide.h"
#include "ops/signature.h"
#include "ops/walk.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::ElementType;
using ir::Sizes;
using ir::Tensor;

Result<std::optional<Datum>> convolve(ops::Call& call) {
  const auto sizes = ops::read_convolution(call, 0, 1);
  kernels::ConvShape shape;
  if (!sizes || !set_shape(*sizes, shape)) return std::nullopt;
  const bool has_bias = call.has_input(2);
  if (has_bias && call.input(2).dims() != Sizes{call.input(1).dims()[0]}) return std::nullopt;
  ASSIGN(Tensor out, Tensor::make(ElementType::kDouble, sizes->output()));
  kernels::wide_conv(shape, call.values<double>(0).data(), call.values<double>(1).data(),
                     has_bias ? call.values<double>(2).data() : nullptr,
                     out.mutable_values<double>().data());
  return std::optional<Datum>(std::move(out));
}

Result<std::optional<Datum>> multiply(ops::Call& call) {
  const Sizes& a = call.input(0).dims();
  const Sizes& b = call.input(1).dims();
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  const Sizes left(a.begin(), a.end() - 2), right(b.begin(), b.end() - 2);
  const auto batch = ops::broadcast(left, right);
  if (!batch || a.back() != b[b.size() - 2]) return std::nullopt;
  Sizes dims = *batch;
  dims.insert(dims.end(), {a[a.size() - 2], b.back()});
  const auto size = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  const std::size_t m = size(a[a.size() - 2]), k = size(a.back()), n = size(b.back());
  ASSIGN(Tensor out, Tensor::make(ElementType::kDouble, std::move(dims)));
  double* c = out.mutable_values<double>().data();
  ops::Odometer at(*batch,
                   {ops::broadcast_strides(left, *batch), ops::broadcast_strides(right, *batch)});
  for (; !at.done(); at.next(), c += m * n) {
    kernels::wide_gemm({.m = m,
                        .n = n,
                        .k = k,
                        .a = call.values<double>(0).data() + at.offset(0) * m * k,
                        .a_stride = k,
                        .b = call.values<double>(1).data() + at.offset(1) * k * n,
                        .b_stride = n,
                        .c = c,
                        .c_stride = n});
  }
  return std::optional<Datum>(std::move(out));
}

}  // namespace

Result<std::optional<Datum>> wide_product(const ir::Node& node, const std::vector<Datum>& inputs,
                                          const ops::Host& host) {
  const bool is_conv = node.op == "Conv";
  if (!node.domain.empty() || (!is_conv && node.op != "MatMul")) return std::nullopt;
  const ops::Operator* const op = ops::find_operator(node);
  if (!op || node.outputs.size() != 1 || !ops::check_inputs(*op, node, inputs)) return std::nullopt;
  for (const Datum& input : inputs) {
    const bool is_wide = input.is_tensor() && input.tensor.type() == ElementType::kDouble;
    if (!is_wide && input.kind != Datum::Kind::kNothing) return std::nullopt;
  }
  ops::Call call(*op, node, inputs, host);
  return is_conv ? convolve(call) : multiply(call);
}

}  // namespace godwit::exec
