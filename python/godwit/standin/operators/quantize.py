"""Quantisation to int8 and back."""
import torch

from godwit import standin
from godwit.standin.operators import operator, refuse_arguments, wide

RANGES = {torch.int8: (-128, 127), torch.uint8: (0, 255), torch.int32: (-2**31, 2**31 - 1)}


def to_int(x, dtype):
    low, high = RANGES[dtype]
    return x.round().clamp(low, high).to(dtype)


@operator("npu_quantize", differentiable=False)
def npu_quantize(self, scales, zero_points, dtype, axis=1, div_mode=True):
    plain = {torch.qint8: torch.int8, torch.quint8: torch.uint8, torch.qint32: torch.int32}.get(dtype, dtype)
    if plain not in RANGES:
        standin.refuse(f"torch_npu.npu_quantize(dtype={dtype})")
    shape = [1] * self.dim()
    shape[axis] = -1
    scale = wide(scales).reshape(shape)
    x = wide(self) / scale if div_mode else wide(self) * scale
    return to_int(x if zero_points is None else x + zero_points.float().reshape(shape), plain)


@operator("npu_anti_quant", differentiable=False)
def npu_anti_quant(x, scale, *, offset=None, dst_dtype=None, src_dtype=None):
    refuse_arguments("npu_anti_quant", src_dtype=src_dtype)
    values = x.float() if offset is None else x.float() + wide(offset)
    return (values * wide(scale)).to(dst_dtype or torch.float16)


@operator("npu_dynamic_quant", differentiable=False)
def npu_dynamic_quant(input, *, smooth_scales=None, group_index=None, dst_type=None, quant_mode="pertoken",
                      dst_type_max=0.0):
    refuse_arguments("npu_dynamic_quant", group_index=group_index, dst_type_max=dst_type_max or None)
    if dst_type not in (None, torch.int8) or quant_mode != "pertoken":
        standin.refuse(f"torch_npu.npu_dynamic_quant(dst_type={dst_type}, quant_mode={quant_mode!r})")
    x = wide(input) if smooth_scales is None else wide(input) * wide(smooth_scales)
    scale = x.abs().amax(-1) / 127
    return to_int(x / scale.unsqueeze(-1), torch.int8), scale
