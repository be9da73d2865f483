"""Attention: softmax(scale · q·kᵀ, masked) · v, in the layouts and masks that have a plain meaning."""
import torch

from godwit import standin
from godwit.standin.operators import operator, refuse_arguments, wide

LANES = 8  # softmax_max and softmax_sum repeat each value so often


def to_bnsd(tensor, layout: str, heads: int):
    if layout == "BNSD":
        return tensor
    if layout == "BSND":
        return tensor.transpose(1, 2)
    if layout == "SBH":
        tensor = tensor.transpose(0, 1)
    return tensor.unflatten(-1, (heads, -1)).transpose(1, 2)


def from_bnsd(tensor, layout: str):
    if layout == "BNSD":
        return tensor
    tensor = tensor.transpose(1, 2)
    if layout == "BSND":
        return tensor.contiguous()
    tensor = tensor.flatten(2)
    return tensor.transpose(0, 1).contiguous() if layout == "SBH" else tensor.contiguous()


def heads_of(tensor, layout: str, heads: int, width: int) -> int:
    """Heads of key and value: fewer than the query's where several of those share one."""
    if layout in ("BNSD", "BSND"):
        return tensor.shape[1 if layout == "BNSD" else 2]
    return tensor.shape[-1] // width if width else heads


def sparse_mask(name: str, mode: int, mask, rows: int, columns: int, before: int, after: int, device):
    """True where a score is left out, or None."""
    if mode in (0, 1):
        return None if mask is None else mask.bool()
    distance = torch.arange(columns, device=device) - torch.arange(rows, device=device)[:, None]
    shift = columns - rows
    if mode == 2:
        return distance > 0
    if mode == 3:
        return distance > shift
    if mode == 4:
        return (distance - shift > after) | (distance - shift < -before)
    return standin.refuse(f"torch_npu.{name}(sparse_mode={mode})")


