"""Godwit from Python: finds the program that this package carries."""
import os
import sysconfig
from pathlib import Path

__all__ = ["program"]


def program() -> Path:
    """Path of the godwit program that was installed with this package.

    Raises FileNotFoundError when the package was copied without its program.
    """
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    # pip install --target DIR puts the package in DIR and the program in DIR/bin.
    folders = [Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes]
    folders.append(Path(__file__).resolve().parent.parent / "bin")
    for folder in folders:
        path = folder / "godwit"
        if os.access(path, os.X_OK):
            return path
    looked = ", ".join(map(str, folders))
    raise FileNotFoundError(f"the program godwit is in none of {looked}; install the wheel again with pip")
