"""Dumps: what they hold, that it is right, and what happens when the disk is full or the script dies."""
import base64
import collections
import json
import math
import os
import signal
import subprocess
import sys
import threading
import unittest

from recorded import Case, lines, make, train  # first: it finds the package

import torch
from torch import nn

import godwit
from godwit import recorder
from godwit.dumping import DumpError, read_index, read_steps
from godwit.msprobe import Values

ALL = "fwd,bwd,param,grad,optim"


class Sketch(unittest.TestCase):
    """The loops in C++ against PyTorch."""

    def check(self, tensor):
        figures, _ = recorder.ops().sketch(tensor)
        values = (torch.view_as_real(tensor) if tensor.is_complex() else tensor).flatten().double()
        finite = values[values.isfinite()]
        expected = [values.numel(), finite.numel(), values.isnan().sum(), (values == math.inf).sum(),
                    (values == -math.inf).sum(), (values == 0).sum()]
        self.assertEqual(figures[:6].tolist(), [float(x) for x in expected])
        if finite.numel():
            expected = torch.stack([finite.min(), finite.max(), finite.mean(), finite.norm(),
                                    finite.norm() / finite.numel() ** 0.5])
            torch.testing.assert_close(figures[7:12], expected, rtol=1e-5, atol=1e-6)
        count = values.numel()
        places = range(count) if count <= 64 else [k * (count - 1) // 63 for k in range(64)]
        torch.testing.assert_close(figures[12:], values[list(places)].float().double(), rtol=0, atol=0, equal_nan=True)

    def test_every_type_and_length(self):
        generator = torch.Generator().manual_seed(0)
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16,
                      torch.int8, torch.uint8, torch.bool, torch.complex64, torch.complex128):
            for count in (0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 4096, 4097, 70001):
                with self.subTest(dtype=dtype, count=count):
                    tensor = torch.randn(count, generator=generator) * 10
                    tensor = (tensor > 0) if dtype is torch.bool else tensor.abs() if dtype is torch.uint8 else tensor
                    tensor = tensor.to(dtype)
                    if count > 60 and dtype.is_floating_point:
                        tensor[3], tensor[7], tensor[9], tensor[11], tensor[12] = math.nan, math.inf, -math.inf, 0, -0.0
                    self.check(tensor)

    def test_every_half(self):
        codes = torch.arange(65536, dtype=torch.int32).to(torch.int16)
        for dtype in (torch.float16, torch.bfloat16):
            for part in codes.view(dtype).split(64):
                figures, _ = recorder.ops().sketch(part)
                torch.testing.assert_close(figures[12:], part.double(), rtol=0, atol=0, equal_nan=True)
        figures, _ = recorder.ops().sketch(codes.view(torch.float16))
        self.assertEqual(figures[6], 2)  # ±65504

    def test_squares_that_overflow_or_vanish(self):
        for scale in (1e30, 1e-30):
            figures, _ = recorder.ops().sketch(torch.full((5000,), scale))
            torch.testing.assert_close(figures[10].item(), float(torch.tensor(scale).double()) * 5000 ** 0.5, rtol=1e-6, atol=0)

    def test_the_hash_sees_order_and_signs(self):
        tensor = torch.randn(100)
        seen = {recorder.ops().sketch(tensor)[1]}
        for first, second in ((0, 1), (2, 50), (3, 19)):
            swapped, negated = tensor.clone(), tensor.clone()
            swapped[first], swapped[second] = tensor[second], tensor[first]
            negated[first], negated[second] = -tensor[first], -tensor[second]
            seen |= {recorder.ops().sketch(swapped)[1], recorder.ops().sketch(negated)[1]}
        self.assertEqual(len(seen), 7)
        image = torch.randn(2, 3, 4, 5)
        self.assertEqual(recorder.ops().sketch(image)[1],
                         recorder.ops().sketch(image.to(memory_format=torch.channels_last))[1])

    def test_layouts(self):
        for tensor in (torch.eye(4).to_sparse(), torch.eye(4).to_sparse_csr(), torch.randn(4, 4).t(),
                       torch.ones(1).expand(5), torch.randn(3, dtype=torch.complex64).conj(),
                       torch.quantize_per_tensor(torch.ones(4), 0.1, 0, torch.qint8),
                       torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), torch.empty(2, device="meta")):
            recorder.ops().sketch(tensor)


