"""The stand-in torch_npu: names of a release, operators with a plain meaning against formulas in fp32, autocast, scaler."""
import importlib
import importlib.metadata
import math
import unittest

import program  # noqa: F401
import torch
import torch.nn.functional as F

import godwit

# A chip that has all of these operators; its numerics off, so that formulas agree to fp32 round-off.
PROFILE = godwit.emulate("ascend910b", numerics="off", missing="fallback")

import torch_npu  # noqa: E402


def npu(*shape, **options):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape))).npu(**options)


class Names(unittest.TestCase):
    def test_every_name_of_the_release_exists(self):
        missing = []
        for name in PROFILE["names"]:
            try:
                found = importlib.import_module("torch_npu")
                for part in name.split(".")[1:]:
                    found = getattr(found, part)
            except AttributeError:
                owner = PROFILE["names"].get(name.rsplit(".", 1)[0], "")
                if "module" in owner or "." not in name:
                    missing.append(name)
        self.assertEqual(missing, [])

    def test_a_name_that_the_release_lacks_is_an_attribute_error(self):
        for module, name in ((torch_npu, "npu_turbo"), (torch.npu, "cudart"), (torch.npu, "index_of"), (torch_npu.npu, "nvtx")):
            with self.assertRaisesRegex(AttributeError, f"has no attribute '{name}'"):
                getattr(module, name)
        with self.assertRaises(ModuleNotFoundError):
            importlib.import_module("torch_npu.turbo")

    def test_what_is_not_emulated_says_so_by_name(self):
        for name in ("npu_rotated_box_encode", "npu_lstm", "npu_mla_prolog"):
            with self.assertRaisesRegex(NotImplementedError, f"torch_npu.{name} exists in torch_npu .* not emulated"):
                getattr(torch_npu, name)(torch.zeros(1, device="npu"))
        with self.assertRaisesRegex(NotImplementedError, "torch_npu.npu.NPUGraph"):
            torch.npu.NPUGraph()

    def test_modules_are_the_ones_of_torch(self):
        self.assertIs(torch_npu.npu, torch.npu)
        self.assertIs(torch_npu.npu.memory.memory_allocated, torch.npu.memory_allocated)
        from torch_npu.npu.amp import GradScaler, autocast
        self.assertIs(torch.npu.amp.autocast, autocast)
        self.assertTrue(issubclass(GradScaler, torch.amp.GradScaler))

    def test_the_version_is_that_of_the_release(self):
        self.assertEqual(torch_npu.__version__, PROFILE["torch_npu"]["release"])
        self.assertEqual(importlib.metadata.version("torch_npu"), torch_npu.__version__)

    def test_operators_are_under_torch_ops_too(self):
        x = npu(4, 8)
        self.assertTrue(torch.equal(torch.ops.npu.npu_swiglu(x), torch_npu.npu_swiglu(x)))


class Device(unittest.TestCase):
    def test_modes_and_switches(self):
        torch.npu.set_compile_mode(jit_compile=True)
        self.assertFalse(torch.npu.is_jit_compile_false())
        torch.npu.set_compile_mode(jit_compile=False)
        self.assertTrue(torch.npu.is_jit_compile_false())
        self.assertFalse(torch.npu.matmul.allow_hf32)
        self.assertTrue(torch.npu.conv.allow_hf32)
        torch.npu.matmul.allow_hf32 = True
        torch.npu.matmul.allow_hf32 = False
        with self.assertRaises(TypeError):
            torch.npu.set_compile_mode(jit_compile="no")

    def test_properties(self):
        self.assertTrue(torch.npu.is_bf16_supported())
        self.assertIn("Ascend910B", torch.npu.get_device_name())
        self.assertEqual(torch.npu.get_device_properties(0).total_memory, PROFILE["memory"])
        torch.npu.set_device("npu:0")
        torch.npu.synchronize()
        self.assertEqual(torch.npu.FloatTensor([1, 2]).device.type, "npu")

    def test_formats_are_nd(self):
        x = npu(2, 3)
        self.assertTrue(torch.equal(torch_npu.npu_format_cast(x, 29), x))
        self.assertEqual(torch_npu.get_npu_format(x), 2)

    def test_tensors_of_the_host_are_refused(self):
        with self.assertRaisesRegex(NotImplementedError, "npu::npu_swiglu"):
            torch_npu.npu_swiglu(torch.ones(2, 4))


