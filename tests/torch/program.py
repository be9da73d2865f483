"""The program godwit for tests that ask it: GODWIT_PROGRAM, else what `make build` or a preset left in build/."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))


def program() -> Path:
    named = os.environ.get("GODWIT_PROGRAM")
    places = [Path(named)] if named else [ROOT / "build" / name for name in ("godwit", "release/godwit", "fast/godwit")]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    raise FileNotFoundError(f"build the program first (make build); it is not at {', '.join(map(str, places))}")


os.environ["GODWIT_PROGRAM"] = str(program())


def godwit(*arguments: str, **options):
    """Runs the program with text output; stdout and stderr apart."""
    return subprocess.run([str(program()), *arguments], capture_output=True, text=True, timeout=300, **options)


def emulated(script: str, *options: str, to: str = "ascend310p", environment=None):
    """Runs a Python script under `godwit emulate`."""
    return godwit("emulate", "--to", to, *options, "--", sys.executable, "-c", script,
                  env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})})
