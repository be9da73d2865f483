#!/usr/bin/env python3
"""Times the fast plan in fp32 against onnxruntime on models that public packages carry, at one and two threads, as
models_bench.py does. Nothing of them is kept in this tree.
Usage: real_models_bench.py PLAN_RUNNER FOLDER [RUNS [WORD]]   FOLDER holds the .onnx files, however deep, of
`pip download --no-deps rapidocr silero-vad magika nudenet` unpacked; WORD picks paths that contain it."""

import pathlib
import sys

import models_bench
import numpy as np
import onnxruntime

# Sizes of the inputs whose models leave them open, by a part of the path.
IMAGES = {"_det_": (1, 3, 640, 640), "_rec_": (1, 3, 48, 320), "_cls_": (1, 3, 48, 192), "320n": (1, 3, 320, 320)}
OPEN = {"input": (1, 576), "state": (2, 1, 128), "bytes": (1, 2048)}
TYPES = {"tensor(float)": np.float32, "tensor(int32)": np.int32, "tensor(int64)": np.int64}
RATE = 16000  # samples in a second, which speech models ask for as an input


def inputs_of(path: pathlib.Path):
    random = np.random.default_rng(0)
    for row in onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).get_inputs():
        image = next((sizes for word, sizes in IMAGES.items() if word in path.name), None)
        sizes = image or OPEN.get(row.name) or row.shape
        if row.shape == []:
            yield row.name, np.array(RATE, TYPES[row.type])
        elif row.type == "tensor(float)":
            yield row.name, random.standard_normal(sizes).astype(np.float32)
        else:
            yield row.name, random.integers(0, 256, sizes).astype(TYPES[row.type])


def main(program, folder, runs=11, word=""):
    onnxruntime.set_default_logger_severity(3)
    for path in sorted(pathlib.Path(folder).rglob("*.onnx")):
        if word not in str(path):
            continue
        for threads in (1, 2):
            models_bench.bench(program, path, list(inputs_of(path)), int(runs), threads, ["fp32"])


if __name__ == "__main__":
    main(*sys.argv[1:])
