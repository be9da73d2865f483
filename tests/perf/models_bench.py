#!/usr/bin/env python3
"""Times the fast plan against onnxruntime on the CPU, run by run in turn, at one and two threads, and compares their
outputs: in fp32, and under the numerics of an NPU with sums in the fastest and in prescribed orders. Ratios are of time
that passed and, where one thread runs, of processor time, which other work on the machine disturbs less.
Usage: models_bench.py PLAN_RUNNER FOLDER [RUNS [WORD]]   FOLDER holds what make_models.py wrote; needs onnxruntime; WORD
picks the lines whose "MODEL PROFILE ORDER" contains it."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
import onnxruntime
from onnx import numpy_helper

PROFILES = [["fp32"], ["ascend310p", "fast"], ["ascend310p", "cube16"], ["ascend310p", "sequential"],
            ["ascend310p", "exact"], ["ascend910b", "cube16"]]
INPUTS = {
    "resnet50": lambda r: [("image", r.standard_normal((1, 3, 224, 224)).astype(np.float32))],
    "bert_base": lambda r: [("input_ids", r.integers(0, 30522, (1, 128))),
                            ("attention_mask", np.ones((1, 1, 1, 128), np.float32))],
}


class Ours:
    def __init__(self, program, model, folder, threads, profile):
        environment = dict(os.environ, GODWIT_THREADS=str(threads))
        self.process = subprocess.Popen([program, model, folder, *profile], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)
        self.about = self.process.stdout.readline().strip()
        assert self.process.stdout.readline().strip() == "ready"

    def run(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline()) / 1e3

    def processor_ms(self):
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def session(model, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # Its threads would go on spinning in our turn, on the processors that we measure.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def bench(program, model, inputs, runs, threads, profile):
    folder = model.with_suffix("")
    folder.mkdir(exist_ok=True)
    for i, (_, value) in enumerate(inputs):
        (folder / f"input_{i}.pb").write_bytes(numpy_helper.from_array(value).SerializeToString())
    theirs, ours = session(str(model), threads), Ours(program, str(model), str(folder), threads, profile)
    feed = dict(inputs)
    expected = theirs.run(None, feed)[0]
    found = np.fromfile(folder / "ours_0.f32", np.float32).reshape(expected.shape)
    error = np.abs(found - expected).max() / np.abs(expected).max()
    pairs, busy = [], []
    for _ in range(runs):
        start, at = time.perf_counter(), time.process_time()
        theirs.run(None, feed)
        their_ms, their_busy = (time.perf_counter() - start) * 1e3, (time.process_time() - at) * 1e3
        before = ours.processor_ms()
        pairs.append((their_ms, ours.run()))
        busy.append((their_busy, ours.processor_ms() - before))
    ours.close()
    ratio = statistics.median(a / b for a, b in pairs)
    processor = f", {statistics.median(a / b for a, b in busy):.2f} in processor time" if threads == 1 else ""
    print(f"{model.stem:10} {' '.join(profile):21} {threads} thread(s): {ratio:.2f} x onnxruntime{processor} "
          f"({statistics.median(b for _, b in pairs):.1f} ms against {statistics.median(a for a, _ in pairs):.1f} ms, "
          f"largest difference {error:.1e} of the largest output); {ours.about}")


def main(program, folder, runs=11, word=""):
    for model, make in INPUTS.items():
        for profile in PROFILES:
            if word not in " ".join([model, *profile]):
                continue
            for threads in (1, 2):
                bench(program, pathlib.Path(folder) / f"{model}.onnx", make(np.random.default_rng(0)), int(runs),
                      threads, profile)


if __name__ == "__main__":
    main(*sys.argv[1:])
