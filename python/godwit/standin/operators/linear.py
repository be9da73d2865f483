"""Products and convolutions."""
import torch
import torch.nn.functional as F

from godwit import standin
from godwit.standin.operators import operator, refuse_arguments, wide


@operator("npu_linear")
def npu_linear(input, weight, bias=None):
    return F.linear(input, weight, bias)


@operator("npu_bmmV2")
def npu_bmmV2(self, mat2, output_sizes):
    result = torch.matmul(self, mat2)
    return result.reshape(output_sizes) if output_sizes else result


@operator("npu_conv2d")
def npu_conv2d(input, weight, bias, stride, padding, dilation, groups):
    return F.conv2d(input, weight, bias, stride, padding, dilation, groups)


@operator("npu_conv3d")
def npu_conv3d(input, weight, bias, stride, padding, dilation, groups):
    return F.conv3d(input, weight, bias, stride, padding, dilation, groups)


@operator("npu_convolution")
def npu_convolution(input, weight, bias, stride, padding, dilation, groups):
    convolve = F.conv3d if input.dim() == 5 else F.conv2d
    return convolve(input, weight, bias, stride, padding, dilation, groups)


@operator("npu_conv_transpose2d")
def npu_conv_transpose2d(input, weight, bias, padding, output_padding, stride, dilation, groups):
    return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)


@operator("npu_grouped_matmul", differentiable=False)
def npu_grouped_matmul(x, weight, *, bias=None, scale=None, per_token_scale=None, group_list=None, split_item=0,
                       group_type=None, group_list_type=0, act_type=0, output_dtype=None, **others):
    """Product by product. With `group_list` the rows of one x are shared out, by their ends (type 0) or numbers (1)."""
    refuse_arguments("npu_grouped_matmul", act_type=act_type or None, **others)
    weights = list(weight[0]) if len(weight) == 1 and weight[0].dim() == 3 else weight
    if group_list is not None:
        if group_type not in (None, 0) or group_list_type not in (0, 1):
            standin.refuse(f"torch_npu.npu_grouped_matmul(group_type={group_type}, group_list_type={group_list_type})")
        counts = counts_of(group_list, group_list_type)
        *x, rest = torch.cat(list(x)).split([*counts, sum(map(len, x)) - sum(counts)])
        per_token_scale = per_token_scale and torch.cat(list(per_token_scale)).split(list(map(len, x)))
    if len(x) != len(weights):
        standin.refuse("torch_npu.npu_grouped_matmul(one x for several weights)")
    given = zip(x, weights, rows_of(bias, len(x)), rows_of(scale, len(x)), rows_of(per_token_scale, len(x)))
    products = [grouped_product(*one, output_dtype) for one in given]
    if group_list is not None and len(rest):  # of no group
        products.append(products[0].new_zeros(len(rest), *products[0].shape[1:]))
    return [torch.cat(products)] if split_item in (2, 3) else products


def counts_of(group_list, kind) -> list:
    ends = group_list.tolist() if isinstance(group_list, torch.Tensor) else list(group_list)
    return ends if kind == 1 else [end - start for start, end in zip([0, *ends], ends)]


def rows_of(values, count) -> list:
    """One per group, whether they came as a list or as rows of one tensor."""
    if not values:
        return [None] * count
    return list(values[0]) if len(values) == 1 and count > 1 else list(values)


def grouped_product(x, weight, bias, scale, per_token_scale, output_dtype):
    if x.dtype == torch.int8:
        result = torch.matmul(x.int(), weight.int())
        if scale is None:
            return result
        result = result.float() * wide(scale)
        result = result if per_token_scale is None else result * wide(per_token_scale).unsqueeze(-1)
        return (result if bias is None else result + wide(bias)).to(output_dtype or torch.float16)
    result = x @ weight
    return result if bias is None else result + bias.to(x.dtype)


ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu,
               "fastgelu": lambda x: x * torch.sigmoid(1.702 * x)}


@operator("npu_ffn", differentiable=False)
def npu_ffn(x, weight1, weight2, activation, *, bias1=None, bias2=None, inner_precise=None, output_dtype=None, **others):
    refuse_arguments("npu_ffn", **others)
    if activation not in ACTIVATIONS:
        standin.refuse(f"torch_npu.npu_ffn(activation={activation!r})")
    hidden = wide(x) @ wide(weight1)
    hidden = ACTIVATIONS[activation](hidden if bias1 is None else hidden + wide(bias1))
    result = hidden.to(x.dtype) @ weight2
    return (result if bias2 is None else result + bias2.to(x.dtype)).to(output_dtype or x.dtype)
