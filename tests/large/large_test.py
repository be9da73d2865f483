"""A model of more than 2 GB, which one protobuf message cannot hold: its weights are a file of their own, with holes, so
that it takes no room on the disk.  It is read, inspected and run without its weights being copied.

Run by `make test-large` with GODWIT (build/release/godwit).
"""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper

ROOT = Path(__file__).resolve().parent.parent.parent
GODWIT = os.environ.get("GODWIT", str(ROOT / "build" / "release" / "godwit"))
ROWS, COLUMNS = 700_000, 1024  # of fp32: 2.87 GB
MOST_RESIDENT = 512 << 20  # bytes


def write(folder: Path):
    """y = W[i] + W[i], where only the last row of W holds anything."""
    last = numpy.arange(COLUMNS, dtype=numpy.float32)
    with open(folder / "weights.bin", "wb") as file:
        file.seek((ROWS - 1) * COLUMNS * 4)
        file.write(last.tobytes())
    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=(ROWS, COLUMNS),
                          data_location=TensorProto.EXTERNAL)
    for key, value in (("location", "weights.bin"), ("offset", "0"), ("length", str(ROWS * COLUMNS * 4))):
        weights.external_data.add(key=key, value=value)
    graph = helper.make_graph([helper.make_node("Gather", ["w", "i"], ["row"]),
                               helper.make_node("Add", ["row", "row"], ["y"])], "large",
                              [helper.make_tensor_value_info("i", TensorProto.INT64, (1,))],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, COLUMNS))], [weights])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
              folder / "model.onnx")
    return last


def run(*arguments):
    """Standard output, and the most bytes that lay in memory."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as bad:
        started = subprocess.Popen([GODWIT, *map(str, arguments)], stdout=out, stderr=bad)
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        for file in (out, bad):
            file.seek(0)
        if started.returncode:
            raise AssertionError(bad.read())
        return out.read(), usage.ru_maxrss * 1024


class Large(unittest.TestCase):
    def test_runs_without_a_copy_of_its_weights(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            last = write(folder)
            self.assertLess((folder / "weights.bin").stat().st_blocks * 512, 1 << 20)
            numpy.save(folder / "i.npy", numpy.array([ROWS - 1]))
            inspected, _ = run("inspect", folder / "model.onnx")
            self.assertIn(f"{ROWS * COLUMNS:,}", inspected)
            for executor in ("plan", "reference"):
                _, resident = run("run", folder / "model.onnx", "--inputs", f"i={folder / 'i.npy'}", "--executor",
                                  executor, "--outputs", folder / "out.npz")
                numpy.testing.assert_array_equal(numpy.load(folder / "out.npz")["y"][0], 2 * last)
                print(f"{executor}: {resident >> 20} MB in memory")
                self.assertLess(resident, MOST_RESIDENT)


if __name__ == "__main__":
    unittest.main()