class Training(unittest.TestCase):
    def test_autocast_and_scaler_train(self):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1)).npu()
        optimizer = torch_npu.optim.NpuFusedAdamW(model.parameters(), lr=0.01)
        scaler = torch.npu.amp.GradScaler(init_scale=64.0)
        x, losses = npu(32, 8), []
        for _ in range(20):
            optimizer.zero_grad()
            with torch.npu.amp.autocast():
                out = model(x)
                self.assertEqual(out.dtype, torch.float16)
                loss = F.mse_loss(out.float(), x.sum(1, keepdim=True))
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
        self.assertLess(losses[-1], losses[0])

    def test_gradients_of_recurrent_layers_are_those_of_their_steps(self):
        for make in (lambda: torch.nn.LSTM(4, 3, 2, bidirectional=True), lambda: torch.nn.GRU(4, 3), lambda: torch.nn.LSTMCell(4, 3)):
            here = make()
            there = make().npu()
            there.load_state_dict(here.state_dict())
            x = torch.randn(*((2, 4) if isinstance(here, torch.nn.LSTMCell) else (5, 2, 4)))
            given = {"cpu": x.clone().requires_grad_(), "npu": x.npu().requires_grad_()}
            for model, device in ((here, "cpu"), (there, "npu")):
                for part in (lambda outputs: outputs[0], lambda outputs: outputs[1]):  # one result at a time, twice
                    last = part(model(given[device]))
                    (last[0] if isinstance(last, tuple) else last).square().sum().backward()
            torch.testing.assert_close(given["npu"].grad.cpu(), given["cpu"].grad, rtol=1e-4, atol=1e-6)
            for one, other in zip(there.parameters(), here.parameters()):
                torch.testing.assert_close(one.grad.cpu(), other.grad, rtol=1e-4, atol=1e-6)

    def test_losses_that_must_not_be_autocast(self):
        with self.assertRaisesRegex(RuntimeError, "unsafe to autocast"):
            with torch.npu.amp.autocast():
                F.binary_cross_entropy(torch.rand(4).npu(), torch.rand(4).npu())


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


class Formulas(unittest.TestCase):
    def test_each_operator_against_its_formula(self):
        from torch.utils._pytree import tree_map
        for name, arguments, formula, *which in FORMULAS:
            with self.subTest(name):
                moved = tree_map(lambda one: one.npu() if isinstance(one, torch.Tensor) else one, arguments)
                options = moved[-1] if isinstance(moved[-1], dict) else {}
                got = getattr(torch_npu, name.split(".")[0])(*moved[: len(moved) - bool(options)], **options)
                got = got[which[0] if which else 0] if isinstance(got, (tuple, list)) else got
                self.assertEqual(got.device.type, "npu")
                expected = formula()
                if expected.is_floating_point() or got.is_floating_point():
                    torch.testing.assert_close(got.cpu().float(), expected.float(), rtol=2e-5, atol=2e-5)
                else:
                    self.assertEqual(got.tolist(), expected.long().tolist())

    def test_no_operator_is_without_a_formula(self):
        from godwit.standin.operators import REGISTERED
        attentions = {"npu_fusion_attention", "npu_prompt_flash_attention", "npu_incre_flash_attention",
                      "npu_fused_infer_attention_score", "npu_fused_infer_attention_score_v2"}
        self.assertEqual(REGISTERED - {name.split(".")[0] for name, *_ in FORMULAS} - attentions, set())

    def test_gradients_are_those_of_the_formula(self):
        for name, more, formula in (("npu_swiglu", (), lambda x: silu(pairs(x)[0]) * pairs(x)[1]),
                                    ("npu_rms_norm", (G,), lambda x: rms_norm(x, G)),
                                    ("npu_linear", (W,), lambda x: x @ W.T),
                                    ("npu_moe_token_permute", (EXPERTS,), lambda x: x[moved_to_experts("tokens")])):
            with self.subTest(name):
                here, there = X.clone().requires_grad_(), X.npu().requires_grad_()
                formula(here).square().sum().backward()
                got = getattr(torch_npu, name)(there, *(one.npu() for one in more))
                (got[0] if isinstance(got, tuple) else got).square().sum().backward()
                torch.testing.assert_close(there.grad.cpu(), here.grad, rtol=1e-4, atol=1e-5)

    def test_half_is_computed_wide_and_rounded_once(self):
        got = torch_npu.npu_rms_norm(X.half().npu(), G.half().npu())[0]
        self.assertTrue(torch.equal(got.cpu(), rms_norm(X.half().float(), G.half().float()).half()))


