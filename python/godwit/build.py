"""Compiles the C++ extension for the installed PyTorch on first use and keeps it in the user's cache.

One object per source file, named by the content of the source, the headers and the command, so that a change compiles one file.
Ranks that start together wait for one build.
"""
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from godwit.texts import text

PARTS = ("device", "record")
SOURCES = Path(__file__).resolve().parent / "csrc"
FLAGS = ["-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wno-unused-parameter"]


class BuildError(RuntimeError):
    """The extension cannot be built here; the text says what to install or what failed."""


def cache_folder() -> Path:
    """Where built libraries live: GODWIT_CACHE, else XDG_CACHE_HOME/godwit, else ~/.cache/godwit."""
    own = os.environ.get("GODWIT_CACHE")
    return Path(own) if own else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "godwit"


def compiler() -> str:
    """CXX, else g++ or clang++. Raises BuildError naming the packages when there is none."""
    found = shutil.which(os.environ.get("CXX") or "g++") or shutil.which("clang++")
    if not found:
        raise BuildError(text("build.no_compiler"))
    return found


def library(part: str = "device") -> Path:
    """Path of an extension for the installed torch: from the wheel that carries it, from the cache, or built.

    "device" is the emulated npu; "record" traces and dumps, and goes beside a real GPU or NPU too, so it holds no backend.
    """
    import torch
    if ready := prebuilt(torch, part):
        return ready
    folder = cache_folder() / f"torch-{torch.__version__}"
    flags = [*FLAGS, *torch_flags(torch)]
    objects = {source: folder / f"{source.stem}-{key(flags, source)}.o" for source in files_of(part, "*.cc")}
    target = folder / f"godwit-{part}-{digest(sorted(path.name.encode() for path in objects.values()))}.so"
    if target.exists():
        return target
    command = [compiler(), *flags]
    make_folder(folder)
    with locked(folder / "lock"):
        if not target.exists():
            compile_all(command, {s: o for s, o in objects.items() if not o.exists()})
            link(command[0], torch, list(objects.values()), target)
            drop_old(folder, {target, *objects.values()})
    return target


def prebuilt(torch, part: str):
    """The library of the wheel godwit_torch, where it was made of these sources for this release of torch; else None."""
    spec = importlib.util.find_spec("godwit_torch")
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))) / prebuilt_name(torch, part)
    return path if path.exists() else None


def prebuilt_name(torch, part: str) -> str:
    major, minor = version(torch)
    files = [*files_of(part, "*.cc"), *files_of(part, "*.h"), *files_of(part, "*/*.*")]
    return f"{part}-{major}.{minor}-{digest(path.read_bytes() for path in files)}.so"


def torch_folder(torch) -> Path:
    """By its own path, so that one installation reached through a link is not built for twice."""
    return Path(torch.__file__).resolve().parent


def torch_flags(torch) -> list:
    root = torch_folder(torch) / "include"
    standard = "c++20" if version(torch) >= (2, 10) else "c++17"
    abi = int(torch._C._GLIBCXX_USE_CXX11_ABI)
    major, minor = version(torch)
    flags = [f"-std={standard}", f"-D_GLIBCXX_USE_CXX11_ABI={abi}", f"-DGODWIT_TORCH={100 * major + minor}"]
    if torch.distributed.is_available():
        flags += ["-DUSE_DISTRIBUTED", "-DUSE_C10D_GLOO"]
    return flags + [f"-isystem{root}", f"-isystem{root}/torch/csrc/api/include"]


def version(torch) -> tuple:
    """(2, 13) of "2.13.0+cpu"."""
    return tuple(int(part) for part in torch.__version__.split(".")[:2])


def digest(parts) -> str:
    state = hashlib.sha256()
    for part in parts:
        state.update(part)
    return state.hexdigest()[:16]


def files_of(part: str, pattern: str) -> list:
    """The parts share no file, so that a change of one leaves the other built."""
    return [path for path in sorted(SOURCES.glob(pattern)) if path.name.startswith("record") == (part == "record")]


def key(flags, source: Path) -> str:
    # x.cc may include what lies in the folder x.
    part = "record" if source.name.startswith("record") else "device"
    included = files_of(part, "*.h") + sorted((SOURCES / source.stem).glob("*.*"))
    return digest([" ".join(flags).encode(), source.read_bytes(), *(path.read_bytes() for path in included)])


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(text("build.cache", path=folder, reason=error.strerror)) from error


@contextlib.contextmanager
def locked(path: Path):
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compile_all(command, objects) -> None:
    """Compiles what is missing, as many at once as there are processors; says how far it is on stderr."""
    start = time.monotonic()
    with precompiled(command, len(objects)) as command, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = [pool.submit(compile_one, command, source, target) for source, target in objects.items()]
        for done, job in enumerate(as_completed(jobs), 1):
            job.result()
            say(text("build.progress", done=done, all=len(jobs), seconds=f"{time.monotonic() - start:.0f}"),
                last=done == len(jobs))


@contextlib.contextmanager
def precompiled(command, files: int):
    """The command that compiles many files fast: with torch's headers precompiled (g++), or through ccache for a few."""
    if files < 4 or "clang" in Path(command[0]).name:
        ccache = shutil.which("ccache")
        yield [ccache, *command] if ccache else command
        return
    with tempfile.TemporaryDirectory() as folder:
        header = Path(folder) / "precompiled.h"
        header.write_bytes((SOURCES / "precompiled.h").read_bytes())
        run([*command, "-x", "c++-header", "-o", f"{header}.gch", str(header)], text("build.compile", file="precompiled.h"))
        yield [*command, "-include", str(header)]


def compile_one(command, source: Path, target: Path) -> None:
    part = target.with_suffix(f".{os.getpid()}.part.o")
    run([*command, "-c", source.name, "-o", str(part)], text("build.compile", file=source.name))
    part.rename(target)


def link(cxx: str, torch, objects, target: Path) -> None:
    root = torch_folder(torch) / "lib"
    part = target.with_suffix(f".{os.getpid()}.part")
    libraries = ["-ltorch", "-ltorch_cpu", "-lc10"]
    run([cxx, "-shared", *map(str, objects), f"-L{root}", f"-Wl,-rpath,{root}", *libraries, "-o", str(part)],
        text("build.link"))
    part.rename(target)


def run(command, what: str) -> None:
    # Names relative to the sources: ccache then knows the file wherever the package lies.
    done = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True,
                          env={**os.environ, "CCACHE_NOHASHDIR": "1"})
    if done.returncode:
        raise BuildError(f"{what}:\n{' '.join(command)}\n{done.stderr}")


def say(line: str, last: bool) -> None:
    if sys.stderr.isatty():
        print(f"\r{line}", end="\n" if last else "", file=sys.stderr, flush=True)
    elif last:
        print(line, file=sys.stderr, flush=True)


def drop_old(folder: Path, keep, days: float = 7) -> None:
    """Removes objects and libraries that nothing has used for a week."""
    for path in folder.iterdir():
        if path.suffix in (".o", ".so", ".part") and path not in keep:
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > days * 86400:
                    path.unlink()


if __name__ == "__main__":
    print(*(library(part) for part in PARTS), sep="\n")
