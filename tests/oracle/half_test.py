"""Holds models in fp16 and bf16 in the fast plan against onnxruntime: a small convolutional network and a block of a
transformer with random weights.

Run by `make test-oracle` with PLAN_RUNNER (build/release/nodes/plan_runner).  onnxruntime has few kernels for bf16: there
the same model in fp32, with weights and input rounded to bf16, is what is expected.
"""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import ml_dtypes
import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parent.parent.parent
RUNNER = os.environ.get("PLAN_RUNNER", str(ROOT / "build" / "release" / "nodes" / "plan_runner"))
TYPES = {TensorProto.FLOAT: numpy.float32, TensorProto.FLOAT16: numpy.float16,
         TensorProto.BFLOAT16: ml_dtypes.bfloat16}
WEIGHTS = {
    "convolutions": {"w": (16, 3, 3, 3), "b": (16,), "s": (16,), "o": (16,), "m": (16,), "v": (16,), "d": (16, 1, 3, 3),
                     "f": (10, 16)},
    "transformer": {"q": (32, 32), "k": (32, 32), "u": (32, 32), "p": (32, 32), "g": (32,), "h": (32,), "up": (32, 64),
                    "down": (64, 32)},
}
NODES = {
    "convolutions": """
        a = Conv <pads = [1,1,1,1]> (x, w, b)  n = BatchNormalization (a, s, o, m, v)  r = Relu (n)
        c = Conv <group = 16, pads = [1,1,1,1], strides = [2,2]> (r, d)  i = HardSwish (c)
        l = GlobalAveragePool (i)  t = Flatten (l)  e = Gemm <transB = 1> (t, f)  y = Softmax (e)""",
    "transformer": """
        a = MatMul (x, q)  b = MatMul (x, k)  c = MatMul (x, u)  bt = Transpose <perm = [0,2,1]> (b)
        s = MatMul (a, bt)  w = Softmax <axis = -1> (s)  z = MatMul (w, c)  o = MatMul (z, p)  r = Add (o, x)
        n = LayerNormalization (r, g, h)  i = MatMul (n, up)  j = Erf (i)  l = Mul (i, j)  m = MatMul (l, down)
        y = Add (m, n)""",
}
SHAPES = {"convolutions": ((1, 3, 16, 16), (1, 10)), "transformer": ((2, 12, 32), (2, 12, 32))}


def rounded(array, element):
    return array.astype(TYPES[element])


def model_of(name: str, element: int, weights) -> onnx.ModelProto:
    word = {TensorProto.FLOAT: "float", TensorProto.FLOAT16: "float16", TensorProto.BFLOAT16: "bfloat16"}[element]
    ins, outs = (",".join(map(str, shape)) for shape in SHAPES[name])
    text = f'<ir_version: 8, opset_import: ["": 17]> g ({word}[{ins}] x) => ({word}[{outs}] y) {{{NODES[name]}}}'
    model = onnx.parser.parse_model(text)
    for key, array in weights.items():
        model.graph.initializer.append(numpy_helper.from_array(rounded(array, element), key))
    return model


def by_onnxruntime(model: onnx.ModelProto, x):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0].astype(numpy.float64)


def by_us(model: onnx.ModelProto, x, element: int, folder: Path):
    onnx.save(model, folder / "model.onnx")
    (folder / "input_0.pb").write_bytes(numpy_helper.from_array(x).SerializeToString())
    run = subprocess.run([RUNNER, folder / "model.onnx", folder], input="", capture_output=True, text=True)
    if run.returncode:
        raise AssertionError(run.stderr)
    return numpy.fromfile(folder / "ours_0.f32", TYPES[element]).astype(numpy.float64)


class SixteenBits(unittest.TestCase):
    def agree(self, element: int, expected_in: int, last_place: float):
        for name, shapes in WEIGHTS.items():
            random = numpy.random.default_rng(0)
            weights = {key: random.standard_normal(shape) * 0.2 for key, shape in shapes.items()}
            if "v" in weights:
                weights["v"] = abs(weights["v"]) + 0.5
            # What the narrow type holds, in whatever type it is handed on.
            weights = {key: rounded(array, element).astype(numpy.float64) for key, array in weights.items()}
            x = rounded(random.standard_normal(SHAPES[name][0]), element)
            expected = by_onnxruntime(model_of(name, expected_in, weights), rounded(x, expected_in)).ravel()
            with tempfile.TemporaryDirectory() as folder:
                found = by_us(model_of(name, element, weights), x, element, Path(folder))
            error = abs(found - expected).max() / abs(expected).max()
            print(f"{name} in {numpy.dtype(TYPES[element]).name}: {error / last_place:.1f} last places of the largest")
            self.assertLess(error, 8 * last_place, name)

    def test_fp16(self):
        self.agree(TensorProto.FLOAT16, TensorProto.FLOAT16, 2.0 ** -11)

    def test_bf16(self):
        self.agree(TensorProto.BFLOAT16, TensorProto.FLOAT, 2.0 ** -8)


if __name__ == "__main__":
    unittest.main()
