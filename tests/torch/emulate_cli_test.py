"""`godwit emulate` around commands: python, torchrun, a shell script, the user's own sitecustomize, and the example."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import program

EXAMPLE = program.ROOT / "examples/21_emulate/train.py"
SHORT = ("--steps", "11")


def emulate(*command: str, options=(), to="ascend310p", **environment):
    return program.godwit("emulate", "--to", to, *options, "--", *command,
                          env={**os.environ, "LC_ALL": "C.UTF-8", **environment})


class Commands(unittest.TestCase):
    def test_a_python_script_sees_the_device(self):
        script = ("import sys, torch_npu, torch; print(torch.npu.device_count(), torch.npu.is_available(), "
                  "torch.ones(1).npu().device, sys.argv[1:])")
        done = emulate(sys.executable, "-c", script, "--to", "x", options=("--cards", "3"))
        self.assertEqual(done.stdout.strip(), "3 True npu:0 ['--to', 'x']", done.stderr)
        self.assertEqual(done.returncode, 0)

    def test_a_shell_script_and_exit_codes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.sh"
            path.write_text(f"#!/bin/bash\n{sys.executable} -c 'import torch; print(torch.npu.get_device_name())'\nexit 7\n")
            done = emulate("bash", str(path), PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        self.assertIn("Ascend310P3", done.stdout, done.stderr)
        self.assertEqual(done.returncode, 7)

    def test_a_process_without_torch_pays_nothing(self):
        done = emulate(sys.executable, "-c", "import sys; print('torch' in sys.modules, 'godwit.emulate' in sys.modules)")
        self.assertEqual(done.stdout.strip(), "False False", done.stderr)

    def test_the_users_own_sitecustomize_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "sitecustomize.py").write_text("print('mine')\n")
            done = emulate(sys.executable, "-c", "import torch; print(torch.npu.device_count())", PYTHONPATH=folder)
        self.assertEqual(done.stdout.split(), ["mine", "1"], done.stderr)

    def test_torchrun_gives_a_card_to_each_rank(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rank.py"
            path.write_text("import os, torch, torch_npu\nrank = int(os.environ['LOCAL_RANK'])\ntorch.npu.set_device(rank)\n"
                            "print('rank', torch.ones(1, device='npu').device, flush=True)\n")
            torchrun = Path(sys.executable).parent / "torchrun"
            done = emulate(str(torchrun), "--nproc_per_node", "2", str(path), options=("--cards", "2"))
        self.assertIn("rank npu:0", done.stdout, done.stderr)
        self.assertIn("rank npu:1", done.stdout)

    def test_transfer_to_npu_runs_a_cuda_script(self):
        script = """
import torch, torch_npu
from torch_npu.contrib import transfer_to_npu
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(4, 4).cuda()
x = torch.randn(2, 4, device="cuda").to(device)
with torch.cuda.amp.autocast():
    y = model(x)
torch.cuda.synchronize()
g = torch.Generator(device="cuda")
print(y.device, y.dtype, y.is_cuda, torch.cuda.device_count(), isinstance(g, torch.Generator), torch.zeros(2).to("cuda").device)
"""
        done = emulate(sys.executable, "-c", script)
        self.assertEqual(done.stdout.strip(), "npu:0 torch.float16 True 1 True npu:0", done.stderr)

    def test_no_compiler_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            done = emulate(sys.executable, "-c", "import torch", PATH=folder, CXX="", GODWIT_CACHE=folder)
        self.assertIn("no C++ compiler", done.stderr)
        self.assertIn("apt-get install", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_from_python_a_wrong_chip_teaches(self):
        script = "import godwit\ntry:\n    godwit.emulate('ascend31p')\nexcept RuntimeError as error:\n    print(error)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(program.ROOT / "python")})
        self.assertIn("E024", done.stdout, done.stderr)


class Example(unittest.TestCase):
    def test_it_stops_on_a_310p(self):
        done = emulate(sys.executable, str(EXAMPLE), *SHORT)
        self.assertEqual(done.returncode, 1)
        for line in ("aten::embedding_dense_backward, which the backward pass needs, has no kernel on Ascend310P3",
                     "without a kernel: EmbeddingDenseGrad", "godwit explain S202"):
            self.assertIn(line, done.stderr)

    def test_it_trains_with_the_host_stepping_in(self):
        done = emulate(sys.executable, str(EXAMPLE), *SHORT, options=("--missing", "fallback"))
        self.assertIn("step 10: loss", done.stdout, done.stderr)
        self.assertRegex(done.stderr, r"aten::embedding_dense_backward .*no kernel")

    def test_it_trains_with_a_product_in_its_place(self):
        done = emulate(sys.executable, str(EXAMPLE), "--one-hot")
        losses = [float(line.split()[-1]) for line in done.stdout.splitlines() if line.startswith("step")]
        self.assertEqual(len(losses), 4, done.stderr)
        self.assertLess(losses[-1], losses[0])

    def test_it_trains_on_a_910b(self):
        done = emulate(sys.executable, str(EXAMPLE), *SHORT, to="ascend910b")
        self.assertIn("step 10: loss", done.stdout, done.stderr)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
