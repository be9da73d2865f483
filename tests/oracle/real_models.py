#!/usr/bin/env python3
"""Runs models that public packages carry: each in fp32 against onnxruntime, and under the numerics of Ascend310P3 against
fp64, and prints what comes out as tables of Markdown. Exits 1 where a model does not run, or differs from onnxruntime by
more than 10^-4 of its largest output. Nothing of the models is kept in this tree.
Usage: real_models.py GODWIT PLAN_RUNNER FOLDER [LANGUAGES [WORD]]   FOLDER holds the unpacked packages (tools/setup models);
the light models of the onnx package are added; LANGUAGES is en, zh or en,zh; WORD picks paths that contain it."""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import tomllib

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "perf"))
import models_bench  # noqa: E402
import real_models_bench  # noqa: E402

CHIP = "Ascend310P3"
MOST = 1e-4  # of the largest output: fp32 sums in another order
RUNS = 5
TEXTS = {
    "en": {
        "equal": "| model | nodes | difference | time |",
        "verified": "| model | values | output | cosine | max abs | requested | budget | riskiest layer | its cause |",
        "passes": "passes", "fails": "fails", "within": "within"},
    "zh": {
        "equal": "| 模型 | 节点 | 差异 | 速度 |",
        "verified": "| 模型 | 值 | 输出 | 余弦 | 最大绝对误差 | 要求的门槛 | 预算 | 风险最高的层 | 其原因 |",
        "passes": "通过", "fails": "未通过", "within": "在范围内"},
}


def models(folder: pathlib.Path, word: str):
    light = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
    paths = [*folder.rglob("*.onnx"), *light.glob("*.onnx")]
    return sorted((path for path in paths if word in str(path)), key=lambda path: (path.parent == light, str(path)))


def title(path: pathlib.Path, folder: pathlib.Path) -> str:
    return path.relative_to(folder).parts[0] if path.stem == "model" else path.stem


def difference(found, expected) -> float:
    """Of the largest number of its output, over all outputs."""
    worst = 0.0
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, a.shape, b.dtype, b.shape)
        a, b = a.astype(np.float64), b.astype(np.float64)
        worst = max(worst, float(np.abs(a - b).max() / (np.abs(b).max() or 1)) if b.size else 0.0)
    return worst


def speed(runner: str, path: pathlib.Path, inputs: dict, folder: pathlib.Path) -> str:
    """How many times as fast as onnxruntime the plan is, by processor time at one thread. Not measured where an old
    model lists its weights as inputs, which the runner would feed anew each time."""
    if len(onnx.load(path, load_external_data=False).graph.input) > len(inputs):
        return "-"
    for i, value in enumerate(inputs.values()):
        (folder / f"input_{i}.pb").write_bytes(numpy_helper.from_array(value).SerializeToString())
    theirs = models_bench.session(str(path), 1)
    ours = models_bench.Ours(runner, str(path), str(folder), 1, ["fp32"])
    ratios = []
    theirs.run(None, inputs)
    for _ in range(RUNS):
        start, before = models_bench.time.process_time(), ours.processor_ms()
        theirs.run(None, inputs)
        spent = (models_bench.time.process_time() - start) * 1e3
        ours.run()
        ratios.append(spent / (ours.processor_ms() - before))
    ours.close()
    return f"{statistics.median(ratios):.2f}"


def verify(program: str, path: pathlib.Path, inputs: pathlib.Path) -> dict:
    run = subprocess.run([program, "verify", str(path), "--to", CHIP, "--inputs", str(inputs), "--format", "json"],
                         capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return json.loads(run.stdout)["summary"]


def verified_row(name: str, summary: dict, language: str) -> str:
    words = TEXTS[language]
    causes = tomllib.loads((ROOT / "data" / "messages" / language / "C.toml").read_text(encoding="utf-8"))
    layers = {layer["value"]: layer for layer in summary["layers"]}
    output = max((layer for layer in layers.values() if layer["output"]), key=lambda layer: layer["max_abs"])
    riskiest = layers[summary["riskiest"][0]]
    cause = f"{riskiest['cause']} {causes[riskiest['cause']]['title']}" if riskiest["cause"] else words["within"]
    verdicts = [words["passes" if summary["passed"][gate] else "fails"] for gate in ("requested", "budget")]
    figures = (f"{output['cosine']:.6f}", f"{output['max_abs']:.2g}", *verdicts)
    layer = f"{riskiest['op']} `{riskiest['value']}`"
    return f"| {name} | {len(layers)} | `{output['value']}` | " + " | ".join((*figures, layer, cause)) + " |"


def main(program, runner, folder, languages="en", word=""):
    onnxruntime.set_default_logger_severity(3)
    equal, verified, is_good = [], [], True
    for path in models(pathlib.Path(folder), word):
        print("real_models:", path.name, file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as place:
            inputs = dict(real_models_bench.inputs_of(path))
            given, made = pathlib.Path(place) / "in.npz", pathlib.Path(place) / "out.npz"
            np.savez(given, **inputs)
            session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
            expected = session.run(None, inputs)
            subprocess.run([program, "run", str(path), "--inputs", str(given), "--outputs", str(made)],
                           check=True, stdout=subprocess.DEVNULL)
            with np.load(made) as arrays:
                found = [arrays[row.name] for row in session.get_outputs()]
            apart = difference(found, expected)
            is_good = is_good and apart <= MOST
            nodes = len(onnx.load(path, load_external_data=False).graph.node)
            ratio = speed(runner, path, inputs, pathlib.Path(place))
            equal.append(f"| {title(path, pathlib.Path(folder))} | {nodes} | {apart:.0e} | {ratio} |")
            verified.append((title(path, pathlib.Path(folder)), verify(program, path, given)))
    for language in languages.split(","):
        rows = [verified_row(name, summary, language) for name, summary in verified]
        for heading, lines in (("equal", equal), ("verified", rows)):
            columns = TEXTS[language][heading]
            print(columns, "|---" * (columns.count("|") - 1) + "|", *lines, "", sep="\n")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
