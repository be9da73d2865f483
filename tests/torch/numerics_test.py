"""Numbers as a chip has them: documented behaviours of the 310P, HF32 of the 910B, and the CPU's where numerics are off."""
import unittest

import torch

import emulated
from emulated import CHIP_310P, CHIP_910B, numerics

emulated.activate()

HALF_MOST = 65504.0


def half(*values):
    return torch.tensor(values, dtype=torch.float16).to("npu")


def fp16(x):
    """Rounded to fp16 by torch's own conversion, in the range of fp16."""
    return x.half().clamp(-HALF_MOST, HALF_MOST).nan_to_num(0.0).float()


def hf32(x):
    """Rounded to 11 bits after the point, by arithmetic on fp64 numbers."""
    fraction, exponent = torch.frexp(x.double())
    return torch.ldexp(torch.round(fraction * 2**12), exponent - 12).float()


def values(count=4096):
    torch.manual_seed(3)
    return torch.randn(count) * torch.logspace(-12, 6, count)


class SaturationTest(unittest.TestCase):
    def test_sum_saturates(self):
        with numerics(CHIP_310P):
            self.assertEqual((half(60000, -60000) + half(60000, -60000)).tolist(), [HALF_MOST, -HALF_MOST])

    def test_nan_becomes_zero(self):
        with numerics(CHIP_310P):
            self.assertEqual(torch.sqrt(half(-1)).tolist(), [0])
            x = half(60000) * 2
            self.assertEqual((x - x).tolist(), [0])
            self.assertEqual((torch.zeros(1, device="npu") / 0).tolist(), [0])

    def test_exp_12(self):
        with numerics(CHIP_310P):
            self.assertEqual(torch.exp(half(12)).tolist(), [HALF_MOST])

    def test_in_place_and_out(self):
        with numerics(CHIP_310P):
            x = half(60000)
            x.add_(x)
            self.assertEqual(x.tolist(), [HALF_MOST])
            out = torch.empty(1, dtype=torch.float16, device="npu")
            torch.mul(x, x, out=out)
            self.assertEqual(out.tolist(), [HALF_MOST])
            many = [half(60000), half(1)]
            torch._foreach_mul_(many, 2.0)
            self.assertEqual([t.item() for t in many], [HALF_MOST, 2])

    def test_strided_results(self):
        with numerics(CHIP_310P):
            x = torch.full((4, 6), 60000.0, dtype=torch.float16).to("npu")
            x[:, ::2].add_(60000)
            self.assertEqual(x[0].tolist(), [HALF_MOST, 60000] * 3)

    def test_casts_saturate_and_copies_do_not(self):
        with numerics(CHIP_310P):
            self.assertEqual(torch.tensor([1e6], device="npu").half().tolist(), [HALF_MOST])
            self.assertEqual(half(float("inf")).tolist(), [float("inf")])
            self.assertEqual(torch.full((1,), float("-inf"), device="npu").tolist(), [float("-inf")])

    def test_masked_row_is_uniform(self):
        with numerics(CHIP_310P):
            row = torch.full((4,), float("-inf"), dtype=torch.float16).to("npu")
            self.assertEqual(torch.softmax(row, 0).tolist(), [0.25] * 4)

    def test_hand_written_softmax(self):
        with numerics(CHIP_310P):
            e = torch.exp(half(12, 11, 1))
            self.assertEqual([round(v, 3) for v in (e / e.sum()).tolist()], [1.0, 0.914, 0.0])

    def test_infinities_where_the_chip_has_them(self):
        with numerics(CHIP_910B):
            self.assertEqual((half(60000) + half(60000)).tolist(), [float("inf")])

    def test_what_saturated_is_counted(self):
        def count():
            names, _, saturated = torch.ops.godwit.operator_calls()
            return dict(zip(names, saturated)).get("aten::add.Tensor", 0)

        with numerics(CHIP_310P):
            before = count()
            half(60000, 1, float("nan")) + half(60000, 1, 1)
            self.assertEqual(count() - before, 2)


class ProductTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.a, self.b = torch.randn(33, 70), torch.randn(70, 21)

    def test_fp32_product_reads_fp16(self):
        with numerics(CHIP_310P):
            got = (self.a.to("npu") @ self.b.to("npu")).cpu()
        self.assertTrue(torch.equal(got, fp16(self.a) @ fp16(self.b)))

    def test_fp32_product_reads_hf32(self):
        with numerics(CHIP_910B):
            got = (self.a.to("npu") @ self.b.to("npu")).cpu()
        self.assertTrue(torch.equal(got, hf32(self.a) @ hf32(self.b)))
        with numerics(CHIP_910B, allow_hf32_matmul=False):
            got = (self.a.to("npu") @ self.b.to("npu")).cpu()
        self.assertTrue(torch.equal(got, self.a @ self.b))

    def test_bias_is_added_in_fp32(self):
        bias = torch.randn(21)
        with numerics(CHIP_310P):
            got = torch.addmm(bias.to("npu"), self.a.to("npu"), self.b.to("npu")).cpu()
        self.assertTrue(torch.equal(got, torch.addmm(bias, fp16(self.a), fp16(self.b))))

    def test_convolution_forward_and_backward(self):
        x, w = torch.randn(2, 3, 9, 9), torch.randn(4, 3, 3, 3)
        g = torch.randn(2, 4, 7, 7)
        with numerics(CHIP_310P):
            xn, wn = x.to("npu").requires_grad_(), w.to("npu").requires_grad_()
            out = torch.conv2d(xn, wn)
            out.backward(g.to("npu"))
        xr, wr = fp16(x).requires_grad_(), fp16(w).requires_grad_()
        ref = torch.conv2d(xr, wr)
        ref.backward(fp16(g))
        for got, want in ((out, ref), (xn.grad, xr.grad), (wn.grad, wr.grad)):
            self.assertTrue(torch.equal(got.detach().cpu(), want.detach()))

    def test_convolution_over_time(self):
        x, w, bias = torch.randn(7, 2, 3), torch.randn(3, 3, 4), torch.randn(4)
        with numerics(CHIP_310P):
            got = torch.conv_tbc(x.to("npu"), w.to("npu"), bias.to("npu")).cpu()
        self.assertTrue(torch.equal(got, torch.conv_tbc(fp16(x), fp16(w), bias)))

    def test_fp16_product_is_summed_in_fp32_and_rounded_once(self):
        a, b = self.a.half(), self.b.half()
        with numerics(CHIP_310P):
            got = (a.to("npu") @ b.to("npu")).cpu()
            out = torch.empty(33, 21, dtype=torch.float16, device="npu")
            torch.mm(a.to("npu"), b.to("npu"), out=out)
            big = (torch.full((1, 9), 200.0).half().to("npu") @ torch.full((9, 1), 200.0).half().to("npu")).item()
        self.assertTrue(torch.equal(got, (a.float() @ b.float()).half()))
        self.assertTrue(torch.equal(out.cpu(), got))
        self.assertEqual(big, HALF_MOST)

    def test_rounding_against_torch(self):
        x = values()
        with numerics(CHIP_310P):
            got = torch.mm(torch.eye(1, device="npu"), x.view(1, -1).to("npu")).cpu()
        self.assertTrue(torch.equal(got[0], fp16(x)))
        with numerics(CHIP_910B):
            got = torch.mm(torch.eye(1, device="npu"), x.view(1, -1).to("npu")).cpu()
        self.assertTrue(torch.equal(got[0], hf32(x)))


class OffTest(unittest.TestCase):
    def test_off_is_the_cpu(self):
        for dtype in (torch.float32, torch.float16):
            a, b = torch.randn(16, 16).to(dtype), torch.randn(16, 16).to(dtype)
            self.assertTrue(torch.equal((a.to("npu") @ b.to("npu")).cpu(), a @ b))
        x = half(60000)
        self.assertEqual((x + x).tolist(), [float("inf")])


if __name__ == "__main__":
    unittest.main()
