"""Holds our ONNX reader against the onnx package: nodes, weights by type, opset and graphs of every model agree.

Run by `make test-oracle`. Models: the test data of the onnx package (light/, pytorch-converted/ … and its node tests),
and every *.onnx below the folder that GODWIT_MODELS names.
"""
import json
import os
import subprocess
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path

import onnx
from onnx.backend.test.case.node import collect_testcases

ROOT = Path(__file__).resolve().parent.parent.parent
GODWIT = os.environ.get("GODWIT", str(ROOT / "build" / "release" / "godwit"))
DTYPES = {1: "fp32", 2: "u8", 3: "i8", 4: "u16", 5: "i16", 6: "i32", 7: "i64", 8: "string", 9: "b", 10: "fp16",
          11: "fp64", 12: "u32", 13: "u64", 14: "c64", 15: "c128", 16: "bf16", 17: "fp8e4m3", 18: "fp8e4m3uz",
          19: "fp8e5m2", 20: "fp8e5m2uz", 21: "u4", 22: "i4", 23: "fp4e2m1", 24: "fp8e8m0", 25: "u2", 26: "i2"}


def scan(path: Path) -> list[dict]:
    """Summaries of all models at a path, by `godwit scan --format json`."""
    run = subprocess.run([GODWIT, "scan", str(path), "--to", "ascend310p", "--format", "json"],
                         capture_output=True, text=True)
    if run.returncode > 1:
        raise AssertionError(run.stderr)
    return json.loads(run.stdout)["summary"]["models"]


def elements(tensor: onnx.TensorProto) -> int:
    count = 1
    for dim in tensor.dims:
        count *= dim
    return count


class Count:
    """Nodes, graphs and weights of a model as the onnx package sees them."""

    def __init__(self, model: onnx.ModelProto):
        self.nodes, self.graphs, self.weights = 0, 0, Counter()
        self.graph(model.graph)
        for function in model.functions:
            self.body(function.node)

    def tensor(self, tensor: onnx.TensorProto):
        self.weights[DTYPES.get(tensor.data_type, "?")] += elements(tensor)

    def sparse(self, tensor: onnx.SparseTensorProto):
        count = 1
        for dim in tensor.dims:
            count *= dim
        self.weights[DTYPES.get(tensor.values.data_type, "?")] += count

    def graph(self, graph: onnx.GraphProto):
        self.graphs += 1
        for tensor in graph.initializer:
            self.tensor(tensor)
        for tensor in graph.sparse_initializer:
            self.sparse(tensor)
        self.body(graph.node)

    def body(self, nodes):
        for node in nodes:
            self.nodes += 1
            for attribute in node.attribute:
                for tensor in [attribute.t] if attribute.HasField("t") else attribute.tensors:
                    self.tensor(tensor)
                if attribute.HasField("sparse_tensor"):
                    self.sparse(attribute.sparse_tensor)
                for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                    self.graph(graph)


class Reader(unittest.TestCase):
    def agree(self, folder: Path):
        summaries = {Path(one["path"]): one for one in scan(folder)}
        models = sorted(folder.rglob("*.onnx"))
        self.assertTrue(models)
        for path in models:
            with self.subTest(model=str(path)):
                summary = summaries[path]
                model = onnx.load(path, load_external_data=False)
                count = Count(model)
                self.assertEqual(summary["nodes"], count.nodes)
                self.assertEqual(summary["graphs"], count.graphs)
                self.assertEqual({k: v["elements"] for k, v in summary["weights"].items()}, dict(count.weights))
                opset = [o.version for o in model.opset_import if o.domain in ("", "ai.onnx")]
                self.assertEqual(summary["opset"], opset[0] if opset else 0)
        print(f"{len(models)} models below {folder} agree")

    def test_data_of_the_package(self):
        self.agree(Path(onnx.__file__).parent / "backend" / "test" / "data")

    def test_node_tests_of_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            for case in collect_testcases(None):
                if case.model is not None:
                    (Path(folder) / f"{case.name}.onnx").write_bytes(case.model.SerializeToString())
            self.agree(Path(folder))

    @unittest.skipUnless("GODWIT_MODELS" in os.environ, "GODWIT_MODELS names no folder")
    def test_models_of_a_folder(self):
        self.agree(Path(os.environ["GODWIT_MODELS"]))

    def test_a_graph_of_1e5_nodes_is_read_whole(self):
        helper = onnx.helper
        nodes = [helper.make_node("Add", [f"/layers.{i // 40}/v{i}", "x"], [f"/layers.{(i + 1) // 40}/v{i + 1}"])
                 for i in range(100_000)]
        graph = helper.make_graph(
            nodes, "chain", [helper.make_tensor_value_info(n, 1, [4]) for n in ("x", "/layers.0/v0")],
            [helper.make_tensor_value_info("/layers.2500/v100000", 1, [4])])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "chain.onnx"
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
            start = time.perf_counter()
            onnx.load(path)
            loaded = time.perf_counter()
            self.assertEqual(scan(path)[0]["nodes"], 100_000)
            scanned = time.perf_counter()
        ratio = (scanned - loaded) / (loaded - start)
        print(f"10^5 nodes: godwit scan (process, report and all) takes {ratio:.2f} of onnx.load")


if __name__ == "__main__":
    unittest.main()