class Dump(Case):
    def dump(self, work=None, net=None, optimizer=None, **options):
        if net is None:
            net, optimizer = make()
        with godwit.dump(net, self.folder, **options) as made:
            (work or (lambda: train(net, optimizer, steps=3)))()
        header, records = read_index(self.folder / "rank0")
        self.assertEqual(made.records, len(records))
        return header, records

    def find(self, records, **wanted):
        return [r for r in records if all(r.get(key) == value for key, value in wanted.items())]

    def test_modules_forward_and_backward(self):
        net, optimizer = make()
        header, records = self.dump(net=net, optimizer=optimizer, steps="1-2")
        self.assertEqual((header["format"], header["version"], header["level"]), ("godwit-dump", 1, "sketch"))
        self.assertEqual({r["step"] for r in records}, {1, 2})
        for name in ("", "conv", "bn", "body", "body.0", "body.1", "head"):
            for part in ("fwd", "bwd"):
                self.assertTrue(self.find(records, name=name, part=part, io="output", step=1), (name, part))
        calls = self.find(records, name="body.0", part="fwd", io="input", step=1)
        self.assertEqual([r["call"] for r in calls], [0, 1])
        # What one module gives is what the next one gets.
        self.assertEqual(self.find(records, name="conv", part="fwd", io="output", step=1)[0]["hash"],
                         self.find(records, name="bn", part="fwd", io="input", step=1)[0]["hash"])
        self.assertFalse([r for r in records if "operator" in r])

    def test_values_are_those_of_the_step(self):
        net, optimizer = make()
        seen = {}
        net.conv.register_forward_hook(lambda module, args, out: seen.setdefault("out", []).append(out.detach().clone()))
        net.head.register_full_backward_hook(lambda module, gi, go: seen.setdefault("grad", []).append(go[0].clone()))
        _, records = self.dump(net=net, optimizer=optimizer, level="tensor", steps="2", parts=ALL)
        values = Values(self.folder / "rank0")
        out, = self.find(records, name="conv", part="fwd", io="output")
        torch.testing.assert_close(values.read(out), seen["out"][1], rtol=0, atol=0)
        grad, = self.find(records, name="head", part="bwd", io="output")
        torch.testing.assert_close(values.read(grad), seen["grad"][1], rtol=0, atol=0)
        parts = {r["part"] for r in records}
        self.assertEqual(parts, set(ALL.split(",")))
        self.assertTrue(self.find(records, name="conv.weight.exp_avg", part="optim"))
        self.assertTrue(self.find(records, name="bn.running_mean", part="param"))
        for record in records:
            self.assertEqual(list(values.read(record).shape), record["shape"])

    def test_the_files_are_safetensors(self):
        self.dump(level="tensor", parts=ALL)
        for path in (self.folder / "rank0").glob("*.safetensors"):
            data = path.read_bytes()
            size = int.from_bytes(data[:8], "little")
            header = json.loads(data[8:8 + size])
            at = 0
            for entry in header.values():
                self.assertEqual(entry["data_offsets"][0], at)
                at = entry["data_offsets"][1]
            self.assertEqual((8 + size) % 8, 0)
            self.assertEqual(len(data), 8 + size + at)

    def test_samples_are_floats(self):
        net, optimizer = make()
        _, records = self.dump(net=net, optimizer=optimizer, steps="1", parts="param")
        record, = self.find(records, name="head.bias")
        samples = torch.frombuffer(bytearray(base64.b64decode(record["samples"])), dtype=torch.float32)
        torch.testing.assert_close(samples, make()[0].head.bias.detach(), rtol=0, atol=0)

    def test_operators(self):
        _, records = self.dump(scope="operator", steps="1")
        self.assertTrue(self.find(records, operator="aten::conv2d", name="conv", part="fwd", io="output"))
        self.assertTrue(self.find(records, operator="aten::convolution_backward", name="conv", part="bwd", io="input"))
        relu = self.find(records, operator="aten::relu_", io="input", call=0)[0], self.find(records, operator="aten::relu_", io="output", call=0)[0]
        self.assertLess(relu[0]["min"], 0)  # before it was overwritten
        self.assertEqual(relu[1]["min"], 0)
        self.assertFalse([r for r in records if r.get("operator", "").startswith("aten::addcdiv")])

    def test_results_do_not_change(self):
        expected = train(*make(), steps=3)
        net, optimizer = make()
        with godwit.dump(net, self.folder, parts=ALL, scope="all"):
            self.assertEqual(train(net, optimizer, steps=3), expected)
        self.assertEqual(len(net._forward_hooks), 0)

    def test_evaluation_counts_calls(self):
        net, _ = make()
        net.eval()

        def work():
            with torch.inference_mode():
                for _ in range(5):
                    net(torch.randn(2, 3, 8, 8), scale=torch.ones(1))

        _, records = self.dump(work, net, None, steps="2,4")
        self.assertEqual({r["step"] for r in records}, {2, 4})
        self.assertTrue(self.find(records, index="scale"))

    def test_accumulation_and_two_optimizers_are_one_step(self):
        net, _ = make()
        optimizers = [torch.optim.SGD(net.head.parameters(), lr=0.1), torch.optim.SGD(net.conv.parameters(), lr=0.1)]

        def work():
            for _ in range(2):
                for _ in range(3):
                    net(torch.randn(2, 3, 8, 8)).sum().backward()
                for optimizer in optimizers:
                    optimizer.step()

        _, records = self.dump(work, net, None, steps="1-9", parts="fwd,grad")
        self.assertEqual({r["step"] for r in records}, {1, 2})
        self.assertEqual(len(self.find(records, step=1, name="conv", io="input")), 3)
        self.assertTrue(self.find(records, step=1, part="grad", name="conv.weight"))

    def test_odd_tensors(self):
        class Odd(nn.Module):
            def forward(self, value):
                return value

        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.odd = Odd()

            def forward(self, values):
                return [self.odd(value) for value in values]

        values = [torch.tensor(3.0), torch.empty(0, 4), torch.ones(2, dtype=torch.bfloat16), torch.randn(2, dtype=torch.complex64),
                  torch.eye(3).to_sparse(), torch.tensor(True), torch.quantize_per_tensor(torch.ones(4), 0.1, 0, torch.qint8),
                  torch.ones(2).to(torch.float8_e4m3fn), {"a": (torch.ones(1), None, "text")}, None, 7, torch.randn(3, 4).t()]
        net = Outer().eval()
        _, records = self.dump(lambda: net(values), net, None, steps="1", level="tensor")
        made = self.find(records, name="odd", io="output")
        self.assertEqual([r["dtype"] for r in made], ["float32", "float32", "bfloat16", "complex64", "float32", "bool", "qint8",
                                                      "float8_e4m3fn", "float32", "float32"])
        self.assertEqual([r.get("layout") for r in made][4:7], ["sparse_coo", None, "quantized"])
        read = Values(self.folder / "rank0")
        for place in (0, 1, 2, 3, 5, 9):
            expected = values[place] if place != 9 else values[11]
            torch.testing.assert_close(read.read(made[place]), expected, rtol=0, atol=0)

    def test_autocast_checkpoint_compile_retained_graphs(self):
        from torch.utils.checkpoint import checkpoint
        net, optimizer = make()

        class Wrapped(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = net

            def forward(self, x):
                return checkpoint(self.net, x, use_reentrant=False)

        wrapped = Wrapped()

        def work():
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = wrapped(torch.randn(4, 3, 8, 8))
            out.float().sum().backward(retain_graph=True)
            out.float().sum().backward()

        _, records = self.dump(work, wrapped, None, steps="1", level="tensor")
        self.assertEqual(self.find(records, name="net.conv", part="fwd", io="output")[0]["dtype"], "bfloat16")
        compiled = torch.compile(make()[0], backend="eager")
        _, records = self.dump(lambda: compiled(torch.randn(4, 3, 8, 8)).sum().backward(), compiled, None)
        self.assertTrue(self.find(records, name="", io="output", part="fwd"))

    def test_an_exception_in_a_module(self):
        net, optimizer = make()
        with self.assertRaises(RuntimeError):
            with godwit.dump(net, self.folder):
                net(torch.randn(1, 5, 8, 8))
        self.assertTrue(read_index(self.folder / "rank0")[1])
        self.dump()

    def test_wrong_arguments(self):
        net, _ = make()
        for options in ({"steps": "0-3"}, {"steps": "a"}, {"level": "all"}, {"parts": "fwd,weights"}, {"parts": ""},
                        {"format": "npy"}, {"scope": "layer"}):
            with self.subTest(**options), self.assertRaises(ValueError):
                godwit.dump(net, self.folder, **options)
        self.assertEqual(read_steps("1-3, 7"), {1, 2, 3, 7})

    def test_msprobe(self):
        net, optimizer = make()
        self.dump(net=net, optimizer=optimizer, steps="1", level="tensor", parts="fwd,bwd,param,grad", format="msprobe")
        place = self.folder / "step1" / "rank0"
        document = json.loads((place / "dump.json").read_text())
        self.assertEqual((document["task"], document["level"], document["framework"]), ("tensor", "L0", "pytorch"))
        conv = document["data"]["Module.conv.Conv2d.forward.0"]
        self.assertEqual(conv["input_args"][0]["shape"], [4, 3, 8, 8])
        self.assertEqual(set(conv["parameters"]), {"weight", "bias"})
        self.assertIn("Module.conv.Conv2d.parameters_grad", document["data"])
        backward = document["data"]["Module.head.Linear.backward.0"]
        self.assertEqual((backward["input"][0]["shape"], backward["output"][0]["shape"]), ([4, 4], [4, 8]))
        file = place / "dump_tensor_data" / conv["output"][0]["data_name"]
        self.assertEqual(list(torch.load(file).shape), [4, 8, 6, 6])
        construct = json.loads((place / "construct.json").read_text())
        self.assertEqual(construct["Module.conv.Conv2d.forward.0"], "Module.Net.forward.0")
        self.assertIsNone(construct["Module.Net.forward.0"])
        self.assertEqual(len(json.loads((place / "stack.json").read_text())), len(document["data"]))


class Faults(Case):
    def test_a_killed_script_leaves_what_was_written(self):
        script = """
import os, pathlib, signal, sys, time
import torch, godwit, recorded
net, optimizer = recorded.make()
godwit.dump(net, sys.argv[1], steps="1-99", level="tensor").start()
recorded.train(net, optimizer, steps=3)
while '{"step":3,' not in pathlib.Path(sys.argv[1], "rank0", "index.jsonl").read_text():
    time.sleep(0.01)
recorded.train(net, optimizer, steps=1)
os.kill(os.getpid(), signal.SIGKILL)
"""
        self.run_script(script, expect=-signal.SIGKILL, arguments=[str(self.folder / "d")])
        _, records = read_index(self.folder / "d" / "rank0")
        self.assertEqual({1, 2, 3} - {r["step"] for r in records}, set())
        values = Values(self.folder / "d" / "rank0")
        for record in records:
            values.read(record)

    def limited(self, on_error):
        """A script whose files may not grow beyond 200 kB once its first step is on the disk: what a full disk looks
        like, without filling one."""
        script = f"""
import pathlib, resource, signal, sys, time
import torch, godwit, recorded
from godwit import recorder
recorder.ops()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
net, optimizer = recorded.make()
made = godwit.dump(net, sys.argv[1], steps="1-999", level="tensor", queue=1 << 20, on_error="{on_error}")
index = pathlib.Path(sys.argv[1], "rank0", "index.jsonl")
with made:
    recorded.train(net, optimizer)
    while index.read_text().count(chr(10)) < 2:
        time.sleep(0.01)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    for step in range(300):
        recorded.train(net, optimizer)
print("all steps done")
"""
        return self.run_script(script, expect=1 if on_error == "stop" else 0, arguments=[str(self.folder / "d")])

    def test_a_full_disk_stops(self):
        said = self.limited("stop")
        self.assertIn("DumpError: the dump stopped", said)
        self.assertIn("File too large", said)
        self.assertIn("help: free some space", said)
        self.readable()

    def test_a_full_disk_warns(self):
        said = self.limited("warn")
        self.assertIn("RuntimeWarning: the dump stopped", said)
        self.assertIn("all steps done", said)
        self.readable()

    def readable(self):
        place = self.folder / "d" / "rank0"
        _, records = read_index(place)
        values = Values(place)
        for record in records:
            values.read(record)
        self.assertTrue(records)
        self.assertFalse(list(place.glob("*.part")))

    def test_a_folder_that_cannot_be_written(self):
        net, _ = make()
        (self.folder / "file").write_text("")
        with self.assertRaises(OSError):
            godwit.dump(net, self.folder / "file" / "d").start()

    def test_a_fork_and_loader_workers(self):
        net, optimizer = make()
        data = [(torch.randn(3, 8, 8), index % 4) for index in range(8)]
        with godwit.dump(net, self.folder / "d", steps="1-9"):
            for images, labels in torch.utils.data.DataLoader(data, batch_size=4, num_workers=2):
                nn.functional.cross_entropy(net(images), labels).backward()
                optimizer.step()
        _, records = read_index(self.folder / "d" / "rank0")
        self.assertEqual({r["step"] for r in records}, {1, 2})

    def test_killed_at_any_moment(self):
        script = """
import os, signal, sys, threading
import torch, godwit, recorded
net, optimizer = recorded.make()
made = godwit.dump(net, sys.argv[1], steps="1-9999", level="tensor", queue=1 << 18).start()
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGKILL)).start()
while True:
    recorded.train(net, optimizer)
"""
        self.run_script(script, {"RANK": "1", "WORLD_SIZE": "2"}, expect=-signal.SIGKILL, arguments=[str(self.folder / "d")])
        place = self.folder / "d" / "rank1"
        _, records = read_index(place)
        values = Values(place)
        for record in records:
            values.read(record)
        self.assertTrue(records)

    def test_threads(self):
        net = make()[0].eval()
        inputs = [torch.randn(2, 3, 8, 8) + index for index in range(4)]

        def work(x):
            for _ in range(5):
                net(x)

        with godwit.dump(net.conv, self.folder / "d", steps="1-99", parts="fwd"):
            threads = [threading.Thread(target=work, args=(x,)) for x in inputs]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        _, records = read_index(self.folder / "d" / "rank0")
        found = collections.Counter(record["hash"] for record in records)
        for x in inputs:
            for seen in (x, net.conv(x)):
                _, code = torch.ops.godwit.sketch(seen)
                self.assertEqual(found[f"{code & (1 << 64) - 1:016x}"], 5)
        self.assertEqual(len(records), 40)

    def test_ranks_have_folders_of_their_own(self):
        script = "import sys, torch, godwit, recorded\nnet, o = recorded.make()\nwith godwit.dump(net, sys.argv[1]):\n    recorded.train(net, o)\n"
        for rank in "01":
            self.run_script(script, {"RANK": rank, "WORLD_SIZE": "2"}, arguments=[str(self.folder / "d")])
            header, records = read_index(self.folder / "d" / f"rank{rank}")
            self.assertEqual((header["rank"], header["ranks"]), (int(rank), 2))
            self.assertTrue(records)


if __name__ == "__main__":
    unittest.main()
