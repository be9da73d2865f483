"""Runs the node cases of the installed onnx package, and those that Debian's libonnx-testdata has, in the reference
executor. Cases that do not pass stand with their reasons in tests/nodes/exceptions.

Run by `make test-oracle`. The table by families and the reason of each case go to standard output when a case fails;
`python nodes_test.py` prints them in any case.
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NODE_TESTS = os.environ.get("NODE_TESTS", str(ROOT / "build" / "release" / "nodes" / "node_tests"))
NODES = ROOT / "tests" / "nodes"
DEBIAN = Path("/usr/lib/python3/dist-packages/onnx/backend/test/data")


def run(package: str, folders: list[Path]) -> subprocess.CompletedProcess:
    exceptions = NODES / "exceptions" / f"onnx-{package}.txt"
    return subprocess.run([NODE_TESTS, "--except", exceptions, *folders], capture_output=True, text=True)


def run_installed() -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, NODES / "dump_cases.py", folder], check=True, capture_output=True)
        return run("1.23", [Path(folder)])


def run_debian() -> subprocess.CompletedProcess:
    return run("1.12", [DEBIAN / name for name in ("node", "pytorch-converted", "pytorch-operator", "simple")])


class Nodes(unittest.TestCase):
    def test_cases_of_the_installed_package(self):
        found = run_installed()
        self.assertEqual(0, found.returncode, found.stdout)

    @unittest.skipUnless(DEBIAN.is_dir(), "libonnx-testdata is not installed")
    def test_cases_of_onnx_1_12(self):
        found = run_debian()
        self.assertEqual(0, found.returncode, found.stdout)


if __name__ == "__main__":
    print(run_installed().stdout, run_debian().stdout if DEBIAN.is_dir() else "", sep="\n")
