"""Quantisation to int8 and back, and products of quantised operands."""
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


def smoothed_rows(name, input, smooth_scales, group_index, dst_type, quant_mode, dst_type_max):
    """What a dynamic quantisation looks at, in fp32; forms other than int8 by token are refused."""
    refuse_arguments(name, group_index=group_index, dst_type_max=dst_type_max or None)
    if dst_type not in (None, torch.int8) or quant_mode != "pertoken":
        standin.refuse(f"torch_npu.{name}(dst_type={dst_type}, quant_mode={quant_mode!r})")
    return wide(input) if smooth_scales is None else wide(input) * wide(smooth_scales)


@operator("npu_dynamic_quant", differentiable=False)
def npu_dynamic_quant(input, *, smooth_scales=None, group_index=None, dst_type=None, quant_mode="pertoken",
                      dst_type_max=0.0):
    x = smoothed_rows("npu_dynamic_quant", input, smooth_scales, group_index, dst_type, quant_mode, dst_type_max)
    scale = x.abs().amax(-1) / 127
    return to_int(x / scale.unsqueeze(-1), torch.int8), scale


@operator("npu_dynamic_quant_asymmetric", differentiable=False)
def npu_dynamic_quant_asymmetric(input, *, smooth_scales=None, group_index=None, dst_type=None, quant_mode="pertoken",
                                 dst_type_max=0.0):
    """Rows from their least to their largest value on -128 … 127."""
    x = smoothed_rows("npu_dynamic_quant_asymmetric", input, smooth_scales, group_index, dst_type, quant_mode, dst_type_max)
    scale = (x.amax(-1) - x.amin(-1)) / 255
    offset = 127 - x.amax(-1) / scale
    return to_int(x / scale.unsqueeze(-1) + offset.unsqueeze(-1), torch.int8), scale, offset


SCALE_BITS = -0x2000  # sign, 8 and 10 bits: the unit that scales reads no more of a float
IS_SCALE = 1 << 46
OFFSET_AT, OFFSET_BITS = 37, 0x1FF


@operator("npu_trans_quant_param", differentiable=False)
def npu_trans_quant_param(scale, offset=None, round_mode=0):
    """Scale and 9-bit offset in one integer, as the unit behind the cube reads them."""
    refuse_arguments("npu_trans_quant_param", round_mode=round_mode or None)
    packed = (scale.float().contiguous().view(torch.int32) & SCALE_BITS).long() & 0xFFFFFFFF | IS_SCALE
    if offset is None:
        return packed
    return packed | (offset.round().clamp(-256, 255).long() & OFFSET_BITS) << OFFSET_AT


def unpack(scale):
    """(scale, offset) of what npu_trans_quant_param made; any other scale as it is."""
    if scale.dtype != torch.int64:
        return wide(scale), None
    offset = scale >> OFFSET_AT & OFFSET_BITS
    values = (scale & 0xFFFFFFFF).to(torch.int32).view(torch.float32)
    return values, torch.where(offset > 255, offset - 512, offset).float()


@operator("npu_quant_matmul", differentiable=False)
def npu_quant_matmul(x1, x2, scale, *, offset=None, pertoken_scale=None, bias=None, output_dtype=None, group_sizes=None,
                     **others):
    """int8 by int8, added up in int32; then bias, scales of columns and rows, offset, and rounding to int8 if asked for."""
    refuse_arguments("npu_quant_matmul", group_sizes=group_sizes, **others)
    if x1.dtype != torch.int8 or x2.dtype != torch.int8:
        standin.refuse(f"torch_npu.npu_quant_matmul({x1.dtype} by {x2.dtype})")
    sums = torch.matmul(x1.int(), x2.int())
    if bias is not None and bias.dtype == torch.int32:
        sums, bias = sums + bias, None
    if output_dtype == torch.int32:
        return sums
    by_column, packed_offset = unpack(scale)
    result = sums.float() * by_column
    result = result if pertoken_scale is None else result * wide(pertoken_scale).unsqueeze(-1)
    for add in (bias, packed_offset if offset is None else offset):
        result = result if add is None else result + wide(add)
    return to_int(result, torch.int8) if output_dtype in (None, torch.int8) else result.to(output_dtype)


IN_A_WORD = 8  # values of 4 bits


@operator("npu_convert_weight_to_int4pack", differentiable=False)
def npu_convert_weight_to_int4pack(weight, inner_k_tiles=0):
    """Eight neighbours of a row in one integer, the first lowest. The chip's own order inside is not documented: only what its
    products read from it is the same."""
    refuse_arguments("npu_convert_weight_to_int4pack", inner_k_tiles=inner_k_tiles or None)
    if weight.dtype != torch.int32 or weight.shape[-1] % IN_A_WORD:
        standin.refuse(f"torch_npu.npu_convert_weight_to_int4pack({weight.dtype}, {tuple(weight.shape)})")
    nibbles = (weight & 15).unflatten(-1, (-1, IN_A_WORD))
    return sum(nibbles[..., i] << 4 * i for i in range(IN_A_WORD)).to(torch.int32)


def unpack_int4(packed):
    """The signed values of npu_convert_weight_to_int4pack."""
    values = torch.stack([packed << 28 - 4 * i >> 28 for i in range(IN_A_WORD)], -1)
    return values.flatten(-2)


@operator("npu_weight_quant_batchmatmul", differentiable=False)
def npu_weight_quant_batchmatmul(x, weight, antiquant_scale, antiquant_offset=None, quant_scale=None, quant_offset=None,
                                 bias=None, antiquant_group_size=0, inner_precise=0, weight_dtype=None):
    """Weights of int8, or of 4 bits packed, become numbers of x's type first: the product is x's own."""
    refuse_arguments("npu_weight_quant_batchmatmul", quant_scale=quant_scale, quant_offset=quant_offset,
                     weight_dtype=weight_dtype)
    if weight.dtype == torch.int32:
        weight = unpack_int4(weight)
    elif weight.dtype != torch.int8:
        standin.refuse(f"torch_npu.npu_weight_quant_batchmatmul(weight of {weight.dtype})")
    rows = weight.shape[-2]

    def spread(values):
        return wide(values).repeat_interleave(antiquant_group_size, -2)[..., :rows, :] if antiquant_group_size else wide(values)

    values = weight.float() if antiquant_offset is None else weight.float() + spread(antiquant_offset)
    result = wide(x) @ wide((values * spread(antiquant_scale)).to(x.dtype))
    return (result if bias is None else result + wide(bias)).to(x.dtype)
