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
def npu_grouped_matmul(x, weight, *, bias=None, group_list=None, split_item=0, group_type=None, **others):
    refuse_arguments("npu_grouped_matmul", group_list=group_list, **others)
    if len(x) != len(weight):
        standin.refuse("torch_npu.npu_grouped_matmul(one x for several weights)")
    bias = bias or [None] * len(x)
    products = [one @ by if add is None else one @ by + add.to(one.dtype) for one, by, add in zip(x, weight, bias)]
    return [torch.cat(products)] if split_item in (2, 3) else products


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