class Attention(unittest.TestCase):
    def setUp(self):
        self.q, self.k, self.v = torch.randn(2, 2, 5, 8), torch.randn(2, 2, 7, 8), torch.randn(2, 2, 7, 8)

    def expected(self, keep=None):
        return torch.stack([torch.stack([attention(self.q[b, h], self.k[b, h], self.v[b, h], 0.3, keep) for h in range(2)])
                            for b in range(2)])

    def moved(self, layout):
        one = {"BNSD": lambda t: t, "BSND": lambda t: t.transpose(1, 2), "BSH": lambda t: t.transpose(1, 2).flatten(2),
               "SBH": lambda t: t.transpose(1, 2).flatten(2).transpose(0, 1)}[layout]
        return [one(each).contiguous().npu() for each in (self.q, self.k, self.v)], one

    def test_layouts(self):
        for layout in ("BNSD", "BSND", "BSH", "SBH"):
            given, arranged = self.moved(layout)
            got = torch_npu.npu_fusion_attention(*given, 2, layout, scale=0.3)
            torch.testing.assert_close(got[0].cpu(), arranged(self.expected()), rtol=1e-4, atol=1e-5)
            self.assertEqual(got[1].shape, (2, 2, 5, 8))

    def test_masks(self):
        given, _ = self.moved("BNSD")
        left_out = torch.rand(5, 7) > 0.7
        left_out[:, 0] = False
        got = torch_npu.npu_fusion_attention(*given, 2, "BNSD", scale=0.3, atten_mask=left_out.npu())[0]
        torch.testing.assert_close(got.cpu(), self.expected(~left_out), rtol=1e-4, atol=1e-5)
        for mode, keep in ((2, torch.ones(5, 7).tril().bool()), (3, torch.ones(5, 7).tril(2).bool())):
            got = torch_npu.npu_fusion_attention(*given, 2, "BNSD", scale=0.3, sparse_mode=mode)[0]
            torch.testing.assert_close(got.cpu(), self.expected(keep), rtol=1e-4, atol=1e-5)
        with self.assertRaisesRegex(NotImplementedError, "sparse_mode=6"):
            torch_npu.npu_fusion_attention(*given, 2, "BNSD", sparse_mode=6)

    def test_sequences_of_different_lengths(self):
        q, k = torch.randn(5, 2, 8), torch.randn(6, 2, 8)
        got = torch_npu.npu_fusion_attention(q.npu(), k.npu(), k.npu(), 2, "TND", scale=0.3, actual_seq_qlen=[2, 5],
                                             actual_seq_kvlen=[4, 6])[0]
        for begin, end, key_begin, key_end in ((0, 2, 0, 4), (2, 5, 4, 6)):
            for head in range(2):
                keys = k[key_begin:key_end, head]
                torch.testing.assert_close(got[begin:end, head].cpu(), attention(q[begin:end, head], keys, keys, 0.3),
                                           rtol=1e-4, atol=1e-5)

    def test_gradient(self):
        given, _ = self.moved("BNSD")
        here = [one.clone().requires_grad_() for one in (self.q, self.k, self.v)]
        there = [one.requires_grad_() for one in given]
        F.scaled_dot_product_attention(*here, scale=0.3).square().sum().backward()
        torch_npu.npu_fusion_attention(*there, 2, "BNSD", scale=0.3)[0].square().sum().backward()
        for one, other in zip(here, there):
            torch.testing.assert_close(other.grad.cpu(), one.grad, rtol=1e-3, atol=1e-4)

    def test_prompt_and_step(self):
        given, _ = self.moved("BNSD")
        got = torch_npu.npu_prompt_flash_attention(*given, num_heads=2, scale_value=0.3, input_layout="BNSD")
        torch.testing.assert_close(got.cpu(), self.expected(), rtol=1e-4, atol=1e-5)
        last = [given[0][:, :, -1:].contiguous(), *given[1:]]
        got = torch_npu.npu_incre_flash_attention(*last, num_heads=2, scale_value=0.3, input_layout="BNSD",
                                                  actual_seq_lengths=[4, 7])
        keep = torch.arange(7) < 4
        torch.testing.assert_close(got[0, 0].cpu(), attention(self.q[0, 0, -1:], self.k[0, 0], self.v[0, 0], 0.3, keep),
                                   rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(got[1].cpu(), self.expected()[1, :, -1:], rtol=1e-4, atol=1e-5)
        with self.assertRaisesRegex(NotImplementedError, "block_table"):
            torch_npu.npu_incre_flash_attention(*last, num_heads=2, input_layout="BNSD", block_table=given[0])

    def test_fused_inference(self):
        given, _ = self.moved("BSND")
        got, none = torch_npu.npu_fused_infer_attention_score(*given, num_heads=2, scale=0.3, input_layout="BSND")
        torch.testing.assert_close(got.cpu(), self.expected().transpose(1, 2), rtol=1e-4, atol=1e-5)
        self.assertEqual(none.tolist(), [0])
        given, _ = self.moved("BNSD")
        got, sums = torch_npu.npu_fused_infer_attention_score_v2(*given, num_query_heads=2, softmax_scale=0.3, return_softmax_lse=True,
                                                                 input_layout="BNSD_BSND", actual_seq_kvlen=[4, 7])
        keep = torch.arange(7) < 4
        expected = self.expected(keep)[0], self.expected()[1]
        torch.testing.assert_close(got.cpu(), torch.stack(expected).transpose(1, 2), rtol=1e-4, atol=1e-5)
        scores = self.q[1] @ self.k[1].transpose(-1, -2) * 0.3
        torch.testing.assert_close(sums[1, ..., 0].cpu(), scores.exp().sum(-1).log(), rtol=1e-4, atol=1e-5)
        flat = [one.transpose(1, 2).flatten(0, 1).contiguous() for one in given]
        got, _ = torch_npu.npu_fused_infer_attention_score(*flat, num_heads=2, scale=0.3, input_layout="TND", actual_seq_lengths=[5, 10],
                                                           actual_seq_lengths_kv=[7, 14])
        torch.testing.assert_close(got.cpu(), self.expected().transpose(1, 2).flatten(0, 1), rtol=1e-4, atol=1e-5)
        with self.assertRaisesRegex(NotImplementedError, "npu_fused_infer_attention_score\\(key_rope"):
            torch_npu.npu_fused_infer_attention_score(*given, num_heads=2, input_layout="BNSD", key_rope=given[1])


if __name__ == "__main__":
    unittest.main()
