#!/usr/bin/env python3
"""Runs the console blocks of Markdown files and compares what they print: the transcripts are the tutorial.

Usage: tests/e2e/run.py GODWIT [--update] [FILE.md ...]     default: README*.md, tests/e2e/*.md, docs/*/tutorial*.md

A block of the kind ```console holds commands ("$ …") with the output that follows them. A line "…" stands for any
number of lines, "…" inside a line for any text, and "[exit 1]" for the exit status when it is not 0. Blocks of one file
share a scratch folder that starts with a copy of examples/. `--update` writes the real output into the file, except
into commands whose expected output has a "…".
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LIMIT_SECONDS = 120


def split_commands(block: str):
    """Yields (command, expected lines); a command goes on in the next line after a backslash."""
    command, expected = None, []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command is not None:
                yield command, expected
            command, expected = line[2:], []
        elif command is not None and command.endswith("\\") and not expected:
            command += "\n" + line
        else:
            expected.append(line)
    if command is not None:
        yield command, expected


def run(command: str, folder: Path, binary: Path) -> list[str]:
    environment = dict(os.environ, PATH=f"{binary.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8", NO_COLOR="1",
                       COLUMNS="100", HOME=str(folder))
    for name in ("VIRTUAL_ENV", "GODWIT_LANG"):
        environment.pop(name, None)
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS, check=False)
    lines = done.stdout.decode("utf-8", "replace").rstrip("\n").split("\n")
    lines = [line.rstrip().replace(str(folder), "~") for line in lines]
    if lines == [""]:
        lines = []
    return lines + ([f"[exit {done.returncode}]"] if done.returncode else [])


def pattern(expected: list[str]) -> re.Pattern:
    parts = []
    for line in expected:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.rstrip().split("…")) + r"\n")
    return re.compile("".join(parts))


def check_file(path: Path, binary: Path, update: bool) -> tuple[int, int]:
    text = path.read_text(encoding="utf-8")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        shutil.copytree(ROOT / "examples", folder / "examples")

        def check_block(block: re.Match) -> str:
            nonlocal passed, failed
            out = []
            for command, expected in split_commands(block[1]):
                found = run(command, folder, binary)
                fits = pattern(expected).fullmatch("".join(line + "\n" for line in found))
                if not fits and update and not any("…" in line for line in expected):
                    expected, fits = found, True
                if fits:
                    passed += 1
                else:
                    failed += 1
                    print("\n    ".join([f"{path.relative_to(ROOT)}: $ {command}\n  expected:", *expected]) +
                          "\n    ".join(["\n  found:", *found]))
                out += [f"$ {command}", *expected]
            return "```console\n" + "\n".join(out) + "\n```"

        new = BLOCK.sub(check_block, text)
    if update and new != text:
        path.write_text(new, encoding="utf-8")
    return passed, failed


def main(arguments: list[str]) -> int:
    update = "--update" in arguments
    binary, *names = [argument for argument in arguments if argument != "--update"]
    files = [Path(name).resolve() for name in names] or sorted(
        [*ROOT.glob("README*.md"), *ROOT.glob("tests/e2e/*.md"), *ROOT.glob("docs/*/tutorial*.md"),
         *ROOT.glob("examples/*/README*.md")])
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        results = list(workers.map(lambda path: check_file(path, Path(binary).resolve(), update), files))
    passed, failed = (sum(column) for column in zip(*results)) if results else (0, 0)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
