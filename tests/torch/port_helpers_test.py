"""The modules that come with a port: godwit_amp does as apex.amp says, godwit_device is CUDA's names without torch_npu."""
import sys
import unittest
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "data" / "port" / "helpers"))

import godwit_amp as amp  # noqa: E402
import godwit_device  # noqa: E402


def make(seed=0):
    torch.manual_seed(seed)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def batch(step):
    generator = torch.Generator().manual_seed(step)
    return torch.randn(32, 8, generator=generator)


def train(model, optimizer, scaled, steps=20):
    losses = []
    for step in range(steps):
        inputs = batch(step)
        loss = ((model(inputs) - inputs.sum(1, keepdim=True)) ** 2).mean()
        optimizer.zero_grad()
        if scaled:
            with amp.scale_loss(loss, optimizer) as scaled_loss:
                scaled_loss.backward()
        else:
            loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Amp(unittest.TestCase):
    def test_trains_as_float32_does_within_half_precision(self):
        plain = train(*make(), scaled=False)
        model, optimizer = amp.initialize(*make(), opt_level="O1", loss_scale=128.0)
        mixed = train(model, optimizer, scaled=True)
        self.assertLess(mixed[-1], 0.7 * mixed[0])
        for a, b in zip(plain, mixed):
            self.assertAlmostEqual(a, b, delta=0.05 * abs(a) + 0.02)

    def test_gradients_are_without_the_scale_behind_the_block(self):
        model, optimizer = amp.initialize(*make(), opt_level="O1", loss_scale=1024.0)
        reference, _ = make()
        inputs = batch(0)
        with amp.scale_loss(model(inputs).sum(), optimizer) as scaled_loss:
            scaled_loss.backward()
        reference(inputs).sum().backward()
        for mixed, plain in zip(amp.master_params(optimizer), reference.parameters()):
            torch.testing.assert_close(mixed.grad, plain.grad, rtol=2e-2, atol=2e-2)

    def test_two_backward_passes_add_up(self):
        model, optimizer = amp.initialize(*make(), opt_level="O1", loss_scale=64.0)
        reference, _ = make()
        for step in range(2):
            inputs = batch(step)
            with amp.scale_loss(model(inputs).sum(), optimizer) as scaled_loss:
                scaled_loss.backward()
            reference(inputs).sum().backward()
        for mixed, plain in zip(amp.master_params(optimizer), reference.parameters()):
            torch.testing.assert_close(mixed.grad, plain.grad, rtol=2e-2, atol=4e-2)

    def test_a_gradient_that_is_not_finite_skips_the_step_and_halves_the_scale(self):
        model, optimizer = amp.initialize(*make(), opt_level="O1")
        before = [parameter.detach().clone() for parameter in model.parameters()]
        loss = model(batch(0)).sum() * float("inf")
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            first = (scaled_loss / loss).item() if loss.isfinite() else None
            scaled_loss.backward()
        optimizer.step()
        self.assertIsNone(first)
        for old, new in zip(before, model.parameters()):
            self.assertTrue(torch.equal(old, new))
        states = list(amp.state_dict().values())
        self.assertEqual(states[-1]["scale"], 32768.0)

    def test_outputs_are_float32_and_level_o0_changes_nothing(self):
        model, _ = amp.initialize(*make(), opt_level="O1")
        self.assertEqual(model(batch(0)).dtype, torch.float32)
        plain, optimizer = make()
        self.assertEqual(amp.initialize(plain, optimizer, opt_level="O0"), (plain, optimizer))
        self.assertEqual(train(plain, optimizer, scaled=True), train(*make(), scaled=False))


class Device(unittest.TestCase):
    def test_without_torch_npu_all_names_are_those_of_cuda(self):
        self.assertEqual((godwit_device.type, godwit_device.backend), ("cuda", "nccl"))
        self.assertIs(godwit_device.module, torch.cuda)
        self.assertEqual(godwit_device.place(), torch.device("cuda"))
        self.assertEqual(godwit_device.place(1), torch.device("cuda", 1))
        self.assertEqual(godwit_device.place("cpu"), torch.device("cpu"))
        self.assertFalse(godwit_device.is_on(torch.ones(1)))


if __name__ == "__main__":
    unittest.main()
