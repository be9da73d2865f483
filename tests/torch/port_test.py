"""Ported programs run: the NPU port on the emulated device and the portable port on the CPU, each to the losses of the original."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

PROGRAMS = {
    "11_classifier": ["train.py", "--epochs", "1"],
    "12_detector": ["train.py", "--epochs", "1"],
    "13_language_model": ["train.py", "--epochs", "1"],
    "14_gan": ["gan.py", "--niter", "1"],
    "15_trainer": ["main.py"],
}
NPU_ARGUMENTS = {"14_gan": ["--cuda"]}

# A process of its own per program: an emulated device is there once per process.
RUNNER = """
import os, runpy, sys, types
sys.path[:0] = [{tests!r}, {python!r}]
if {npu!r}:
    import emulated
    emulated.activate(cards=1)
    import torch
    try:
        import torch_npu
    except ImportError:
        sys.modules["torch_npu"] = stand_in = types.ModuleType("torch_npu")
        stand_in.npu = torch.npu
sys.argv = {arguments!r}
sys.path[0] = os.getcwd()
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def program():
    """The program under test: what make builds, or GODWIT_PROGRAM."""
    return os.environ.get("GODWIT_PROGRAM") or str(ROOT / "build" / "release" / "godwit")


def run(folder, arguments, npu=False):
    code = RUNNER.format(tests=str(ROOT / "tests" / "torch"), python=str(ROOT / "python"), npu=npu, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, text=True, capture_output=True, timeout=600)
    if done.returncode:
        raise AssertionError(f"{arguments} in {folder} ends with {done.returncode}\n{done.stderr[-2000:]}")
    return [float(number) for number in re.findall(r"-?\d+\.\d+", done.stdout + done.stderr)]


class Ported(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def port(self, name, target, *options):
        target_folder = self.folder / f"{name}-{target}"
        command = [program(), "port", str(ROOT / "examples" / name / "project"), *options, "-o", str(target_folder), "--fail-on", "never"]
        done = subprocess.run(command, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return target_folder

    def original(self, name):
        folder = self.folder / name
        shutil.copytree(ROOT / "examples" / name / "project", folder)
        return run(folder, PROGRAMS[name])

    def test_on_the_emulated_device_with_the_losses_of_the_cpu(self):
        for name, arguments in PROGRAMS.items():
            with self.subTest(name):
                expected = self.original(name)
                ported = self.port(name, "npu", "--to", "Ascend910B1")
                found = run(ported, arguments + NPU_ARGUMENTS.get(name, []), npu=True)
                self.assertGreater(len(expected), 0)
                self.assertEqual(len(found), len(expected))
                for a, b in zip(expected, found):
                    self.assertAlmostEqual(a, b, delta=1e-3 + 1e-3 * abs(a))

    def test_the_portable_port_does_on_the_cpu_what_the_original_does(self):
        for name, arguments in PROGRAMS.items():
            with self.subTest(name):
                ported = self.port(name, "portable", "--to", "Ascend910B1", "--style", "portable")
                self.assertEqual(run(ported, arguments), self.original(name))


if __name__ == "__main__":
    unittest.main()
