"""Godwit from Python: the program that this package carries, and what hooks into PyTorch. Importing it imports no torch."""
import importlib
import os
import shutil
import sysconfig
from pathlib import Path

# name -> module of this package; imported when first asked for
_LAZY = {"emulate": "emulate", "trace": "tracing", "dump": "dumping", "baseline": "baselines", "metric": "baselines"}

__all__ = ["program", *_LAZY]


def __getattr__(name: str):
    if name not in _LAZY:
        raise AttributeError(f"module 'godwit' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"godwit.{_LAZY[name]}"), name)
    globals()[name] = value
    return value


def program() -> Path:
    """Path of the godwit program: GODWIT_PROGRAM, else the one installed with this package, else that of PATH.

    Raises FileNotFoundError when there is none.
    """
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    # pip install --target DIR puts the package in DIR and the program in DIR/bin.
    folders = [Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes]
    folders.append(Path(__file__).resolve().parent.parent / "bin")
    named = os.environ.get("GODWIT_PROGRAM")
    candidates = [Path(named)] if named else [folder / "godwit" for folder in folders]
    for path in candidates:
        if os.access(path, os.X_OK):
            return path
    if not named and (found := shutil.which("godwit")):
        return Path(found)
    looked = ", ".join(map(str, candidates))
    from godwit.texts import text
    raise FileNotFoundError(text("program.missing", looked=looked))
