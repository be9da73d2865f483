"""Operators of torch_npu with a plain meaning: one small function each, run as one kernel of the chip.

`@operator("npu_swiglu")` registers a function under torch_npu and torch.ops.npu. Its body is written with torch's own operators;
those are not asked for support, the operator itself is. Its gradient is that of the body. Narrow types are widened by `wide` and
rounded once at the end, as a kernel does that computes in fp32.
"""
import functools
import importlib

import torch

from godwit import standin

FAMILIES = ("activation", "attention", "boxes", "experts", "layout", "linear", "loss", "norm", "quantize", "rotary", "rotated", "select",
            "status")
_library = None
_known: dict = {}  # operators of the profile
REGISTERED: set = set()  # names of the functions here


def operator(*names: str, differentiable: bool = True):
    """Registers the function; `differentiable=False` for operators that write into an argument, return no
    gradient, or are one operator of torch, whose gradient is torch's own."""
    def register(plain):
        for name in names:
            REGISTERED.add(name)
            standin.emulates(name)(one_kernel(name, plain, differentiable))
        return plain
    return register


def wide(tensor):
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def refuse_arguments(name: str, **given) -> None:
    """For arguments whose meaning is not emulated: they must be absent."""
    for key, value in given.items():
        if value is not None and value is not False:
            standin.refuse(f"torch_npu.{name}({key}=…)")


def one_kernel(name: str, plain, differentiable: bool):
    @functools.wraps(plain)
    def call(*args, **kwargs):
        tensors, rebuild = flatten(args, kwargs)
        check_device(name, tensors)
        needs_grad = differentiable and torch.is_grad_enabled() and any(one.requires_grad for one in tensors)
        with inside(overload_of(name), tensors):
            if not needs_grad:
                return plain(*args, **kwargs)
        return Plain.apply(name, plain, rebuild, *tensors)
    call.__module__ = "torch_npu"
    call.__qualname__ = call.__name__ = name
    return call


def check_device(name: str, tensors) -> None:
    if not any(one.device.type == "npu" for one in tensors):
        where = tensors[0].device.type.upper() if tensors else "no"
        raise NotImplementedError(f"Could not run 'npu::{name}' with arguments from the '{where}' backend.")


class inside:
    """One kernel of the chip: asked for once, whatever it is made of. Autocast casts no part of it."""

    def __init__(self, name: str, tensors):
        values = [one for one in tensors if one.is_floating_point()] or tensors
        self.name, self.type = name, values[0].dtype if values else None
        self.uncast = torch.autocast("npu", enabled=False)

    def __enter__(self):
        torch.ops.godwit.enter_one(self.name, self.type)
        self.uncast.__enter__()

    def __exit__(self, *exception):
        self.uncast.__exit__(*exception)
        torch.ops.godwit.leave_one()


def flatten(args, kwargs):
    """The tensors of a call, and a function that puts others in their places."""
    from torch.utils._pytree import tree_flatten, tree_unflatten
    leaves, form = tree_flatten((args, kwargs))
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def rebuild(tensors):
        filled = list(leaves)
        for place, tensor in zip(places, tensors):
            filled[place] = tensor
        return tree_unflatten(filled, form)

    return [leaves[i] for i in places], rebuild


class Plain(torch.autograd.Function):
    """The body once more for the gradient: nothing but the arguments is kept."""

    @staticmethod
    def forward(ctx, name, plain, rebuild, *tensors):
        ctx.set_materialize_grads(False)
        ctx.name, ctx.plain, ctx.rebuild = name, plain, rebuild
        ctx.save_for_backward(*tensors)
        args, kwargs = rebuild(tensors)
        with quiet():
            return plain(*args, **kwargs)

    @staticmethod
    def backward(ctx, *grads):
        needed = [i - 3 for i, needs in enumerate(ctx.needs_input_grad) if needs]
        copies = [one.detach().requires_grad_(i in needed) for i, one in enumerate(ctx.saved_tensors)]
        args, kwargs = ctx.rebuild(copies)
        with inside(backward_name(ctx.name), copies), torch.enable_grad():
            results = ctx.plain(*args, **kwargs)
            results = results if isinstance(results, tuple) else (results,)
            pairs = [(one, grad) for one, grad in zip(results, grads)
                     if isinstance(one, torch.Tensor) and one.requires_grad and grad is not None]
            if not pairs:
                return (None,) * (3 + len(copies))
            found = torch.autograd.grad([one for one, _ in pairs], [copies[i] for i in needed], [grad for _, grad in pairs],
                                        allow_unused=True)
        by_place = dict(zip(needed, found))
        return (None, None, None, *(by_place.get(i) for i in range(len(copies))))


class quiet:
    """Inside of a kernel that was asked for already."""

    def __enter__(self):
        torch.ops.godwit.enter_quiet()

    def __exit__(self, *exception):
        torch.ops.godwit.leave_one()


@functools.lru_cache(maxsize=None)
def overload_of(name: str) -> str:
    """The overload that the tables know: npu::npu_max.dim of npu_max."""
    full = f"npu::{name}"
    return full if full in _known else next((one for one in _known if one.startswith(full + ".")), full)


def backward_name(name: str) -> str:
    for end in ("_backward", "_grad"):
        if f"npu::{name}{end}" in _known:
            return f"npu::{name}{end}"
    return overload_of(name)


def install(profile: dict) -> None:
    """Defines the release's operators under torch.ops.npu; those without a function here refuse by name."""
    global _library, _known
    _known = profile["operators"]
    for family in FAMILIES:
        importlib.import_module(f"{__name__}.{family}")
    _library = torch.library.Library("npu", "DEF")
    for name, schema in profile["schemas"].items():
        define(name.split("::")[1], schema)


def define(name: str, schema: str) -> None:
    try:
        _library.define(schema)
    except RuntimeError:
        return  # a type of torch_npu's own
    body = standin.EMULATED.get(f"torch_npu.{name}") or standin.make_function(f"torch_npu.{name}")
    _library.impl(name, body, "CompositeImplicitAutograd")