def attend(query, key, value, scale: float, mask=None, bias=None, bias_is_scaled=True, keep_prob=1.0):
    """BNSD in, BNSD out, with the largest score and the sum of each row."""
    key, value = (one.repeat_interleave(query.shape[1] // one.shape[1], 1) for one in (key, value))
    scores = wide(query) @ wide(key).transpose(-1, -2)
    if bias is not None and bias_is_scaled:
        scores = scores + wide(bias)
    scores = scores * scale
    if bias is not None and not bias_is_scaled:
        scores = scores + wide(bias)
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    top = scores.amax(-1, keepdim=True).detach()
    weights = (scores - top).exp()
    total = weights.sum(-1, keepdim=True)
    weights = weights / total
    if mask is not None:
        weights = weights.masked_fill(mask.expand_as(weights).all(-1, keepdim=True), 0)
    if keep_prob < 1:
        weights = torch.nn.functional.dropout(weights, 1 - keep_prob)
    return (weights @ wide(value)).to(query.dtype), top, total


@operator("npu_fusion_attention")
def npu_fusion_attention(query, key, value, head_num, input_layout, pse=None, padding_mask=None, atten_mask=None, scale=1.0,
                         keep_prob=1.0, pre_tockens=2147483647, next_tockens=2147483647, inner_precise=0, prefix=None,
                         actual_seq_qlen=None, actual_seq_kvlen=None, sparse_mode=0, gen_mask_parallel=True, sync=False,
                         softmax_layout="", sink=None, dropout_mask=None, seed=0, offset=0):
    name = "npu_fusion_attention"
    refuse_arguments(name, padding_mask=padding_mask, prefix=prefix, sink=sink, dropout_mask=dropout_mask)
    options = {"scale": scale, "bias": pse, "keep_prob": keep_prob}

    def one(q, k, v):
        mask = sparse_mask(name, sparse_mode, atten_mask, q.shape[2], k.shape[2], pre_tockens, next_tockens, q.device)
        return attend(q, k, v, mask=mask, **options)

    if input_layout == "TND":
        return (*by_sequence(one, query, key, value, actual_seq_qlen, actual_seq_kvlen), query.new_empty(0), 0, 0, 0)
    width = query.shape[-1] // head_num
    groups = heads_of(key, input_layout, head_num, width)
    result, top, total = one(to_bnsd(query, input_layout, head_num), to_bnsd(key, input_layout, groups),
                             to_bnsd(value, input_layout, groups))
    lanes = [each.detach().expand(*each.shape[:-1], LANES).contiguous() for each in (top, total)]
    return (from_bnsd(result, input_layout), *lanes, query.new_empty(0), 0, 0, 0)


def by_sequence(one, query, key, value, ends, key_ends):
    """TND: sequences of different lengths behind each other; `ends` are where they end."""
    results, tops, totals = [], [], []
    begin = key_begin = 0
    for end, key_end in zip(ends, key_ends):
        parts = (query[begin:end], key[key_begin:key_end], value[key_begin:key_end])
        result, top, total = one(*(part.transpose(0, 1)[None] for part in parts))
        results.append(result[0].transpose(0, 1))
        for each, into in ((top, tops), (total, totals)):
            into.append(each.detach()[0].transpose(0, 1).expand(-1, -1, LANES))
        begin, key_begin = end, key_end
    return torch.cat(results), torch.cat(tops), torch.cat(totals)


def lengths_mask(lengths, count: int, columns: int, device):
    """True behind the end of each sequence's keys."""
    if lengths is None:
        return None
    given = torch.tensor(list(lengths), device=device)
    given = given.expand(count) if given.numel() == 1 else given
    return (torch.arange(columns, device=device) >= given[:, None])[:, None, None, :]


def either(first, second):
    return second if first is None else first if second is None else first | second


@operator("npu_prompt_flash_attention", differentiable=False)
def npu_prompt_flash_attention(query, key, value, *, padding_mask=None, atten_mask=None, pse_shift=None,
                               actual_seq_lengths=None, deq_scale1=None, quant_scale1=None, deq_scale2=None,
                               quant_scale2=None, quant_offset2=None, num_heads=1, scale_value=1.0,
                               pre_tokens=2147483647, next_tokens=0, input_layout="BSH", num_key_value_heads=0,
                               actual_seq_lengths_kv=None, sparse_mode=0):
    name = "npu_prompt_flash_attention"
    refuse_arguments(name, padding_mask=padding_mask, deq_scale1=deq_scale1, quant_scale1=quant_scale1,
                     deq_scale2=deq_scale2, quant_scale2=quant_scale2, quant_offset2=quant_offset2)
    into = "BSND" if input_layout == "BNSD_BSND" else input_layout
    layout = "BNSD" if input_layout == "BNSD_BSND" else input_layout
    groups = num_key_value_heads or num_heads
    q, k, v = to_bnsd(query, layout, num_heads), to_bnsd(key, layout, groups), to_bnsd(value, layout, groups)
    mask = sparse_mask(name, sparse_mode, atten_mask, q.shape[2], k.shape[2], pre_tokens, next_tokens, q.device)
    mask = mask[:, None] if mask is not None and mask.dim() == 3 else mask
    mask = either(mask, lengths_mask(actual_seq_lengths_kv, q.shape[0], k.shape[2], q.device))
    result, _, _ = attend(q, k, v, scale_value, mask, pse_shift, bias_is_scaled=False)
    return from_bnsd(result, into)


@operator("npu_incre_flash_attention", differentiable=False)
def npu_incre_flash_attention(query, key, value, *, padding_mask=None, atten_mask=None, pse_shift=None,
                              actual_seq_lengths=None, antiquant_scale=None, antiquant_offset=None, block_table=None,
                              dequant_scale1=None, quant_scale1=None, dequant_scale2=None, quant_scale2=None,
                              quant_offset2=None, kv_padding_size=None, num_heads=1, scale_value=1.0, input_layout="BSH",
                              num_key_value_heads=0, block_size=0, inner_precise=1):
    name = "npu_incre_flash_attention"
    refuse_arguments(name, padding_mask=padding_mask, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset,
                     block_table=block_table, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1,
                     dequant_scale2=dequant_scale2, quant_scale2=quant_scale2, quant_offset2=quant_offset2,
                     kv_padding_size=kv_padding_size)
    groups = num_key_value_heads or num_heads
    q, k, v = (to_bnsd(one, input_layout, heads) for one, heads in ((query, num_heads), (key, groups), (value, groups)))
    mask = None if atten_mask is None else atten_mask.bool().reshape(q.shape[0], 1, 1, -1)
    mask = either(mask, lengths_mask(actual_seq_lengths, q.shape[0], k.shape[2], q.device))
    result, _, _ = attend(q, k, v, scale_value, mask, pse_shift, bias_is_scaled=False)
    return from_bnsd(result, input_layout)


def infer(name, query, key, value, heads, groups, scale, layout, mask, mode, before, after, bias, lengths, key_lengths,
          block_size, wants_lse, **refused):
    """Attention of a trained model, whole prompts or one token: the result and, if wanted, the logarithm of each row's sum."""
    refuse_arguments(name, block_table=refused.pop("block_table"), block_size=block_size or None, **refused)
    into = layout.split("_")[-1]
    layout = layout.split("_")[0]

    def one(q, k, v, longest=None):
        left_out = sparse_mask(name, mode, mask, q.shape[2], k.shape[2], before, after, q.device)
        left_out = left_out[:, None] if left_out is not None and left_out.dim() == 3 else left_out
        return attend(q, k, v, scale, either(left_out, longest), bias, bias_is_scaled=False)

    if layout == "TND":
        result, top, total = by_sequence(one, query, key, value, lengths, key_lengths)
        top, total = top[..., :1], total[..., :1]
    else:
        q, k, v = (to_bnsd(each, layout, count) for each, count in ((query, heads), (key, groups or heads), (value, groups or heads)))
        result, top, total = one(q, k, v, lengths_mask(key_lengths, q.shape[0], k.shape[2], q.device))
        result = from_bnsd(result, into)
    return result, top + total.log() if wants_lse else query.new_zeros(1, dtype=torch.float32)


@operator("npu_fused_infer_attention_score", differentiable=False)
def npu_fused_infer_attention_score(query, key, value, *, pse_shift=None, atten_mask=None, actual_seq_lengths=None,
                                    actual_seq_lengths_kv=None, num_heads=1, scale=1.0, pre_tokens=2147483647,
                                    next_tokens=2147483647, input_layout="BSH", num_key_value_heads=0, sparse_mode=0,
                                    inner_precise=0, block_size=0, block_table=None, antiquant_mode=0, key_antiquant_mode=0,
                                    value_antiquant_mode=0, softmax_lse_flag=False, **others):
    return infer("npu_fused_infer_attention_score", query, key, value, num_heads, num_key_value_heads, scale, input_layout,
                 atten_mask, sparse_mode, pre_tokens, next_tokens, pse_shift, actual_seq_lengths, actual_seq_lengths_kv,
                 block_size, softmax_lse_flag, block_table=block_table, antiquant_mode=antiquant_mode or None,
                 key_antiquant_mode=key_antiquant_mode or None, value_antiquant_mode=value_antiquant_mode or None, **others)


@operator("npu_fused_infer_attention_score_v2", differentiable=False)
def npu_fused_infer_attention_score_v2(query, key, value, *, pse_shift=None, atten_mask=None, actual_seq_qlen=None,
                                       actual_seq_kvlen=None, block_table=None, num_query_heads=1, num_key_value_heads=0,
                                       softmax_scale=1.0, pre_tokens=2147483647, next_tokens=2147483647, input_layout="BSH",
                                       sparse_mode=0, block_size=0, query_quant_mode=0, key_quant_mode=0, value_quant_mode=0,
                                       inner_precise=0, return_softmax_lse=False, **others):
    return infer("npu_fused_infer_attention_score_v2", query, key, value, num_query_heads, num_key_value_heads, softmax_scale,
                 input_layout, atten_mask, sparse_mode, pre_tokens, next_tokens, pse_shift, actual_seq_qlen, actual_seq_kvlen,
                 block_size, return_softmax_lse, block_table=block_table, query_quant_mode=query_quant_mode or None,
                 key_quant_mode=key_quant_mode or None, value_quant_mode=value_quant_mode or None, **others)


@operator("npu_scaled_masked_softmax")
def npu_scaled_masked_softmax(x, mask, scale=1, fixed_triu_mask=False):
    if fixed_triu_mask:
        mask = torch.ones(x.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax((wide(x) * scale).masked_fill(mask.bool(), -10000.0), -1).to(x.dtype)
