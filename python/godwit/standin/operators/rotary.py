"""Rotary position embeddings."""
import torch

from godwit import standin
from godwit.standin.operators import operator, refuse_arguments, wide


def rotated(x, mode: str):
    """Each pair turned by a quarter: halves of the row form the pairs, or neighbours do."""
    if mode == "half":
        first, second = x.chunk(2, -1)
        return torch.cat((-second, first), -1)
    if mode == "interleave":
        return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    return standin.refuse(f"torch_npu.npu_rotary_mul(rotary_mode={mode!r})")


def rotate(x, cos, sin, mode: str):
    return (wide(x) * wide(cos) + rotated(wide(x), mode) * wide(sin)).to(x.dtype)


@operator("npu_rotary_mul")
def npu_rotary_mul(self, r1, r2, rotary_mode="half", rotate_matrix=None, **later):
    refuse_arguments("npu_rotary_mul", rotate=later.get("rotate", rotate_matrix))
    return rotate(self, r1, r2, rotary_mode)


@operator("npu_apply_rotary_pos_emb", differentiable=False)
def npu_apply_rotary_pos_emb(query, key, cos, sin, layout="BSND", rotary_mode="half"):
    return rotate(query, cos, sin, rotary_mode), rotate(key, cos, sin, rotary_mode)


@operator("npu_interleave_rope", differentiable=False)
def npu_interleave_rope(x, cos, sin):
    halves = x.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    return rotate(halves, cos, sin, "half")
