"""What each npu_* operator with a plain meaning gives, as a formula in fp32: (name, arguments, formula, which output)."""
import math

import torch
import torch.nn.functional as F


def silu(x):
    return x * torch.sigmoid(x)


def pairs(x):
    return x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2:]


def attention(q, k, v, scale, keep=None):
    """One head: [rows, width]."""
    scores = q @ k.T * scale
    if keep is not None:
        scores = scores + (~keep).float() * -1e30
    weights = torch.exp(scores - scores.max(-1, keepdim=True).values)
    return weights / weights.sum(-1, keepdim=True) @ v


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


X, Y = torch.randn(4, 8, generator=torch.Generator().manual_seed(1)), torch.randn(4, 8, generator=torch.Generator().manual_seed(2))
G, B = torch.rand(8) + 0.5, torch.rand(8)
W, V = torch.randn(6, 8), torch.randn(8, 6)


def rms_norm(x, gamma, shift=0.0):
    return x / (x.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * (gamma + shift)


def layer_norm(x):
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt() * G + B


def group_norm(x):
    flat = x.reshape(x.shape[0], 2, -1)
    normal = (flat - flat.mean(-1, keepdim=True)) / (flat.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt()
    return normal.reshape(x.shape) * G[None, :, None] + B[None, :, None]


IMAGE = torch.randn(2, 8, 5)
COS, SIN = torch.rand(1, 4, 1, 8), torch.rand(1, 4, 1, 8)
HEADS = torch.randn(2, 4, 3, 8)
PICTURE, FILTER = torch.randn(1, 3, 8, 8), torch.randn(4, 3, 3, 3)


def turned(x):
    first, second = pairs(x)
    return torch.cat((-second, first), -1)


def turned_neighbours(x):
    result = torch.empty_like(x)
    result[..., 0::2], result[..., 1::2] = -x[..., 1::2], x[..., 0::2]
    return result


def deep_norm():
    x = X * 0.3 + Y
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, unbiased=False, keepdim=True) + 1e-6).sqrt() * G + B


BOXES = torch.tensor([[0, 0, 10, 10, 0.9], [1, 0, 10, 10, 0.5], [20, 20, 30, 30, 0.2]])
TRUTH = torch.tensor([[0, 0, 10, 20], [5, 5, 15, 15.0]])
RAW = torch.randint(-128, 128, (4, 8), dtype=torch.int8, generator=torch.Generator().manual_seed(3))
COLUMNS = torch.randint(-128, 128, (8, 6), dtype=torch.int8, generator=torch.Generator().manual_seed(4))
BY_COLUMN, BY_ROW = torch.rand(6) * 0.01, torch.rand(4)
EXPERTS = torch.tensor([[1, 2], [0, 1], [0, 2], [2, 1]], dtype=torch.int32)
STACK = torch.randn(3, 8, 5)


def share(a, b, over_first=False):
    """Overlap of two boxes, over their union or over the first."""
    wide, high = (max(0.0, float(min(a[i + 2], b[i + 2]) - max(a[i], b[i]))) for i in (0, 1))
    first, second = (float((one[2] - one[0]) * (one[3] - one[1])) for one in (a, b))
    return wide * high / (first if over_first else first + second - wide * high)


def all_shares(**how):
    return torch.tensor([[share(truth, box, **how) for box in BOXES[:, :4]] for truth in TRUTH])


def generalised(a, b):
    hull = float((max(a[2], b[2]) - min(a[0], b[0])) * (max(a[3], b[3]) - min(a[1], b[1])))
    areas = sum(float((one[2] - one[0]) * (one[3] - one[1])) for one in (a, b))
    both = share(a, b)
    return both - (hull - areas / (1 + both)) / hull


def complete(a, b, with_shape=True):
    """Of corners, over the distance of the centres and, for the complete measure, the difference of the shapes."""
    apart = sum(float((a[i] + a[i + 2] - b[i] - b[i + 2]) / 2) ** 2 for i in (0, 1))
    hull = sum(float(max(a[i + 2], b[i + 2]) - min(a[i], b[i])) ** 2 for i in (0, 1))
    both = share(a, b)
    v = 4 / math.pi**2 * (math.atan((b[2] - b[0]) / (b[3] - b[1])) - math.atan((a[2] - a[0]) / (a[3] - a[1]))) ** 2
    return both - apart / hull - (v * v / (1 - both + v) if with_shape else 0)


