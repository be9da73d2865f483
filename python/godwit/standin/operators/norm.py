"""Normalisations, with the statistics that torch_npu returns beside the result."""
import torch
import torch.nn.functional as F

from godwit.standin.operators import operator, wide


def rms(x, epsilon: float, over):
    return torch.rsqrt(x.square().mean(over, keepdim=True) + epsilon)


def last_dims(gamma) -> tuple:
    return tuple(range(-gamma.dim(), 0))


@operator("npu_rms_norm")
def npu_rms_norm(self, gamma, epsilon=1e-6):
    x = wide(self)
    rstd = rms(x, epsilon, last_dims(gamma))
    return (x * rstd * wide(gamma)).to(self.dtype), rstd.detach()


@operator("npu_gemma_rms_norm")
def npu_gemma_rms_norm(self, gamma, epsilon=1e-6):
    x = wide(self)
    rstd = rms(x, epsilon, last_dims(gamma))
    return (x * rstd * (1 + wide(gamma))).to(self.dtype), rstd.detach()


@operator("npu_add_rms_norm")
def npu_add_rms_norm(x1, x2, gamma, epsilon=1e-6):
    total = x1 + x2
    x = wide(x1) + wide(x2)
    rstd = rms(x, epsilon, last_dims(gamma))
    return (x * rstd * wide(gamma)).to(x1.dtype), rstd.detach(), total


def standardise(x, epsilon: float, over):
    mean = x.mean(over, keepdim=True)
    rstd = torch.rsqrt((x - mean).square().mean(over, keepdim=True) + epsilon)
    return (x - mean) * rstd, mean.detach(), rstd.detach()


@operator("npu_deep_norm")
def npu_deep_norm(x, gx, beta, gamma, alpha=0.3, epsilon=1e-6):
    normal, mean, rstd = standardise(wide(x) * alpha + wide(gx), epsilon, last_dims(gamma))
    return mean, rstd, (normal * wide(gamma) + wide(beta)).to(x.dtype)


@operator("npu_add_layer_norm")
def npu_add_layer_norm(x1, x2, gamma, beta, epsilon=1e-5, additional_output=False):
    total = wide(x1) + wide(x2)
    normal, mean, rstd = standardise(total, epsilon, last_dims(gamma))
    x = total.to(x1.dtype) if additional_output else total.new_empty(0)
    return (normal * wide(gamma) + wide(beta)).to(x1.dtype), mean, rstd, x


@operator("npu_layer_norm_eval", differentiable=False)
def npu_layer_norm_eval(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    given = [None if one is None else wide(one) for one in (weight, bias)]
    return F.layer_norm(wide(input), normalized_shape, *given, eps).to(input.dtype)


def group_norm(input, groups: int, weight, bias, eps: float):
    flat = wide(input).reshape(input.shape[0], groups, -1)
    normal, mean, rstd = standardise(flat, eps, -1)
    shape = (1, -1) + (1,) * (input.dim() - 2)
    result = normal.reshape(input.shape)
    if weight is not None:
        result = result * wide(weight).reshape(shape)
    if bias is not None:
        result = result + wide(bias).reshape(shape)
    return result, mean.squeeze(-1), rstd.squeeze(-1)


@operator("npu_group_norm_silu")
def npu_group_norm_silu(input, weight, bias, group, eps=1e-5):
    result, mean, rstd = group_norm(input, group, weight, bias, eps)
    return F.silu(result).to(input.dtype), mean.to(input.dtype), rstd.to(input.dtype)


@operator("npu_group_norm_swish")
def npu_group_norm_swish(input, num_groups, weight, bias, eps=1e-5, swish_scale=1.0):
    result, mean, rstd = group_norm(input, num_groups, weight, bias, eps)
    return (result * torch.sigmoid(swish_scale * result)).to(input.dtype), mean, rstd
