"""What a 310P lacks fails on the emulated device as it would there; what torch_npu runs on the CPU is counted."""
import tempfile
import unittest
import warnings
from pathlib import Path

import program
import torch

import godwit

godwit.emulate("ascend310p")


def ran() -> dict:
    """Operator and type of what was called, and the word about it."""
    return {(name, kind): word for name, kind, _, word in zip(*torch.ops.godwit.support_calls())}


class Operators(unittest.TestCase):
    def setUp(self):
        torch.npu.set_compile_mode(jit_compile=True)
        torch.ops.godwit.forget_calls()

    def test_what_has_a_kernel_runs(self):
        x = torch.randn(4, 4, device="npu")
        self.assertTrue(torch.equal((x + x).cpu(), x.cpu() * 2))
        self.assertEqual(ran()["aten::add.Tensor", "Float"], "")

    def test_embedding_has_no_backward(self):
        embedding = torch.nn.Embedding(8, 4).npu()
        loss = embedding(torch.tensor([1, 2], device="npu")).sum()
        with self.assertRaises(RuntimeError) as caught:
            loss.backward()
        said = str(caught.exception)
        for part in ("aten::embedding_dense_backward", "Ascend310P3", "Float", "EmbeddingDenseGrad", "S202"):
            self.assertIn(part, said)

    def test_an_error_names_the_module(self):
        class Pools(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = torch.nn.Sequential(torch.nn.AdaptiveMaxPool3d(1))

            def forward(self, x):
                return self.inner(x)

        with self.assertRaises(RuntimeError) as caught:
            Pools().npu()(torch.randn(2, 4, 4, 4, 4, device="npu"))
        self.assertIn("inner.0", str(caught.exception))
        self.assertIn("adaptive_max_pool3d", str(caught.exception))

    def test_the_other_compile_mode_is_named_where_it_helps(self):
        x = torch.empty(8, device="npu")
        x.random_()  # on the AI CPU when compiled on line
        self.assertIn("aicpu", ran().values())
        torch.npu.set_compile_mode(jit_compile=False)
        with self.assertRaisesRegex(RuntimeError, "jit_compile=True"):
            x.random_()

    def test_recurrent_layers_are_one_operator_each(self):
        x = torch.randn(5, 2, 4, device="npu")
        for layer, name in ((torch.nn.LSTM(4, 3, 2, bidirectional=True), "aten::lstm.input"), (torch.nn.GRU(4, 3), "aten::gru.input"),
                            (torch.nn.LSTMCell(4, 3), "aten::lstm_cell")):
            torch.ops.godwit.forget_calls()
            given = x[0] if name.endswith("cell") else x
            with self.subTest(name), torch.no_grad():
                expected = layer(given.cpu())[0]
                got = layer.npu()(given)[0]
                torch.testing.assert_close(got.cpu(), expected, rtol=1e-3, atol=1e-3)
                self.assertEqual(ran(), {(name, "Float"): "", ("aten::zero_", "Float"): ""})  # and the first state

    def test_a_packed_sequence_is_one_operator(self):
        packed = torch.nn.utils.rnn.pack_sequence([torch.ones(3, 4), torch.ones(2, 4)])
        lstm = torch.nn.LSTM(4, 3)
        expected = lstm(packed)[0].data
        got = lstm.npu()(packed.to("npu"))[0].data
        torch.testing.assert_close(got.detach().cpu(), expected, rtol=1e-3, atol=1e-3)
        self.assertIn(("aten::lstm.data", "Float"), ran())

    def test_the_gradient_of_a_recurrent_layer_is_one_operator(self):
        for layer, name in ((torch.nn.LSTM(4, 3), "npu::npu_lstm_backward"), (torch.nn.GRU(4, 3), "npu::npu_gru_backward")):
            with self.subTest(name), self.assertRaisesRegex(RuntimeError, f"{name}, which the backward pass needs, has no kernel"):
                layer.npu()(torch.randn(5, 2, 4, device="npu"))[0].sum().backward()

    def test_an_operator_of_no_table_runs_and_is_counted(self):
        library = torch.library.Library("tests", "DEF")
        library.define("twice(Tensor x) -> Tensor")
        library.impl("twice", lambda x: x * 2, "CPU")
        self.assertEqual(torch.ops.tests.twice(torch.ones(2, device="npu")).tolist(), [2, 2])
        self.assertEqual(ran()["tests::twice", "Float"], "unknown")

    def test_torch_npu_runs_some_on_the_cpu_and_warns(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.nextafter(torch.ones(2, device="npu"), torch.zeros(2, device="npu"))
        self.assertTrue(any("CAUTION: The operator 'aten::nextafter" in str(one.message) for one in caught))
        self.assertIn("fallback", ran().values())


class Types(unittest.TestCase):
    def setUp(self):
        torch.npu.set_compile_mode(jit_compile=True)

    def test_bf16_passes_at_creation_and_host_copy(self):
        empty = torch.empty(4, dtype=torch.bfloat16, device="npu")
        moved = torch.ones(4, dtype=torch.bfloat16).npu()
        self.assertEqual(moved.cpu().tolist(), [1, 1, 1, 1])
        self.assertEqual(empty.view(2, 2).shape, (2, 2))

    def test_bf16_fails_at_cast_and_compute(self):
        moved = torch.ones(4, dtype=torch.bfloat16).npu()
        for attempt in (lambda: moved.float(), lambda: torch.ones(4, device="npu").bfloat16(), lambda: moved + moved,
                        lambda: torch.zeros(4, dtype=torch.bfloat16, device="npu")):
            with self.assertRaisesRegex(RuntimeError, "bfloat16"):
                attempt()

    def test_double_becomes_float_with_one_warning(self):
        x = torch.ones(4, device="npu")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(x.double().dtype, torch.float32)
            self.assertEqual(x.to(torch.float64).dtype, torch.float32)
        self.assertLessEqual(len(caught), 1)
        self.assertEqual(x.cpu().double().dtype, torch.float64)

    def test_complex_needs_jit_compile_off(self):
        with self.assertRaisesRegex(RuntimeError, "jit_compile=False"):
            torch.zeros(2, dtype=torch.complex64, device="npu")
        torch.npu.set_compile_mode(jit_compile=False)
        self.assertEqual(torch.empty(2, dtype=torch.complex64, device="npu").dtype, torch.complex64)

    def test_a_model_in_fp16_runs(self):
        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).half().npu()
        self.assertEqual(model(torch.ones(2, 8).half().npu()).dtype, torch.float16)


class Overflow(unittest.TestCase):
    def train(self, scale: float):
        weight = torch.nn.Parameter(torch.ones(4, device="npu"))
        optimizer = torch.optim.SGD([weight], lr=0.1)
        scaler = torch.npu.amp.GradScaler(init_scale=scale)
        loss = (weight.half() * 3).sum().float()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return weight.tolist(), scaler.get_scale()

    def test_a_saturated_gradient_skips_the_step(self):
        self.assertEqual(self.train(2.0**16), ([1, 1, 1, 1], 2.0**15))

    def test_a_gradient_in_range_steps(self):
        weight, scale = self.train(8.0)
        self.assertAlmostEqual(weight[0], 0.7, places=3)
        self.assertEqual(scale, 8.0)


class Summary(unittest.TestCase):
    def test_what_has_no_promise_is_counted_in_a_line(self):
        from godwit import support
        called = [(f"aten::op{i}", "Float", 1, "undocumented") for i in range(5)] + [("aten::bad", "Half", 2, "blocked")]
        profile = {"soc": {"name": "X"}, "torch_npu": {"release": "1", "read": "1"}, "cards": 1}
        lines = support.summary(torch.ops.godwit, called, profile)
        self.assertIn("aten::bad  Half  2 call(s)  no kernel", lines[2])
        self.assertIn("5 operators have kernels without a promise", lines[3])
        self.assertEqual(len(lines), 4)


EMBED = """
import torch
embedding = torch.nn.Embedding(8, 4).npu()
embedding(torch.tensor([1, 2], device="npu")).sum().backward()
print("gradient", embedding.weight.grad.sum().item())
"""


class Launched(unittest.TestCase):
    def test_missing_fallback_runs_and_the_summary_says_so(self):
        done = program.emulated(EMBED, "--missing", "fallback")
        self.assertIn("gradient 8.0", done.stdout, done.stderr)
        self.assertRegex(done.stderr, r"aten::embedding_dense_backward\s+Float\s+1 call\(s\)\s+no kernel")

    def test_missing_warn_says_it_once(self):
        done = program.emulated(EMBED, "--missing", "warn")
        self.assertIn("gradient 8.0", done.stdout, done.stderr)
        self.assertIn("S202", done.stderr)

    def test_missing_error_stops_the_script(self):
        done = program.emulated(EMBED)
        self.assertEqual(done.returncode, 1)
        self.assertIn("embedding_dense_backward", done.stderr)

    def test_the_fallback_can_be_forbidden(self):
        script = "import torch\ntorch.nextafter(torch.ones(2, device='npu'), torch.zeros(2, device='npu'))"
        done = program.emulated(script, environment={"TORCH_NPU_FALLBACK_CPU_DISABLE": "1"})
        self.assertIn("TORCH_NPU_FALLBACK_CPU_DISABLE", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_an_imported_kernel_makes_it_run(self):
        """An installed registry decides for its chip: built from the built-in rows, with the one kernel more."""
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder)
            rows = (program.ROOT / "data/ops/kernels/ascend310p.tsv").read_text(encoding="utf-8").splitlines()
            like = next(row for row in rows if row.startswith("EmbeddingBag\t") or row.startswith("GatherV2\t"))
            added = "EmbeddingDenseGrad\t" + like.split("\t", 1)[1]
            header, body = rows[0], sorted([*rows[1:], added], key=lambda row: row.split("\t"))
            target = data / "ops/kernels"
            target.mkdir(parents=True)
            (target / "ascend310p.tsv").write_text("\n".join([header, *body]) + "\n", encoding="utf-8")
            (data / "overlay.toml").write_text('format = 1\nregistries = ["ascend310p"]\ntables = ["ops/kernels/ascend310p.tsv"]\n')
            with_kernel = program.godwit("--overlay", folder, "emulate", "--to", "ascend310p", "--",
                                         program.sys.executable, "-c", EMBED)
        self.assertIn("gradient 8.0", with_kernel.stdout, with_kernel.stderr)

    def test_bf16_runs_on_a_910b(self):
        script = "import torch\nprint((torch.ones(2, device='npu').bfloat16() * 2).float().tolist())"
        self.assertIn("[2.0, 2.0]", program.emulated(script, to="ascend910b").stdout)

    def test_the_report_is_a_trace_that_scan_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ops.json"
            done = program.emulated(EMBED, "--missing", "fallback", "--report", str(path))
            self.assertTrue(path.exists(), done.stderr)
            scanned = program.godwit("scan", str(path), "--to", "ascend310p")
        self.assertEqual(scanned.returncode, 1)
        self.assertIn("S202", scanned.stdout)


if __name__ == "__main__":
    unittest.main()
