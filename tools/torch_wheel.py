#!/usr/bin/env python3
"""Packs the built PyTorch extension into a wheel of its own, so that a machine with that torch needs no compiler.

Usage: PYTHON tools/torch_wheel.py FOLDER      PYTHON has the torch to build for; prints the path of the wheel
The wheel goes beside godwit's own: it holds the emulated device and the recorders, for one minor release of torch and any Python.
"""
import platform
import re
import subprocess
import sys
from pathlib import Path

import torch

import wheel

sys.path.insert(0, str(wheel.ROOT / "python"))
from godwit import build  # noqa: E402


def oldest_glibc(library: Path) -> tuple[int, int]:
    """The glibc that the library's symbols ask for, which decides its platform tag."""
    symbols = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
    return max((int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols))


def members(libraries: dict[str, Path], tag: str) -> dict[str, bytes]:
    major, minor = build.version(torch)
    info = f"godwit_torch-{wheel.version()}.dist-info"
    files = {
        "godwit_torch/__init__.py": f'"""The emulated device and the recorders of godwit, built for torch {major}.{minor}."""\n'.encode(),
        **{f"godwit_torch/{build.prebuilt_name(torch, part)}": path.read_bytes() for part, path in libraries.items()},
        f"{info}/METADATA": (f"Metadata-Version: 2.1\nName: godwit-torch\nVersion: {wheel.version()}\n"
                             f"Summary: The emulated NPU and the recorders of godwit, built for torch {major}.{minor}\n"
                             f"License: Apache-2.0\nRequires-Dist: godwit (=={wheel.version()})\n"
                             f"Requires-Dist: torch (>={major}.{minor},<{major}.{minor + 1})\n").encode(),
        f"{info}/WHEEL": ("Wheel-Version: 1.0\nGenerator: godwit\nRoot-Is-Purelib: false\n"
                          f"Tag: py3-none-{tag}\n").encode(),
        f"{info}/LICENSE": (wheel.ROOT / "LICENSE").read_bytes(),
    }
    return wheel.with_record(files, info)


def main(folder: Path) -> None:
    libraries = {part: build.library(part) for part in build.PARTS}
    glibc = max(map(oldest_glibc, libraries.values()))
    tag = f"manylinux_{glibc[0]}_{glibc[1]}_{platform.machine()}"
    print(wheel.write(folder / f"godwit_torch-{wheel.version()}-py3-none-{tag}.whl", members(libraries, tag)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
