"""What a person sees when the device cannot be built or started, and that several processes share one build."""
import multiprocessing
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import torch

import emulated
from godwit import build

FAKE_COMPILER = """#!/bin/sh
# Writes what it was asked for, and counts how often.
echo run >> "$(dirname "$0")/runs"
while [ $# -gt 0 ]; do if [ "$1" = -o ]; then : > "$2"; fi; shift; done
"""


def build_in_child(folder, queue):
    os.environ["GODWIT_CACHE"] = folder
    queue.put(str(build.library()))


class BuildTest(unittest.TestCase):
    def test_no_compiler_names_the_packages(self):
        with mock.patch.dict(os.environ, {"PATH": "", "CXX": ""}), self.assertRaisesRegex(build.BuildError, "install g\\+\\+"):
            build.compiler()

    def test_cache_that_cannot_be_written(self):
        with mock.patch.dict(os.environ, {"GODWIT_CACHE": "/proc/nothing"}), \
                self.assertRaisesRegex(build.BuildError, "GODWIT_CACHE"):
            build.library()

    def test_error_of_the_compiler_is_shown(self):
        with self.assertRaisesRegex(build.BuildError, "x.cc does not compile"):
            build.run([sys.executable, "-c", "import sys; sys.exit(1)"], "x.cc does not compile")

    def test_one_torch_behind_a_link_is_one_torch(self):
        with tempfile.TemporaryDirectory() as folder:
            link = Path(folder) / "torch"
            link.symlink_to(Path(torch.__file__).parent)
            flags = build.torch_flags(torch)
            with mock.patch.object(torch, "__file__", str(link / "__init__.py")):
                self.assertEqual(build.torch_flags(torch), flags)

    def test_processes_wait_for_one_build(self):
        with tempfile.TemporaryDirectory() as folder:
            compiler = Path(folder) / "c++"
            compiler.write_text(FAKE_COMPILER)
            compiler.chmod(0o755)
            context = multiprocessing.get_context("fork")
            queue = context.Queue()
            with mock.patch.dict(os.environ, {"CXX": str(compiler)}), mock.patch.object(build.shutil, "which", which):
                children = [context.Process(target=build_in_child, args=(folder, queue)) for _ in range(3)]
                for child in children:
                    child.start()
                paths = {queue.get() for _ in children}
                for child in children:
                    child.join()
            runs = (Path(folder) / "runs").read_text().split()
            self.assertEqual(len(paths), 1)
            self.assertEqual(len(runs), len(build.files_of("device", "*.cc")) + 2)  # the headers before, the library after


class WheelTest(unittest.TestCase):
    def test_library_of_the_wheel_needs_no_compiler(self):
        tool = Path(build.__file__).resolve().parents[2] / "tools/torch_wheel.py"
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([sys.executable, str(tool), folder], text=True, capture_output=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            zipfile.ZipFile(made.stdout.strip()).extractall(folder)
            with mock.patch.object(sys, "path", [folder, *sys.path]), \
                    mock.patch.dict(os.environ, {"PATH": "", "CXX": "", "GODWIT_CACHE": "/proc/nothing"}):
                for part in build.PARTS:
                    self.assertEqual(build.library(part).parent, Path(folder) / "godwit_torch")


def which(name):
    """No ccache: it would ask the fake compiler who it is."""
    return None if name == "ccache" else name


class ActivationTest(unittest.TestCase):
    def test_old_torch(self):
        with mock.patch.object(torch, "__version__", "2.0.1"), self.assertRaisesRegex(RuntimeError, "2.1 or newer, found 2.0.1"):
            emulated.emulation.import_torch()

    def test_a_real_torch_npu_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "torch_npu" / "__init__.py"
            package.parent.mkdir()
            package.write_text("raise SystemExit('imported')")
            with mock.patch.object(sys, "path", [folder, *sys.path]), \
                    self.assertRaisesRegex(RuntimeError, f"real torch_npu is installed \\({package}\\)"):
                emulated.emulation.import_torch()

    def test_another_backend_is_named(self):
        with mock.patch.object(torch._C, "_get_privateuse1_backend_name", lambda: "mlu"), \
                self.assertRaisesRegex(RuntimeError, "another backend already is PrivateUse1: mlu"):
            emulated.emulation.import_torch()

    def test_one_profile_per_process(self):
        emulated.activate()
        emulated.activate()
        with self.assertRaisesRegex(RuntimeError, "already active"):
            emulated.activate(cards=2)

    def test_package_without_torch(self):
        code = ("import sys; sys.modules['torch'] = None; import godwit\n"
                "try: godwit.emulate(profile={})\n"
                "except RuntimeError as error: print(error)\n")
        package = Path(build.__file__).resolve().parent.parent
        done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(package)}, text=True,
                              capture_output=True)
        self.assertIn("needs PyTorch", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