def moved_to_experts(row, k=2):
    """(expert, row of the token) of all choices, sorted by expert, and for each choice its place there."""
    choices = sorted((int(expert), token * k + i) for token, experts in enumerate(EXPERTS) for i, expert in enumerate(experts))
    places = [0] * len(choices)
    for place, (_, choice) in enumerate(choices):
        places[choice] = place
    return {"tokens": [choice // k for _, choice in choices], "places": places, "experts": [e for e, _ in choices]}[row]


def returned_by_experts():
    """Each token's rows of Y8 (one per choice, as init_routing laid them), with bias and share."""
    rows = torch.zeros(4, 8)
    for token in range(4):
        for i in range(2):
            place = BY_COLUMN_FIRST[i * 4 + token]
            rows[token] += BY_CHOICE[token, i] * (Y8[place] + STACK[EXPERTS[token, i], :, 0])
    return rows


# As npu_moe_init_routing numbers choices: down the columns.
BY_COLUMN_FIRST = [sorted(range(8), key=lambda c: (int(EXPERTS[c % 4, c // 4]), c % 4 * 2 + c // 4)).index(c) for c in range(8)]
Y8, BY_CHOICE = torch.randn(8, 8), torch.rand(4, 2)


def region():
    """One box of two by two bins with one sample each, read between pixels."""
    def at(y, x):
        y0, x0 = int(y), int(x)
        dy, dx = y - y0, x - x0
        p = PICTURE[0]
        return (p[:, y0, x0] * (1 - dy) * (1 - dx) + p[:, y0, x0 + 1] * (1 - dy) * dx + p[:, y0 + 1, x0] * dy * (1 - dx)
                + p[:, y0 + 1, x0 + 1] * dy * dx)
    return torch.stack([torch.stack([at(y, x) for x in (1.5, 3.5)], -1) for y in (1.25, 2.75)], 1)[None]


VOLUME, KERNEL = torch.randn(1, 2, 4, 4, 4), torch.randn(3, 2, 2, 2, 2)
BACK = torch.randn(3, 2, 3, 3)

CHOSEN = torch.zeros(4, 3, dtype=torch.bool).scatter(1, EXPERTS.long(), True)
BY_EXPERT = torch.rand(4, 3)
FOURS = torch.randint(-8, 8, (8, 8), generator=torch.Generator().manual_seed(5)).float()
FOURS_PACKED = torch.tensor([[sum((int(v) & 15) << 4 * i for i, v in enumerate(row))] for row in FOURS]).int()


TURNED = torch.tensor([[[5.0, 5, 2, 2, 0], [5, 5, 2, 2, 45], [6, 5, 2, 2, 180]]])  # centre, size, degrees
OCTAGON = 8 * (math.sqrt(2) - 1)
HALF = 2 - (math.sqrt(2) - 1) ** 2  # the right half of the turned square, without the tips above and below


def rows_of_tokens():
    """Of each token the places of its choices, once all are sorted by expert."""
    tokens = moved_to_experts("tokens")
    return [[place for place, token in enumerate(tokens) if token == each] for each in range(4)]


# name, arguments, what the result must be, which result (the first where nothing is said); arguments are moved to the device.
FORMULAS = [
    ("npu_swiglu", (X,), lambda: silu(pairs(X)[0]) * pairs(X)[1]),
    ("npu_geglu", (X, -1, 0), lambda: pairs(X)[0] * gelu(pairs(X)[1])),
    ("fast_gelu", (X,), lambda: X / (1 + torch.exp(-1.702 * X.abs())) * torch.exp(0.851 * (X - X.abs()))),
    ("npu_fast_gelu", (X,), lambda: X / (1 + torch.exp(-1.702 * X.abs())) * torch.exp(0.851 * (X - X.abs()))),
    ("npu_gelu", (X,), lambda: gelu(X)),
    ("npu_gelu_mul", (X,), lambda: gelu(pairs(X)[0]) * pairs(X)[1]),
    ("npu_silu", (X,), lambda: silu(X)),
    ("npu_silu_", (X.clone(),), lambda: silu(X)),
    ("npu_mish", (X,), lambda: X * torch.tanh(torch.log1p(torch.exp(X)))),
    ("npu_rms_norm", (X, G), lambda: rms_norm(X, G)),
    ("npu_gemma_rms_norm", (X, G), lambda: rms_norm(X, G, 1.0)),
    ("npu_add_rms_norm", (X, Y, G), lambda: rms_norm(X + Y, G)),
    ("npu_add_layer_norm", (X, Y, G, B), lambda: layer_norm(X + Y)),
    ("npu_layer_norm_eval", (X, [8], G, B), lambda: layer_norm(X)),
    ("npu_group_norm_silu", (IMAGE, G, B, 2), lambda: silu(group_norm(IMAGE))),
    ("npu_group_norm_swish", (IMAGE, 2, G, B), lambda: silu(group_norm(IMAGE))),
    ("npu_rotary_mul", (HEADS, COS, SIN), lambda: HEADS * COS + turned(HEADS) * SIN),
    ("npu_rotary_mul", (HEADS, COS, SIN, "interleave"), lambda: HEADS * COS + turned_neighbours(HEADS) * SIN),
    ("npu_apply_rotary_pos_emb", (HEADS, HEADS, COS, SIN), lambda: HEADS * COS + turned(HEADS) * SIN),
    ("npu_scaled_masked_softmax", (X, X > 0, 0.5), lambda: torch.softmax(torch.where(X > 0, -1e4, X * 0.5), -1)),
    ("npu_linear", (X, W, torch.ones(6)), lambda: X @ W.T + 1),
    ("npu_bmmV2", (HEADS, HEADS.transpose(-1, -2), []), lambda: HEADS @ HEADS.transpose(-1, -2)),
    ("npu_ffn", (X, V, W, "relu"), lambda: (X @ V).clamp(min=0) @ W),
    ("npu_conv2d", (PICTURE, FILTER, None, [1, 1], [1, 1], [1, 1], 1), lambda: F.conv2d(PICTURE, FILTER, padding=1)),
    ("npu_convolution", (PICTURE, FILTER, None, [2, 2], [0, 0], [1, 1], 1), lambda: F.conv2d(PICTURE, FILTER, stride=2)),
    ("npu_softmax_cross_entropy_with_logits", (X, torch.softmax(Y, -1)),
     lambda: -(torch.softmax(Y, -1) * (X - X.exp().sum(-1, keepdim=True).log())).sum(-1)),
    ("npu_cross_entropy_loss", (X, torch.tensor([1, 0, 3, 7])),
     lambda: (X.exp().sum(-1).log() - X[range(4), [1, 0, 3, 7]]).mean()),
    ("npu_confusion_transpose", (HEADS, [0, 2, 1, 3], [2, 3, 32], True), lambda: HEADS.permute(0, 2, 1, 3).reshape(2, 3, 32)),
    ("npu_confusion_transpose", (HEADS, [1, 0], [24, 8], False), lambda: HEADS.reshape(24, 8).T),
    ("npu_transpose", (HEADS, [3, 2, 1, 0]), lambda: HEADS.permute(3, 2, 1, 0)),
    ("npu_broadcast", (G, [4, 8]), lambda: G.expand(4, 8)),
    ("npu_slice", (X, [1, 2], [2, 3]), lambda: X[1:3, 2:5]),
    ("npu_pad", (X, [1, 0, 2, 3]), lambda: F.pad(X, (2, 3, 1, 0))),
    ("npu_indexing", (X, [0, 1], [4, 8], [2, 3]), lambda: X[0:4:2, 1:8:3]),
    ("npu_one_hot", (torch.tensor([1, 3]), -1, 5), lambda: torch.eye(5)[[1, 3]]),
    ("npu_max.dim", (X, 1), lambda: X.max(1).values),
    ("npu_min.dim", (X, 1), lambda: X.min(1).values),
    ("npu_sort_v2", (X,), lambda: X.sort(-1).values),
    ("npu_moe_gating_top_k_softmax", (X, None, 2), lambda: torch.softmax(X, -1).topk(2, -1).values),
    ("npu_quantize", (X, torch.tensor([0.05]), torch.tensor([3.0]), torch.int8, 1),
     lambda: (X / 0.05 + 3).round().clamp(-128, 127)),
    ("npu_anti_quant", (torch.tensor([[4, -3]], dtype=torch.int8), torch.tensor([0.5, 2.0])), lambda: torch.tensor([[2.0, -6.0]])),
    ("npu_dynamic_quant", (X,), lambda: (X / (X.abs().max(-1, keepdim=True).values / 127)).round()),
    ("npu_dtype_cast", (X, torch.float16), lambda: X.half()),
    ("scatter_update", (torch.zeros(2, 4, 3), torch.tensor([1, 2]), torch.ones(2, 1, 3), -2),
     lambda: torch.tensor([[0, 1, 0, 0], [0, 0, 1, 0]], dtype=torch.float32)[..., None].expand(2, 4, 3)),
    ("npu_scatter_nd_update", (torch.zeros(4, 8), torch.tensor([[2], [0]]), X[:2]),
     lambda: torch.stack((X[1], torch.zeros(8), X[0], torch.zeros(8)))),
    ("npu_nms_v4", (torch.tensor([[0, 0, 10, 10], [1, 0, 10, 10], [20, 20, 30, 30.]]), torch.tensor([0.5, 0.9, 0.2]), 3,
                    torch.tensor(0.5), torch.tensor(0.1)), lambda: torch.tensor([1, 2])),
    ("npu_nms_with_mask", (BOXES, 0.5), lambda: torch.tensor([1, 0, 1]), 2),
    ("npu_deep_norm", (X, Y, B, G), deep_norm, 2),
    ("npu_interleave_rope", (HEADS, COS, SIN),
     lambda: (lambda h: h * COS + turned(h) * SIN)(torch.cat((HEADS[..., 0::2], HEADS[..., 1::2]), -1))),
    ("npu_conv3d", (VOLUME, KERNEL, None, [1] * 3, [0] * 3, [1] * 3, 1), lambda: F.conv3d(VOLUME, KERNEL)),
    ("npu_conv_transpose2d", (PICTURE, BACK, None, [1, 1], [1, 1], [2, 2], [1, 1], 1),
     lambda: F.conv_transpose2d(PICTURE, BACK, stride=2, padding=1, output_padding=1)),
    ("npu_grouped_matmul", ([X], [V]), lambda: X @ V),
    ("npu_grouped_matmul", ([X], [STACK], dict(group_list=torch.tensor([1, 1, 4]), split_item=3, group_type=0)),
     lambda: torch.cat((X[:1] @ STACK[0], X[1:] @ STACK[2]))),
    ("npu_grouped_matmul", ([X], [STACK], dict(group_list=[1, 0, 2], split_item=3, group_list_type=1)),
     lambda: torch.cat((X[:1] @ STACK[0], X[1:3] @ STACK[2], torch.zeros(1, 5)))),
    ("npu_grouped_matmul", ([RAW], [COLUMNS[None]], dict(scale=[BY_COLUMN[None]], per_token_scale=[BY_ROW], split_item=3,
                                                         group_list=[4], output_dtype=torch.float32)),
     lambda: (RAW.float() @ COLUMNS.float()) * BY_COLUMN * BY_ROW[:, None]),
    ("npu_iou", (BOXES[:, :4].clone(), TRUTH), all_shares),
    ("npu_ptiou", (BOXES[:, :4].clone(), TRUTH, 1), lambda: all_shares(over_first=True)),
    ("npu_giou", (TRUTH, BOXES[:2, :4].clone()), lambda: torch.tensor([[generalised(t, b)] for t, b in zip(TRUTH, BOXES)])),
    ("npu_diou", (TRUTH.T, BOXES[:2, :4].T), lambda: torch.tensor([[complete(t, b, False) for t, b in zip(TRUTH, BOXES)]])),
    ("npu_ciou", (TRUTH.T, BOXES[:2, :4].T, False, False),
     lambda: torch.tensor([[complete(t, b) for t, b in zip(TRUTH, BOXES)]])),
    ("npu_ciou", (TRUTH.T, BOXES[:, :4].T), lambda: torch.tensor([[complete(t, b) for t in TRUTH] for b in BOXES])),
    ("npu_ciou", (torch.tensor([[5.0], [10.0], [10.0], [20.0]]), torch.tensor([[10.0], [10.0], [10.0], [10.0]]), True, False),
     lambda: torch.tensor([[complete(*TRUTH)]])),
    # A box from (1, 2) to (3, 4) is three by three; moved by 5 and 6 of its sides and ten times as large.
    ("npu_bounding_box_decode", (torch.tensor([[1.0, 2, 3, 4]]), torch.tensor([[5.0, 6, 7, 8]]), 0, 0, 0, 0, 1, 1, 1, 1,
                                 (10, 100), 0.1), lambda: torch.tensor([[2.5, 6.5, 31.5, 9.0]])),
    ("npu_bounding_box_encode", (torch.tensor([[1.0, 2, 3, 4]]), torch.tensor([[2.5, 6.5, 31.5, 35.5]]), 0, 0, 0, 0, 1, 1, 1, 1),
     lambda: torch.tensor([[5.0, 6, math.log(10), math.log(10)]])),
    ("npu_roi_align", (PICTURE, torch.tensor([[0, 1.0, 1.0, 9.0, 7.0]]), 0.5, 2, 2, 1, 0), region),
    ("npu_roi_align", (PICTURE, torch.tensor([[0, 2.0, 2.0, 10.0, 8.0]]), 0.5, 2, 2, 1, 2), region),
    ("npu_moe_gating_top_k_softmax_v2", (X, dict(k=2, renorm=1)), lambda: torch.softmax(X.topk(2, -1).values, -1)),
    ("npu_moe_gating_top_k", (X, 2), lambda: torch.softmax(X, -1).topk(2, -1).values),
    ("npu_moe_gating_top_k", (X, 2, dict(norm_type=1, bias=torch.tensor([9.0, 0, 0, 0, 8, 0, 0, 0]), routed_scaling_factor=2.5)),
     lambda: (lambda s: 2.5 * s / s.sum(-1, keepdim=True))(torch.sigmoid(X[:, [0, 4]]))),
    ("npu_moe_gating_top_k", (X, 2, dict(norm_type=1, k_group=1, group_count=2, group_select_mode=1,
                                         bias=torch.tensor([7.0, 0, 0, 0, 6, 4, 0, 0]))),
     lambda: torch.tensor([[4, 5]] * 4), 1),
    ("npu_moe_init_routing", (X, torch.arange(8, dtype=torch.int32).reshape(2, 4).T.contiguous(), EXPERTS, 4),
     lambda: X[moved_to_experts("tokens")]),
    ("npu_moe_init_routing", (X, torch.arange(8, dtype=torch.int32).reshape(2, 4).T.contiguous(), EXPERTS, 4),
     lambda: torch.tensor(BY_COLUMN_FIRST), 1),
    ("npu_moe_init_routing", (X, torch.arange(8, dtype=torch.int32).reshape(2, 4).T.contiguous(), EXPERTS, 4),
     lambda: torch.tensor(moved_to_experts("experts")), 2),
    ("npu_moe_init_routing_v2", (X, EXPERTS, dict(expert_num=3, active_num=6)), lambda: X[moved_to_experts("tokens")[:6]]),
    ("npu_moe_init_routing_v2", (X, EXPERTS, dict(expert_num=3)), lambda: torch.tensor(moved_to_experts("places")), 1),
    ("npu_moe_init_routing_v2", (X, EXPERTS, dict(expert_num=3, expert_tokens_num_type=1)), lambda: torch.tensor([2, 3, 3]), 2),
    ("npu_moe_compute_expert_tokens", (torch.tensor([0, 0, 1, 3], dtype=torch.int32), 4), lambda: torch.tensor([2, 3, 3, 4])),
    ("npu_moe_finalize_routing", (Y8, X, Y, STACK[:, :, 0].contiguous(), BY_CHOICE,
                                  torch.tensor(BY_COLUMN_FIRST, dtype=torch.int32), EXPERTS),
     lambda: returned_by_experts() + X + Y),
    ("npu_moe_token_permute", (X, EXPERTS), lambda: X[moved_to_experts("tokens")]),
    ("npu_moe_token_permute", (X, EXPERTS, 5), lambda: X[moved_to_experts("tokens")[:5]]),
    ("npu_moe_token_unpermute", (Y8, torch.tensor(moved_to_experts("places"), dtype=torch.int32), BY_CHOICE),
     lambda: (Y8[moved_to_experts("places")].reshape(4, 2, 8) * BY_CHOICE[:, :, None]).sum(1)),
    ("npu_moe_token_unpermute", (Y8[:2].clone(), torch.tensor([1, 2, 0], dtype=torch.int32)),
     lambda: torch.stack((Y8[1], torch.zeros(8), Y8[0]))),
    ("npu_moe_token_permute_with_routing_map", (X, CHOSEN), lambda: X[moved_to_experts("tokens")]),
    ("npu_moe_token_permute_with_routing_map", (X, CHOSEN, dict(probs=BY_EXPERT)),
     lambda: torch.stack([BY_EXPERT[token, expert] for token, expert in zip(moved_to_experts("tokens"), moved_to_experts("experts"))]), 1),
    ("npu_moe_token_permute_with_routing_map", (X, CHOSEN), lambda: torch.tensor(rows_of_tokens()).flatten(), 2),
    ("npu_moe_token_unpermute_with_routing_map", (Y8, torch.tensor(rows_of_tokens(), dtype=torch.int32).flatten(), [4, 8]),
     lambda: torch.stack([Y8[rows].sum(0) for rows in rows_of_tokens()])),
    ("npu_moe_token_unpermute_with_routing_map", (Y8, torch.tensor(rows_of_tokens(), dtype=torch.int32).flatten(), [4, 8],
                                                  dict(probs=BY_EXPERT, routing_map=CHOSEN)),
     lambda: torch.stack([sum(BY_EXPERT[token, moved_to_experts("experts")[row]] * Y8[row] for row in rows)
                          for token, rows in enumerate(rows_of_tokens())])),
    ("npu_moe_re_routing", (Y8, torch.tensor([[1, 3], [2, 2]])), lambda: Y8[[0, 4, 5, 1, 2, 3, 6, 7]]),
    ("npu_moe_re_routing", (Y8, torch.tensor([[1, 3], [2, 2]])), lambda: torch.tensor([3, 5]), 3),
    ("npu_dynamic_quant_asymmetric", (X,),
     lambda: (lambda s: (X / s + 127 - X.amax(-1, keepdim=True) / s).round())((X.amax(-1, True) - X.amin(-1, True)) / 255)),
    ("npu_quant_matmul", (RAW, COLUMNS, BY_COLUMN, dict(output_dtype=torch.float16)),
     lambda: ((RAW.float() @ COLUMNS.float()) * BY_COLUMN).half()),
    ("npu_quant_matmul", (RAW, COLUMNS, BY_COLUMN, dict(pertoken_scale=BY_ROW, output_dtype=torch.float32, bias=torch.ones(6))),
     lambda: (RAW.float() @ COLUMNS.float()) * BY_COLUMN * BY_ROW[:, None] + 1),
    ("npu_quant_matmul", (RAW, COLUMNS, torch.tensor([0.001]), dict(offset=torch.tensor([3.0]))),
     lambda: ((RAW.float() @ COLUMNS.float()) * 0.001 + 3).round().clamp(-128, 127)),
    ("npu_trans_quant_param", (torch.tensor([1.5, 0.1]), torch.tensor([-2.0, 3.0])),
     lambda: torch.tensor([0x3FC00000 | 1 << 46 | 0x1FE << 37, 0x3DCCC000 | 1 << 46 | 3 << 37])),
    ("npu_quant_matmul", (RAW, COLUMNS, torch.tensor([0x3FC00000 | 1 << 46]), dict(output_dtype=torch.float32)),
     lambda: (RAW.float() @ COLUMNS.float()) * 1.5),
    ("npu_weight_quant_batchmatmul", (X, COLUMNS, BY_COLUMN, torch.ones(6), dict(bias=torch.ones(6))),
     lambda: X @ ((COLUMNS.float() + 1) * BY_COLUMN) + 1),
    ("npu_weight_quant_batchmatmul", (X, COLUMNS, torch.tensor([[0.5] * 6, [2.0] * 6]), dict(antiquant_group_size=4)),
     lambda: X[:, :4] @ (COLUMNS[:4] * 0.5) + X[:, 4:] @ (COLUMNS[4:] * 2.0)),
    ("npu_convert_weight_to_int4pack", (torch.tensor([[1, -1, 7, -8, 0, 2, 3, -2]], dtype=torch.int32),),
     lambda: torch.tensor([[0xE32087F1 - 2**32]])),
    ("npu_weight_quant_batchmatmul", (X, FOURS_PACKED, torch.tensor([0.5] * 8)), lambda: X @ (FOURS * 0.5)),
    # A square turned by half a right angle shares an octagon with the one that is not; moved by half a side, half of it.
    ("npu_rotated_overlaps", (TURNED, TURNED), lambda: torch.tensor([[[4.0, OCTAGON, 2], [OCTAGON, 4, HALF], [2, HALF, 4]]])),
    ("npu_rotated_overlaps", (torch.tensor([[[4.0, 4, 6, 6, 0]]]), torch.tensor([[[4.0, 4, 6, 6, 90], [5, 5, 7, 7, -180]]]), True),
     lambda: torch.tensor([[[4.0, 1]]])),
    ("npu_rotated_iou", (TURNED[:, :2], TURNED), lambda: torch.tensor([[[1, OCTAGON / (8 - OCTAGON), 1 / 3],
                                                                       [OCTAGON / (8 - OCTAGON), 1, HALF / (8 - HALF)]]])),
    ("npu_rotated_iou", (TURNED[:, :2], TURNED[:, 1:], False, 0, False),
     lambda: torch.tensor([[[OCTAGON / (8 - OCTAGON)], [HALF / (8 - HALF)]]])),
    ("npu_reshape", (X, [8, 4]), lambda: X.reshape(8, 4)),
    ("npu_view_copy", (torch.zeros(4, 8), X, False), lambda: X),
    ("one_", (X.clone(),), lambda: torch.ones(4, 8)),
    ("npu_dtype_cast_", (torch.zeros(4, 8, dtype=torch.float16), X), lambda: X.half()),
    ("_npu_dtype_cast", (X, torch.float16), lambda: X.half()),
    ("npu_format_cast", (X, 29), lambda: X),
    ("_npu_format_cast", (X, 29), lambda: X),
    ("npu_format_cast_", (X, 2), lambda: X),
    ("scatter_update_", (torch.zeros(2, 4, 3), torch.tensor([1, 2]), torch.ones(2, 1, 3), -2),
     lambda: torch.tensor([[0, 1, 0, 0], [0, 0, 1, 0]], dtype=torch.float32)[..., None].expand(2, 4, 3)),
    ("npu_scatter_nd_update_", (torch.zeros(4, 8), torch.tensor([[2], [0]]), X[:2]),
     lambda: torch.stack((X[1], torch.zeros(8), X[0], torch.zeros(8)))),
    ("npu_alloc_float_status", (X,), lambda: torch.zeros(8)),
    ("npu_get_float_status", (torch.ones(8),), lambda: torch.zeros(8)),
    ("npu_clear_float_status", (torch.ones(8),), lambda: torch.zeros(8)),
]
