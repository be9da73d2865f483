#!/usr/bin/env python3
"""Packs a godwit binary and the Python package into a wheel; also the build backend that `pip install .` calls.

Usage: tools/wheel.py BINARY PLATFORM_TAG FOLDER     prints the path of the wheel
The same inputs give the same bytes.
"""
import base64
import hashlib
import re
import stat
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EPOCH = (1980, 1, 1, 0, 0, 0)


def version() -> str:
    return re.search(r"project\(godwit VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def metadata() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    readme = ROOT / project["readme"]
    description = readme.read_text(encoding="utf-8") if readme.exists() else project["description"]
    return (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version()}\n"
            f"Summary: {project['description']}\nLicense: {project['license']}\n"
            f"Requires-Python: {project['requires-python']}\n"
            f"Description-Content-Type: text/markdown\n\n{description}")


def members(binary: Path, tag: str) -> dict[str, bytes]:
    info = f"godwit-{version()}.dist-info"
    package = ROOT / "python"
    paths = sorted(path for path in (package / "godwit").rglob("*") if path.suffix in (".py", ".cc", ".h"))
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in paths}
    files[f"godwit-{version()}.data/scripts/godwit"] = binary.read_bytes()
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: godwit\nRoot-Is-Purelib: false\n"
                              f"Tag: py3-none-{tag}\n").encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    return with_record(files, info)


def with_record(files: dict[str, bytes], info: str) -> dict[str, bytes]:
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    return {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write_wheel(binary: Path, tag: str, folder: Path) -> Path:
    return write(folder / f"godwit-{version()}-py3-none-{tag}.whl", members(binary, tag))


def write(path: Path, files: dict[str, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, EPOCH)
            member.external_attr = (stat.S_IFREG | (0o755 if "/scripts/" in name else 0o644)) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return path


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None) -> str:
    """PEP 517: builds for this machine with its own compiler."""
    subprocess.run(["make", "build"], cwd=ROOT, check=True, stdout=sys.stderr)
    tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return write_wheel(ROOT / "build/godwit", tag, Path(wheel_directory)).name


def build_sdist(sdist_directory, config_settings=None) -> str:
    raise NotImplementedError("godwit is released as wheels; build from a clone of its repository")


if __name__ == "__main__":
    print(write_wheel(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
