"""Activations, alone and gated."""
import torch
import torch.nn.functional as F

from godwit.standin.operators import operator, wide


@operator("fast_gelu", "npu_fast_gelu")
def fast_gelu(self):
    x = wide(self)
    return (x * torch.exp(0.851 * (x - x.abs())) / (1 + torch.exp(-1.702 * x.abs()))).to(self.dtype)


@operator("npu_gelu")
def npu_gelu(self, *, approximate="none"):
    return F.gelu(wide(self), approximate=approximate).to(self.dtype)


@operator("npu_silu")
def npu_silu(self):
    return F.silu(wide(self)).to(self.dtype)


@operator("npu_silu_", differentiable=False)
def npu_silu_(self):
    return self.copy_(F.silu(wide(self)))


@operator("npu_mish")
def npu_mish(self):
    return F.mish(wide(self)).to(self.dtype)


@operator("npu_swiglu")
def npu_swiglu(self, dim=-1):
    gate, value = wide(self).chunk(2, dim)
    return (F.silu(gate) * value).to(self.dtype)


@operator("npu_geglu")
def npu_geglu(self, dim=-1, approximate=1, activate_left=False):
    left, right = wide(self).chunk(2, dim)
    value, gate = (right, left) if activate_left else (left, right)
    active = F.gelu(gate, approximate="tanh" if approximate == 1 else "none")
    return (value * active).to(self.dtype), active.to(self.dtype)


@operator("npu_gelu_mul")
def npu_gelu_mul(input, *, approximate="none"):
    gate, value = wide(input).chunk(2, -1)
    return (F.gelu(gate, approximate=approximate) * value).to(input.dtype)
