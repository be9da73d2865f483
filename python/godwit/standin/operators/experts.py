"""Mixtures of experts: choosing them, bringing the rows of an expert together, and adding up what they return."""
import torch

from godwit import standin
from godwit.standin.operators import operator, refuse_arguments, wide


@operator("npu_moe_gating_top_k_softmax", differentiable=False)
def npu_moe_gating_top_k_softmax(x, finished=None, k=1):
    values, experts = torch.softmax(wide(x), -1).topk(k, -1)
    rows = x.numel() // x.shape[-1]
    order = torch.arange(rows * k, dtype=torch.int32, device=x.device).reshape(k, rows).T.reshape(experts.shape)
    return values.to(x.dtype), without(experts, finished, x.shape[-1]).int(), order.contiguous()


def without(experts, finished, count):
    """Rows that are finished choose an expert that does not exist."""
    return experts if finished is None else experts.masked_fill(finished.bool().unsqueeze(-1), count)


@operator("npu_moe_gating_top_k_softmax_v2", differentiable=False)
def npu_moe_gating_top_k_softmax_v2(x, *, k=1, finished=None, renorm=0, output_softmax=False):
    if renorm:
        values, experts = wide(x).topk(k, -1)
        values, all_shares = torch.softmax(values, -1), x.new_empty(0, dtype=torch.float32)
    else:
        all_shares = torch.softmax(wide(x), -1)
        values, experts = all_shares.topk(k, -1)
    shown = all_shares if output_softmax else x.new_empty(0, dtype=torch.float32)
    return values.to(x.dtype), without(experts, finished, x.shape[-1]).int(), shown


@operator("npu_moe_gating_top_k", differentiable=False)
def npu_moe_gating_top_k(x, k, *, bias=None, input_ids=None, tid2eid=None, k_group=1, group_count=1, group_select_mode=0,
                         renorm=0, norm_type=0, out_flag=False, routed_scaling_factor=1.0, eps=1e-20):
    """The bias decides who is chosen and does not enter the shares. Norm type 0 is softmax, 1 sigmoid with shares that add up."""
    refuse_arguments("npu_moe_gating_top_k", input_ids=input_ids, tid2eid=tid2eid,
                     renorm=renorm or None)
    if norm_type not in (0, 1):
        standin.refuse(f"torch_npu.npu_moe_gating_top_k(norm_type={norm_type})")
    normal = torch.sigmoid(wide(x)) if norm_type == 1 else torch.softmax(wide(x), -1)
    choice = normal if bias is None else normal + wide(bias)
    if group_count > 1:
        choice = best_groups(choice, k_group, group_count, group_select_mode)
    experts = choice.topk(k, -1).indices
    shares = normal.gather(-1, experts)
    if norm_type == 1:
        shares = shares / (shares.sum(-1, keepdim=True) + eps)
    shown = normal if out_flag else x.new_empty(0, dtype=torch.float32)
    return (shares * routed_scaling_factor).to(x.dtype), experts.int(), shown


def best_groups(choice, k_group, group_count, mode):
    """Experts of other groups drop out. A group is worth its best expert (mode 0) or its best two (1)."""
    groups = choice.reshape(*choice.shape[:-1], group_count, -1)
    worth = groups.topk(2, -1).values.sum(-1) if mode == 1 else groups.amax(-1)
    kept = torch.zeros_like(worth).scatter(-1, worth.topk(k_group, -1).indices, 1.0).bool()
    return groups.masked_fill(~kept.unsqueeze(-1), float("-inf")).reshape(choice.shape)


@operator("npu_moe_init_routing", differentiable=False)
def npu_moe_init_routing(x, row_idx, expert_idx, active_num):
    """Rows sorted by expert. `row_idx` counts down the columns of `expert_idx`, so that it is a row modulo their number."""
    rows, k = expert_idx.shape
    experts, order = expert_idx.flatten().sort(stable=True)
    sources = row_idx.flatten()[order].long()
    places = inverse(sources)
    return x[sources[: min(rows, active_num) * k] % rows], places.int(), experts.int()


def inverse(order):
    return torch.empty_like(order).scatter(0, order, torch.arange(len(order), dtype=order.dtype, device=order.device))


