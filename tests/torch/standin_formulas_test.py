"""The stand-in torch_npu: operators with a plain meaning against formulas in fp32."""
import unittest

import program  # noqa: F401
import torch
import torch.nn.functional as F

from formulas import EXPERTS, FORMULAS, G, W, X, attention, moved_to_experts, pairs, rms_norm, silu

import godwit

# A chip that has all of these operators; its numerics off, so that formulas agree to fp32 round-off.
godwit.emulate("ascend910b", numerics="off", missing="fallback")

import torch_npu  # noqa: E402


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
