#!/usr/bin/env python3
"""Runs every tests/torch/*_test.py in a process of its own, two at a time: a process has one emulated device, with one profile.

Usage: tests/torch/run.py [NAME…]     names of test files without _test.py; default: all
Ends with unittest's own last lines, so that tools/run_suites can count.
"""
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SLOW = ("port_run", "opinfo", "hccl", "emulate_cli", "dump")  # begun first, so that no processor waits for a long one at the end


def run(path: Path):
    start = time.monotonic()
    # The extension is kept in build/, as all that a build makes. The tests read English.
    environment = {"GODWIT_CACHE": str(FOLDER.parent.parent / "build/cache"), **os.environ, "GODWIT_LANG": "en"}
    done = subprocess.run([sys.executable, "-m", "unittest", path.stem], cwd=FOLDER, text=True, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return path, done, time.monotonic() - start


def main(names) -> int:
    rest = sorted(path.stem.removesuffix("_test") for path in FOLDER.glob("*_test.py"))
    names = names or [*SLOW, *(name for name in rest if name not in SLOW)]
    files = [FOLDER / f"{name}_test.py" for name in names]
    total = skipped = failed = 0
    start = time.monotonic()
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for path, done, seconds in pool.map(run, files):
            count = re.findall(r"^Ran (\d+) test", done.stdout, re.M)
            total += int(count[-1]) if count else 0
            skipped += sum(map(int, re.findall(r"skipped=(\d+)", done.stdout)))
            bad = done.returncode != 0 or not count
            failed += bad
            print(f"{'FAIL' if bad else 'ok  '} {path.stem:<24}{seconds:6.1f} s", file=sys.stderr)
            if bad:
                print(done.stdout, file=sys.stderr)
    print(f"\nRan {total} tests in {time.monotonic() - start:.3f}s\n", file=sys.stderr)
    notes = f" (skipped={skipped})" if skipped else ""
    print(f"FAILED (failures={failed})" if failed else f"OK{notes}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
