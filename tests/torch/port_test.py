"""Ported programs run: the portable port does on the CPU what the original does, to the last digit."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = {
    "11_classifier": ["train.py", "--epochs", "1"],
    "12_detector": ["train.py", "--epochs", "1"],
    "13_language_model": ["train.py", "--epochs=1"],
    "14_gan": ["gan.py", "--niter", "1"],
    "15_trainer": ["main.py"],
}
RUNNER = """
import os, runpy, sys
sys.argv = {arguments!r}
sys.path[0] = os.getcwd()
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def program():
    """The program under test: what make builds, or GODWIT_PROGRAM."""
    return os.environ.get("GODWIT_PROGRAM") or str(ROOT / "build" / "release" / "godwit")


def run(folder, arguments):
    code = RUNNER.format(arguments=arguments)
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

    def test_the_portable_port_does_on_the_cpu_what_the_original_does(self):
        for name, arguments in PROGRAMS.items():
            with self.subTest(name):
                ported = self.port(name, "portable", "--to", "Ascend910B1", "--style", "portable")
                self.assertEqual(run(ported, arguments), self.original(name))


if __name__ == "__main__":
    unittest.main()