@operator("npu_moe_init_routing_v2", differentiable=False)
def npu_moe_init_routing_v2(x, expert_idx, *, scale=None, offset=None, active_num=-1, expert_capacity=-1, expert_num=-1,
                            drop_pad_mode=0, expert_tokens_num_type=0, expert_tokens_num_flag=False, quant_mode=-1,
                            active_expert_range=(), row_idx_type=0, x_dtype=None):
    """Rows sorted by expert; without capacities, for all experts, unquantised. Row type 0 says where a choice went, 1 whence."""
    refuse_arguments("npu_moe_init_routing_v2", offset=offset, drop_pad_mode=drop_pad_mode or None, x_dtype=x_dtype,
                     quant_mode=quant_mode + 1 or None)
    first, end = active_expert_range or (0, expert_num)
    if (first, end) != (0, expert_num):
        standin.refuse(f"torch_npu.npu_moe_init_routing_v2(active_expert_range={list(active_expert_range)})")
    k = expert_idx.shape[-1]
    order = expert_idx.flatten().argsort(stable=True)
    kept = order[:active_num] if active_num > 0 else order
    counts = tokens_of_experts(expert_idx, expert_num, expert_tokens_num_type)
    scales = x.new_empty(0, dtype=torch.float32) if scale is None else scale[kept // k]
    return x[kept // k], (order if row_idx_type == 1 else inverse(order)).int(), counts, scales


def tokens_of_experts(experts, count, kind):
    """Per expert: 0 where its rows end, 1 how many it has."""
    if kind not in (0, 1):
        standin.refuse(f"torch_npu.npu_moe_init_routing_v2(expert_tokens_num_type={kind})")
    counts = (experts.flatten()[:, None] == torch.arange(count, device=experts.device)).sum(0)
    return counts if kind == 1 else counts.cumsum(0)


@operator("npu_moe_compute_expert_tokens", differentiable=False)
def npu_moe_compute_expert_tokens(sorted_expert_for_source_row, num_expert):
    """Where the rows of each expert end."""
    return tokens_of_experts(sorted_expert_for_source_row, num_expert, 0).int()


@operator("npu_moe_finalize_routing", differentiable=False)
def npu_moe_finalize_routing(expanded_permuted_rows, skip1, skip2, bias, scales, expanded_src_to_dst_row,
                             export_for_source_row, drop_pad_mode=0, k=1):
    """Each row is the sum of what its experts returned, with their biases and shares, and of what skipped them."""
    refuse_arguments("npu_moe_finalize_routing", drop_pad_mode=drop_pad_mode or None)
    k = k if scales is None else scales.shape[1]
    returned = wide(expanded_permuted_rows)[expanded_src_to_dst_row.long()].reshape(k, -1, expanded_permuted_rows.shape[-1])
    if bias is not None:
        returned = returned + wide(bias)[export_for_source_row.long()].transpose(0, 1)
    if scales is not None:
        returned = returned * wide(scales).T.unsqueeze(-1)
    total = returned.sum(0)
    for skip in (skip1, skip2):
        total = total if skip is None else total + wide(skip)
    return total.to(expanded_permuted_rows.dtype)


@operator("npu_moe_token_permute")
def npu_moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False):
    """Rows sorted by expert, and where each choice went."""
    refuse_arguments("npu_moe_token_permute", padded_mode=padded_mode)
    k = 1 if indices.dim() == 1 else indices.shape[1]
    order = indices.flatten().argsort(stable=True)
    return tokens[order[: num_out_tokens or len(order)] // k], inverse(order).int()


@operator("npu_moe_token_unpermute")
def npu_moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None):
    """Rows back in their order, those of one token added up with their shares; dropped ones count nothing."""
    refuse_arguments("npu_moe_token_unpermute", padded_mode=padded_mode, restore_shape=restore_shape)
    places, k = sorted_indices.long(), 1 if probs is None else probs.shape[1]
    is_there = places < len(permuted_tokens)
    rows = wide(permuted_tokens)[places.clamp(max=len(permuted_tokens) - 1)] * is_there.unsqueeze(-1)
    rows = rows.reshape(-1, k, permuted_tokens.shape[-1])
    if probs is not None:
        rows = rows * wide(probs).unsqueeze(-1)
    return rows.sum(1).to(permuted_tokens.dtype)


@operator("npu_moe_token_permute_with_routing_map")
def npu_moe_token_permute_with_routing_map(tokens, routing_map, *, probs=None, num_out_tokens=None, drop_and_pad=False):
    """A map of tokens and experts instead of indices: rows expert by expert, their shares, and where each token's went."""
    refuse_arguments("npu_moe_token_permute_with_routing_map", drop_and_pad=drop_and_pad)
    sources = routing_map.bool().T.nonzero()[:, 1]
    shares = None if probs is None else probs.T[routing_map.bool().T]
    return tokens[sources], shares, sources.argsort(stable=True).int()


@operator("npu_moe_token_unpermute_with_routing_map")
def npu_moe_token_unpermute_with_routing_map(permuted_tokens, sorted_indices, restore_shape, *, probs=None, routing_map=None,
                                             drop_and_pad=False):
    """Rows back to their tokens, added up with their shares; each token has as many."""
    refuse_arguments("npu_moe_token_unpermute_with_routing_map", drop_and_pad=drop_and_pad)
    rows = wide(permuted_tokens)
    if probs is not None:
        rows = rows * wide(probs).T[routing_map.bool().T].unsqueeze(-1)
    rows = rows[sorted_indices.long()].reshape(restore_shape[0], -1, permuted_tokens.shape[-1])
    return rows.sum(1).to(permuted_tokens.dtype)


@operator("npu_moe_re_routing", differentiable=False)
def npu_moe_re_routing(tokens, expert_token_num_per_rank, *, per_token_scales=None, expert_token_num_type=1, idx_type=0,
                       tokens_dtype=None):
    """Rows that came rank by rank, now expert by expert: where each row of the result comes from (index type 0) or goes (1)."""
    refuse_arguments("npu_moe_re_routing", tokens_dtype=tokens_dtype)
    counts = expert_token_num_per_rank.long()
    experts = torch.arange(counts.shape[1], device=tokens.device).expand_as(counts).flatten()
    order = experts.repeat_interleave(counts.flatten()).argsort(stable=True)
    scales = tokens.new_empty(0, dtype=torch.float32) if per_token_scales is None else per_token_scales[order]
    totals = counts.sum(0) if expert_token_num_type == 1 else counts.sum(0).cumsum(0)
    return tokens[order], scales, (order if idx_type == 0 else inverse(order)).int(), totals.to(expert_token_num_per_rank.dtype)
