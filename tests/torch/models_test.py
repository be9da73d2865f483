"""Training gives the CPU's losses with numerics off, and finite, close ones with a chip's."""
import unittest

import torch

import emulated
import models

emulated.activate()

# Where the device has other kernels than the CPU: its fused cells, which add in another order.
ROUND_OFF = {"recurrent"}


def losses(name, device, steps=10, optimizer=torch.optim.AdamW, autocast=False):
    model, batch = models.make(name, device)
    chosen = optimizer(model.parameters(), 1e-3)
    with torch.autocast("npu", dtype=torch.float16, enabled=autocast):
        return [models.step(model, batch, chosen).item() for _ in range(steps)]


class ModelsTest(unittest.TestCase):
    def test_losses_equal_the_cpu(self):
        for name in models.MODELS:
            with self.subTest(name):
                want, got = losses(name, "cpu"), losses(name, "npu")
                if name in ROUND_OFF:
                    torch.testing.assert_close(got, want, rtol=1e-5, atol=1e-6)
                else:
                    self.assertEqual(got, want)
                self.assertLess(got[-1], got[0])

    def test_optimizers(self):
        for optimizer in (torch.optim.SGD, torch.optim.Adam, torch.optim.Adagrad, torch.optim.RMSprop):
            with self.subTest(optimizer.__name__):
                self.assertEqual(losses("classifier", "npu", 4, optimizer), losses("classifier", "cpu", 4, optimizer))

    def test_chip_numerics(self):
        for name in models.MODELS:
            for chip in (emulated.CHIP_310P, emulated.CHIP_910B):
                with self.subTest(name), emulated.numerics(chip):
                    got = losses(name, "npu", 4)
                torch.testing.assert_close(got, losses(name, "cpu", 4), rtol=0.02, atol=0.02)

    def test_mixed_precision(self):
        for name in ("classifier", "transformer", "denoiser"):
            with self.subTest(name), emulated.numerics(emulated.CHIP_310P):
                # Small gradients vanish in fp16 without a scaler, so only the way down is compared.
                got, want = losses(name, "npu", 4, autocast=True), losses(name, "cpu", 4)
                self.assertAlmostEqual(got[0], want[0], delta=0.01)
                torch.testing.assert_close(got, want, rtol=0.06, atol=0.06)


if __name__ == "__main__":
    unittest.main()
