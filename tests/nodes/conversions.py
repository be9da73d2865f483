#!/usr/bin/env python3
"""Prints what version conversion refuses among cases that are folders with a model.onnx, by operator, with the reason and
the number of cases for each target opset, as a table of Markdown.
Usage: conversions.py MODEL_TOOL FOLDER [en|zh]"""

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

TARGETS = (18, 13, 11)
HEADINGS = {"en": ("operator", "reason"), "zh": ("算子", "原因")}
TYPE = re.compile(r"\b(?:float(?:8|4|6)e\w+|bfloat16|float16|float|double|u?int\d+|bool|string|complex\d+)\b")


def refusals(tool: str, cases: list[Path], target: int, language: str):
    """Operator and reason of every case that cannot be said in the target."""
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(cases), 500):
            pairs = [str(path) for case in cases[start:start + 500]
                     for path in (case, Path(folder) / f"{case.parent.name}.onnx")]
            run = subprocess.run([tool, "--opset", str(target), "--refusals", language, *pairs],
                                 capture_output=True, text=True)
            for line in run.stdout.splitlines():
                yield line.split("\t")[1:3]


def main(tool: str, folder: str, language: str = "en"):
    cases = sorted(Path(folder).rglob("model.onnx"))
    rows = defaultdict(lambda: ([0] * len(TARGETS), set()))
    totals = [0] * len(TARGETS)
    for i, target in enumerate(TARGETS):
        for operator, reason in refusals(tool, cases, target, language):
            found = TYPE.findall(reason)
            counts, types = rows[operator, TYPE.sub("…", reason)]
            counts[i] += 1
            totals[i] += 1
            types.update(found[:1])
    print("| " + " | ".join((*HEADINGS[language], *map(str, TARGETS))) + " |")
    print("|---|---|" + "---|" * len(TARGETS))
    for (operator, reason), (counts, types) in sorted(rows.items()):
        words = reason.replace("…", ", ".join(sorted(types)), 1) if types else reason
        print(f"| {operator} | {words} | " + " | ".join(str(n or "-") for n in counts) + " |")
    print("| **" + str(len(cases)) + "** | | " + " | ".join(map(str, totals)) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
