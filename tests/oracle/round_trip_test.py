"""Holds our writer, text form and version conversion against the onnx package: what goes in and what comes out give
the same bits in onnxruntime.

Run by `make test-oracle` with MODEL_TOOL (build/release/nodes/model_tool).  Models: the node cases of the onnx package and
those in its light/, simple/ and pytorch-… folders.  GODWIT_CASES names a folder of cases as dump_cases.py writes them
and spares making them.
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy
import onnx
import onnx.parser
import onnxruntime
from onnx import numpy_helper
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NotImplemented_

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = os.environ.get("MODEL_TOOL", str(ROOT / "build" / "release" / "nodes" / "model_tool"))
NODE_TESTS = str(Path(TOOL).parent / "node_tests")


def cases() -> list[Path]:
    folder = os.environ.get("GODWIT_CASES")
    if not folder:
        folder = tempfile.mkdtemp()
        subprocess.run([sys.executable, str(ROOT / "tests" / "nodes" / "dump_cases.py"), folder], check=True)
    return sorted(path.parent for path in Path(folder).rglob("model.onnx"))


def convert(pairs, *options) -> dict[str, str]:
    """Paths that the tool refuses, with its words."""
    failed = {}
    for start in range(0, len(pairs), 500):
        part = [str(path) for pair in pairs[start:start + 500] for path in pair]
        run = subprocess.run([TOOL, *options, *part], capture_output=True, text=True)
        if run.returncode < 0:
            raise AssertionError(f"signal {-run.returncode}: {run.stderr[-500:]}")
        lines = run.stderr.split("\n")
        for i, line in enumerate(lines):
            if line.startswith("/") and i + 1 < len(lines):
                failed[line] = " ".join(lines[i + 1:i + 5])
    return failed


def tensor(path: Path):
    proto = onnx.TensorProto()
    proto.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(proto)


def outputs(model: Path, case: Path):
    """Outputs of onnxruntime for the first data set, or what it says where it cannot run the model."""
    try:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        feeds = {one.name: tensor(case / "test_data_set_0" / f"input_{i}.pb")
                 for i, one in enumerate(session.get_inputs())}
        return session.run(None, feeds)
    except Exception as error:
        return error


def stored(case: Path, count: int):
    """The outputs that come with a case; nothing where they are no tensors."""
    try:
        return [tensor(case / "test_data_set_0" / f"output_{i}.pb") for i in range(count)]
    except Exception:
        return None


def fault_of_onnxruntime(made: Path, case: Path, before, after) -> str | None:
    """Why a difference is not ours, where that can be shown; else nothing.

    A kernel may be missing for an operator of the older opset: it says so itself, and the checker of the onnx package
    finds nothing wrong with the model.  Or onnxruntime contradicts the values that come with the case, and what it
    makes of the converted model does not.
    """
    if isinstance(after, NotImplemented_):
        try:
            onnx.checker.check_model(str(made), full_check=True)
        except Exception:
            return None
        return "no kernel: " + str(after).split(": ")[-1]
    if isinstance(after, Exception):
        return None
    wanted = stored(case, len(before))
    if wanted and same(after, wanted, False) and not same(before, wanted, False):
        return "its values of the original are not those of the case"
    return None


def same(a, b, exact: bool) -> bool:
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(same(x, y, exact) for x, y in zip(a, b))
    if a is None or b is None:
        return a is b
    a, b = numpy.asarray(a), numpy.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if exact or a.dtype.kind in "OUSbiu":
        return a.tobytes() == b.tobytes() or bool((a == b).all())
    wide = numpy.float64
    return bool(numpy.allclose(a.astype(wide), b.astype(wide), rtol=1e-3, atol=1e-5, equal_nan=True))


def link_case(folder: Path, model: Path, case: Path):
    """A folder with this model and the data sets of the case."""
    folder.mkdir(parents=True)
    (folder / "model.onnx").symlink_to(model)
    for data in case.glob("test_data_set_*"):
        (folder / data.name).symlink_to(data)


def restamp(case: Path, opset: int, folder: Path) -> Path | None:
    """The case as a model of an older opset, where it is one that gives the stored values."""
    model = onnx.load(case / "model.onnx")
    rows = [row for row in model.opset_import if row.domain in ("", "ai.onnx")]
    if len(rows) != 1 or len(model.opset_import) != 1 or model.functions or rows[0].version < opset:
        return None
    rows[0].version = opset
    model.ir_version = min(model.ir_version, 4)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception:
        return None
    stamped = folder / f"{case.name} as {opset}.onnx"
    folder.mkdir(exist_ok=True)
    onnx.save(model, stamped)
    found = outputs(stamped, case)
    if isinstance(found, Exception):
        return None
    wanted = stored(case, len(found))
    if not wanted or not same(found, wanted, False):
        return None
    link_case(folder / case.name, stamped, case)
    return folder / case.name


class RoundTrip(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.cases = cases()

    def go(self, name, *options, through_text=False, exact=True, cases=None):
        """Converts every case and compares what onnxruntime makes of both."""
        cases = self.cases if cases is None else cases
        out = Path(self.folder.name) / name
        out.mkdir()
        pairs = [(case / "model.onnx", out / f"{case.name}.onnx") for case in cases]
        if through_text:
            texts = [(case / "model.onnx", out / f"{case.name}.txt") for case in cases]
            refused = convert(texts)
            self.assertEqual(refused, {})
            pairs = [(text, out / f"{text.stem}.onnx") for _, text in texts]
        refused = convert(pairs, *options)
        ran, problems, excused = 0, [], []
        for case in cases:
            made = out / f"{case.name}.onnx"
            if not made.exists():
                continue
            self.check(made, case, problems)
            before = outputs(case / "model.onnx", case)
            if isinstance(before, Exception):
                continue  # what onnxruntime does not know says nothing of us
            after = outputs(made, case)
            ran += 1
            if not isinstance(after, Exception) and same(before, after, exact):
                continue
            reason = None if exact else fault_of_onnxruntime(made, case, before, after)
            if reason:
                excused.append(f"{case.name}: {reason}")
            else:
                how = "does not run: " + str(after)[:300] if isinstance(after, Exception) else "other values"
                problems.append(f"{case.name}: {how}")
        self.made = out
        print(f"{name}: {len(pairs)} models, {len(refused)} refused, {ran} run in onnxruntime, "
              f"{len(problems)} differ, {len(excused)} by onnxruntime's fault")
        for line in excused:
            print("  onnxruntime:", line)
        if os.environ.get("GODWIT_VERBOSE"):
            for path, words in refused.items():
                print("  refused", Path(path).parent.name if not through_text else Path(path).stem, words)
        self.assertEqual(problems, [])

    def check(self, made: Path, case: Path, problems: list[str]):
        """The checker of the package takes what we write, unless it refuses the original as well."""
        try:
            onnx.checker.check_model(str(made))
        except Exception as error:
            try:
                onnx.checker.check_model(str(case / "model.onnx"))
                problems.append(f"{case.name}: {str(error)[:200]}")
            except Exception:
                pass

    def test_1_onnx(self):
        self.go("onnx")

    def test_2_external(self):
        self.go("external", "--external")

    def test_3_text(self):
        self.go("text", through_text=True)

    def test_4_the_package_parses_what_we_print(self):
        out = Path(self.folder.name) / "parsed"
        out.mkdir()
        convert([(case / "model.onnx", out / f"{case.name}.txt") for case in self.cases])
        problems = []
        for text in sorted(out.glob("*.txt")):
            try:
                onnx.parser.parse_model(text.read_text())
            except Exception as error:
                problems.append(f"{text.stem}: {str(error)[-300:]}")
        print(f"the package parses {len(self.cases) - len(problems)} of {len(self.cases)} texts")
        self.assertEqual(problems, [])

    def converted(self, opset, name=None, cases=None):
        """Every case in another opset: the same values in onnxruntime, and in our executor against the data sets."""
        cases = self.cases if cases is None else cases
        self.go(name or f"opset {opset}", "--opset", str(opset), exact=False, cases=cases)
        folders = self.made / "cases"
        for case in cases:
            model = self.made / f"{case.name}.onnx"
            if model.exists():
                link_case(folders / case.name, model, case)
        run = subprocess.run([NODE_TESTS, str(folders)], capture_output=True, text=True)
        lines = run.stdout.strip().split("\n")
        print("  in our executor:", lines[-1])
        wrong = [line for line in lines if line.startswith(("wrong", "crash"))]
        before = subprocess.run([NODE_TESTS, *{str(case.parent) for case in cases}], capture_output=True, text=True)
        known = {line.split()[1] for line in before.stdout.split("\n") if line.startswith(("wrong", "crash"))}
        self.assertEqual([line for line in wrong if line.split()[1] not in known], [])

    def test_5_opset_18(self):
        self.converted(18)

    def test_6_opset_13(self):
        self.converted(13)

    def test_7_opset_11(self):
        self.converted(11)

    def test_8_opset_23(self):
        self.converted(23)

    def test_9_up_from_7_and_8(self):
        """Every case that onnxruntime and the checker also take as a model of opset 7 or 8, said in opset 18."""
        for opset in (7, 8):
            folder = Path(self.folder.name) / f"stamped {opset}"
            stamped = [found for found in (restamp(case, opset, folder) for case in self.cases) if found]
            self.assertGreater(len(stamped), 100)
            self.converted(18, name=f"{opset} to 18", cases=stamped)


if __name__ == "__main__":
    unittest.main()
