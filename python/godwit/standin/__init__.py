"""The stand-in torch_npu: modules that have the names of one release, and behind each either what is emulated or a refusal.

No file of this folder is called torch_npu. A finder makes the modules from the names of the device profile, so that a name that
the release lacks is an AttributeError here as it is there. What is emulated is registered in EMULATED by `torch_npu.…` name.
"""
import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import json
import os
import sys
import types

EMULATED: dict = {}  # "torch_npu.npu.set_device" -> the thing itself
_names: dict = {}    # of the release, with their kinds
_owners: set = set()  # names that have names below them
_release = ""
_finder = None

PARTS = ("npu", "operators", "amp", "optim", "package", "profiler")
CALLABLE = ("function", "op", "op_exposed", "op_so_schema", "native", "method")


def emulates(*names: str):
    """Registers a function or class under its names below torch_npu: `@emulates("npu.set_device")`."""
    def register(thing):
        for name in names:
            EMULATED[f"torch_npu.{name}"] = thing
        return thing
    return register


def text(key: str, **places) -> str:
    return sys.modules["torch"].ops.godwit.say(key, places)


def refuse(name: str):
    raise NotImplementedError(text("not_emulated", name=name, release=_release))


class StandInModule(types.ModuleType):
    """A module of torch_npu: looks its names up in the release, then among what is emulated."""

    def __getattr__(self, name: str):
        full = f"{self.__name__}.{name}"
        if name.startswith("__") and full not in _names and full not in EMULATED:
            raise AttributeError(name)
        kind = _names.get(table_name(full))
        if kind is None and name.startswith("_") and full in EMULATED:
            kind = "private"
        if kind is None:
            raise AttributeError(text("no_name", module=self.__name__, name=name))
        value = make(full, kind)
        setattr(self, name, value)
        return value

    def __dir__(self):
        inside = table_name(self.__name__) + "."
        return sorted({name[len(inside):].split(".")[0] for name in _names if name.startswith(inside)})


def table_name(full: str) -> str:
    """torch.npu is the module torch_npu.npu under another name."""
    return "torch_npu.npu" + full[len("torch.npu"):] if full.startswith("torch.npu") else full


def make(full: str, kind: str):
    name = table_name(full)
    if "module" in kind.split("|"):
        return sys.modules["torch_npu"] if name.endswith(".torch_npu") else importlib.import_module(name)
    if name in EMULATED:
        return EMULATED[name]
    if name.startswith("torch_npu.npu."):
        # torch_npu.npu.memory.memory_allocated is what torch.npu.memory_allocated is.
        last = name.rsplit(".", 1)[1]
        at_top = f"torch_npu.npu.{last}"
        own = vars(sys.modules["torch"].npu)
        if last in own:
            return own[last]
        if at_top in EMULATED:
            return EMULATED[at_top]
    if "class" in kind.split("|"):
        return make_class(name)
    if name not in _owners and any(one in CALLABLE for one in kind.split("|")):
        return make_function(name)
    return NotEmulated(name)


def make_function(name: str):
    def not_emulated(*args, **kwargs):
        refuse(name)
    not_emulated.__name__ = not_emulated.__qualname__ = name.rsplit(".", 1)[1]
    not_emulated.__module__ = name.rsplit(".", 1)[0]
    return not_emulated


def make_class(name: str) -> type:
    def init(self, *args, **kwargs):
        refuse(name)
    members = {"__init__": init, "__module__": name.rsplit(".", 1)[0]}
    for member, kind in _names.items():
        if member.startswith(name + ".") and member.count(".") == name.count(".") + 1:
            members[member.rsplit(".", 1)[1]] = make_function(member) if "method" in kind else NotEmulated(member)
    return type(name.rsplit(".", 1)[1], (), members)


class NotEmulated:
    """A value of torch_npu that we do not know: it can be named and passed on, not used."""

    def __init__(self, name: str):
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name: str):
        own = object.__getattribute__(self, "_name")
        if name.startswith("__"):
            raise AttributeError(name)
        if f"{own}.{name}" in _names:
            return make(f"{own}.{name}", _names[f"{own}.{name}"])
        return refuse(own)

    def __setattr__(self, name, value):
        refuse(self._name)

    def __call__(self, *args, **kwargs):
        refuse(self._name)

    def __bool__(self):
        refuse(self._name)

    def __repr__(self):
        return f"<{self._name}: not emulated>"


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds torch_npu and every module below it that the release has."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] != "torch_npu" or not is_module(name):
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=__file__, is_package=True)
        spec.submodule_search_locations = []
        return spec

    def create_module(self, spec):
        torch = importlib.import_module("torch")
        return torch.npu if spec.name == "torch_npu.npu" else StandInModule(spec.name, "Stand-in of godwit emulate.")

    def exec_module(self, module):
        if table_name(module.__name__) == "torch_npu.contrib.transfer_to_npu":
            from godwit.standin import transfer
            transfer.apply()

    def find_distributions(self, context=importlib.metadata.DistributionFinder.Context()):
        if context.name and context.name.replace("-", "_").lower() == "torch_npu":
            yield Version()


class Version(importlib.metadata.Distribution):
    """`importlib.metadata.version("torch_npu")` answers the release."""

    def read_text(self, filename):
        return f"Metadata-Version: 2.1\nName: torch_npu\nVersion: {_release}\n" if filename == "METADATA" else None

    def locate_file(self, path):
        return path


def is_module(name: str) -> bool:
    if not _names:
        read_names()
    return "module" in _names.get(name, "").split("|")


def read_names(profile: dict = None) -> None:
    """From the active profile, else from the file that GODWIT_EMULATE names: torch_npu may be imported before torch."""
    global _names, _release
    if profile is None:
        with open(os.environ["GODWIT_EMULATE"], encoding="utf-8") as file:
            profile = json.load(file)
    _names, _release = dict(profile["names"]), profile["torch_npu"]["release"]
    # A table of what was found names some things below a module and not the module.
    for name in profile["names"]:
        parent = name.rpartition(".")[0]
        while parent and parent not in _names:
            _names[parent] = "module"
            parent = parent.rpartition(".")[0]
        _owners.add(name.rpartition(".")[0])


def find_before_torch() -> None:
    global _finder
    if _finder is None:
        _finder = Finder()
        sys.meta_path.append(_finder)


def install(profile: dict) -> None:
    """Makes torch_npu importable, and torch.npu what torch_npu.npu is. Called once the device is active."""
    read_names(profile)
    find_before_torch()
    torch = sys.modules["torch"]
    for part in (*PARTS, "distributed") if torch.distributed.is_available() else PARTS:
        importlib.import_module(f"godwit.standin.{part}")
    sys.modules["godwit.standin.operators"].install(profile)
    sys.modules["godwit.standin.npu"].take_defaults(profile["defaults"])
    sys.modules["godwit.standin.package"].set_version()
    module = torch.npu
    module.__class__ = StandInModule
    for name in [name for name in vars(module) if not name.startswith("_") and f"torch_npu.npu.{name}" not in _names]:
        if name not in KEPT:
            delattr(module, name)
    for name, thing in EMULATED.items():
        where, last = name.rsplit(".", 1)
        if where == "torch_npu.npu" and (name in _names or last.startswith("_")):
            setattr(module, last, thing)
    module._godwit_profile = profile


# What the emulation adds to torch.npu.
KEPT = ("by_module", "peak_module")
