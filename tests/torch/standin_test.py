"""The stand-in torch_npu: names of a release, the device, autocast and scaler."""
import importlib
import importlib.metadata
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


if __name__ == "__main__":
    unittest.main()
