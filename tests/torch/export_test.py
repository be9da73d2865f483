"""godwit export: models come out in opset 18 with the sizes that may change, and what cannot be done is said."""
import importlib.util
import json
import sys
import unittest

import program
from recorded import Case  # first: it finds the package

import torch

from godwit.exporting import ExportError, Input, export

MODELS = """
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.norm, self.qkv, self.out = nn.Embedding(32, 16), nn.LayerNorm(16), nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, ids, mask):
        x = self.norm(self.embed(ids))
        q, k, v = (t.unflatten(-1, (2, 8)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        out = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        return self.out(out.transpose(1, 2).flatten(2))

def make_attention():
    return Attention()

def make_cnn():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))

def make_with_inputs():
    return nn.Linear(4, 2), torch.ones(1, 4)

def make_nothing():
    return 7

def make_broken():
    return nn.Linear(4, 2, banana=True)

class Branches(nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x - 1

def make_branches():
    return Branches()
"""


class Arguments(Case):
    def test_inputs_in_words(self):
        given = Input("ids=batch,128:int64")
        self.assertEqual((given.name, given.sizes, given.type), ("ids", ["batch", "128"], "int64"))
        self.assertEqual(given.example(torch).shape, (2, 128))
        self.assertEqual(list(given.dynamic_shape(torch, {})), [0])
        for bad in ("ids", "ids=a-b", "=1,2", "1x=2"):
            with self.subTest(bad), self.assertRaises(ExportError):
                Input(bad)
        with self.assertRaisesRegex(ExportError, "float99"):
            Input("x=1:float99").example(torch)


@unittest.skipIf(importlib.util.find_spec("onnxscript") is None, "needs onnx and onnxscript: tools/setup torch")
class Export(Case):
    def setUp(self):
        super().setUp()
        self.script = self.folder / "models.py"
        self.script.write_text(MODELS, encoding="utf-8")
        self.output = self.folder / "out" / "model.onnx"

    def export(self, function, *inputs, **options):
        return export(f"{self.script}:{function}", inputs, self.output, **options)

    def test_attention_with_sizes_that_may_change(self):
        import onnx
        self.assertEqual(self.export("make_attention", "ids=batch,seq:int64", "mask=batch,seq:bool"), 18)
        model = onnx.load(self.output)
        self.assertEqual({entry.domain: entry.version for entry in model.opset_import}[""], 18)
        self.assertEqual([entry.name for entry in model.graph.input], ["ids", "mask"])
        dims = model.graph.input[0].type.tensor_type.shape.dim
        self.assertEqual([dim.dim_param for dim in dims], ["batch", "seq"])
        self.assertEqual([path.name for path in self.output.parent.iterdir()], ["model.onnx"])

    def test_example_inputs_of_the_function(self):
        self.assertEqual(self.export("make_with_inputs"), 18)

    def test_what_cannot_be_exported(self):
        for function, inputs, options, said in (
                ("make_cnn", [], {}, "nothing says what goes into the model"),
                ("make_nothing", [], {}, "gave int"),
                ("make_all", [], {}, "has no function make_all"),
                ("make_cnn", [], {"opset": 13}, "opset 13")):
            with self.subTest(function), self.assertRaisesRegex(ExportError, said):
                self.export(function, *inputs, **options)
        for target in ("models.py", "nowhere.py:make", "models.txt:make"):
            with self.subTest(target), self.assertRaises(ExportError):
                export(target, [], self.output)
        self.assertFalse(self.output.exists())

    def test_what_is_wrong_with_the_model(self):
        for function, inputs, said in (
                ("make_attention", ["ids=1,4:int64", "masc=1,4:bool"], "the inputs are ids, masc, but the model takes ids, mask"),
                ("make_attention", ["ids=1,4:int64"], "the model takes ids, mask"),
                ("make_broken", ["x=1,4"], r"TypeError: .*banana.* \(.*models.py:\d+\)"),
                ("make_branches", ["x=1,4"], "PyTorch could not export the model: ")):
            with self.subTest(function), self.assertRaisesRegex(ExportError, said):
                self.export(function, *inputs)
        self.assertFalse(list(self.output.parent.glob("*")) if self.output.parent.exists() else [])

    def test_from_the_command_to_the_verdict(self):
        options = ["--inputs", "input=batch,3,16,16", "-o", str(self.output), "--to", "ascend310p", "--python", sys.executable]
        done = program.godwit("export", f"{self.script}:make_cnn", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        written, rest = done.stdout.split("\n", 1)
        self.assertEqual(json.loads(written)["opset"], 18)
        self.assertIn("batch", rest)  # what inspect says of the input
        self.assertIn("Ascend310P", rest)  # what scan says
        broken = program.godwit("export", f"{self.script}:make_all", *options, "--lang", "zh")
        self.assertEqual(broken.returncode, 2)
        self.assertIn("没有函数 make_all", broken.stderr)


if __name__ == "__main__":
    unittest.main()
