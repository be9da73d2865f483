"""Runs first in every Python process below `godwit emulate`, `godwit trace` and `godwit baseline record`: as soon as torch is
imported, the process has the device, or somebody who watches.

The user's own sitecustomize runs too. A process that never imports torch pays for one finder.
"""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

# variable that asks for a recorder -> module that starts it
RECORDERS = {"GODWIT_TRACE": "godwit.tracing", "GODWIT_BASELINE": "godwit.baselines"}
HERE = os.path.dirname(os.path.abspath(__file__))


class AfterTorch(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands before the finder of torch, and calls `then` behind its import."""

    def __init__(self, then):
        self.then = then
        self.loader = None

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None:
            return None
        self.loader, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        self.then()


def start_all():
    """The device first, then who watches it."""
    if os.environ.get("GODWIT_EMULATE"):
        activate()
    for variable, name in RECORDERS.items():
        if os.environ.get(variable):
            record(name)


def record(name):
    from godwit.build import BuildError
    try:
        importlib.import_module(name).start_from_environment()
    except (BuildError, RuntimeError, OSError, ValueError) as error:
        sys.exit(f"godwit: {error}")


def activate():
    from godwit import emulate
    from godwit.build import BuildError
    del emulate
    try:
        sys.modules["godwit.emulate"].activate_from_environment()
    except (BuildError, RuntimeError) as error:
        sys.exit(f"godwit emulate: {error}")


def run_the_users_own():
    elsewhere = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec and spec.loader:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def start():
    emulates = bool(os.environ.get("GODWIT_EMULATE"))
    if emulates or any(os.environ.get(variable) for variable in RECORDERS):
        if "torch" in sys.modules:
            start_all()
        else:
            sys.meta_path.insert(0, AfterTorch(start_all))
            if emulates:
                from godwit import standin
                standin.find_before_torch()
    run_the_users_own()


start()
