"""Gives this process an emulated `npu` device as a profile describes it: `godwit.emulate("ascend310p", cards=2)`."""
import ctypes
import importlib.util
import json
import os
import subprocess
import sys
import weakref

from godwit.texts import text, texts_of

_active = None  # the profile, once a device exists in this process


def emulate(soc: str = "", *, cards: int = 0, memory: str = "", missing: str = "", numerics: str = "",
            torch_npu: str = "", profile=None):
    """Activates the device and returns its profile (a dict; docs/en/emulate.md).

    soc, cards (0: those on one card of the product), memory ("24G"), missing ("error", "fallback", "warn"), numerics ("on",
    "off") and torch_npu (a release) are the options of `godwit emulate`. profile is a ready dict instead. Raises RuntimeError when torch is missing or too old, when a
    real torch_npu is there, or when another profile is already active.
    """
    if profile is None:
        profile = ask_program(soc, cards=cards, memory=memory, missing=missing, numerics=numerics, torch_npu=torch_npu)
    return activate(profile)


emulate.__module__ = "godwit"


def ask_program(soc: str, **options) -> dict:
    """The profile that `godwit emulate` computes; its message is the error's when it refuses."""
    from godwit import program
    command = [str(program()), "emulate", "--to", soc, "--profile", "--torch", import_torch().__version__]
    for name, value in options.items():
        if value:
            command += [f"--{name.replace('_', '-')}", str(value)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"{' '.join(command)} failed with {done.returncode}")
    return json.loads(done.stdout)


def activate(profile: dict) -> dict:
    """Builds and loads the extension, renames the backend and configures it. Once per process."""
    global _active
    if _active is not None:
        if _active != profile:
            raise RuntimeError(text("emulate.active"))
        return _active
    torch = import_torch()
    from godwit import build
    torch.ops.load_library(str(build.library()))
    from godwit import device
    torch.utils.rename_privateuse1_backend("npu")
    torch._register_device_module("npu", device.module(profile))
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)
    torch.nn.parameter.UninitializedTensorMixin._allowed_methods.append(torch.Tensor.npu)  # lazy modules move, as by cuda()
    configure(torch.ops.godwit, profile)
    from godwit import sharing
    sharing.install()
    torch.ops.godwit.take_composed()
    torch.ops.godwit.set_module_callback(module_callback())
    if profile.get("operators"):
        from godwit import recurrent, support
        support.configure(torch.ops.godwit, profile)
        recurrent.install()
    if profile.get("names"):
        from godwit import standin
        standin.install(profile)
    if torch.distributed.is_available():
        from godwit import hccl
        hccl.register(profile)
    if profile.get("steps"):
        from godwit import stopping
        stopping.install(profile)
    _active = profile
    return profile


def activate_from_environment() -> None:
    """What startup/sitecustomize.py calls once torch is imported below `godwit emulate`."""
    path = os.environ.get("GODWIT_EMULATE")
    if path and _active is None:
        with open(path, encoding="utf-8") as file:
            activate(json.load(file))


def active() -> dict:
    """The profile of this process, or None."""
    return _active


def import_torch():
    try:
        import torch
    except ImportError as error:
        raise RuntimeError(text("emulate.no_torch")) from error
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if version < (2, 1):
        raise RuntimeError(text("emulate.old_torch", found=torch.__version__))
    real = importlib.util.find_spec("torch_npu")
    if real is not None and "/godwit/standin/" not in (real.origin or ""):
        raise RuntimeError(text("emulate.real", path=real.origin))
    if torch._C._get_privateuse1_backend_name() not in ("privateuseone", "npu"):
        raise RuntimeError(text("emulate.backend", name=torch._C._get_privateuse1_backend_name()))
    return torch


def configure(ops, profile: dict) -> None:
    """Hands the profile to C++, property by property; first the texts that need none."""
    said = texts_of("device")
    ops.set_texts(list(said), list(said.values()))
    cards = int(profile.get("cards", 1))
    ops.set_card_count(cards)
    for card in range(cards):
        ops.memory_set_limit(card, int(profile.get("memory", 0)))
    set_numerics(ops, profile.get("numerics") or {}, profile.get("defaults") or {})
    for policy, names in (profile.get("autocast") or {}).items():
        ops.set_autocast(policy, names)


def set_numerics(ops, numerics: dict, modes: dict) -> None:
    """HF32 is a mode that a script may switch; fp16 operands are what the cube is."""
    cells = numerics.get("cells") or {}

    def cube(kind: str) -> str:
        cell = cells.get(f"{kind}.fp32_input", "fp32")
        return "fp32" if cell == "hf32" and not modes.get(f"allow_hf32_{kind}", True) else cell

    ops.set_numerics(bool(numerics.get("on")), cells.get("overflow") == "saturate", cube("matmul"), cube("conv"),
                     cells.get("hf32.tie", "nearest_even") == "nearest_even")


# The path of the module that runs on this thread, found by walking frames.

_names_under = weakref.WeakKeyDictionary()  # outermost module -> id of a module in it -> its path

def module_path() -> str:
    """"layer4.1.conv2" of the innermost torch module among this thread's frames; empty outside of modules."""
    torch = sys.modules["torch"]
    inner = outer = None
    frame = sys._getframe(1)
    while frame is not None:
        this = frame.f_locals.get("self") if frame.f_code.co_name == "_call_impl" else None
        if isinstance(this, torch.nn.Module):
            inner = inner or this
            outer = this
        frame = frame.f_back
    if inner is None:
        return ""
    names = _names_under.get(outer) or {}
    if id(inner) not in names:
        _names_under[outer] = names = {id(module): name for name, module in outer.named_modules()}
    return names.get(id(inner)) or type(inner).__name__


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)
def _write_module_path(buffer, capacity):
    text = module_path().encode()[:capacity - 1] + b"\0"
    ctypes.memmove(buffer, text, len(text))


def module_callback() -> int:
    """Address of the C function that C++ asks; taken back at exit, when frames are gone."""
    import atexit
    torch = sys.modules["torch"]
    atexit.register(lambda: torch.ops.godwit.set_module_callback(0))
    return ctypes.cast(_write_module_path, ctypes.c_void_p).value
