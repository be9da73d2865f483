"""torch_npu.contrib.transfer_to_npu: a script that says cuda runs on npu, by the names that torch_npu replaces."""
import functools

import torch

_done = False


def moved(value):
    """"cuda:1", torch.device("cuda", 1) and lists of them, as what they are on the NPU."""
    if isinstance(value, str) and value.split(":")[0] == "cuda":
        return "npu" + value[4:]
    if isinstance(value, torch.device) and value.type == "cuda":
        return torch.device("npu", value.index) if value.index is not None else torch.device("npu")
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(moved(one) for one in value)
    if isinstance(value, dict) and type(value) is dict:
        return {moved(key): moved(one) for key, one in value.items()}
    return value


def moving(function):
    """The function, with its device arguments moved. An int counts cards and stays."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*map(moved, args), **{key: moved(value) for key, value in kwargs.items()})
    return call


DEVICE_NAMES = ("device", "device_type", "map_location")
# Functions of torch that take a device by keyword.
FACTORIES = ("tensor", "as_tensor", "arange", "linspace", "logspace", "eye", "empty", "empty_like", "empty_strided", "full",
             "full_like", "ones", "ones_like", "zeros", "zeros_like", "rand", "rand_like", "randint", "randint_like", "randn",
             "randn_like", "randperm", "range", "scalar_tensor", "tril_indices", "triu_indices", "bartlett_window",
             "blackman_window", "hamming_window", "hann_window", "kaiser_window", "load", "autocast",
             "set_default_device", "is_autocast_enabled", "get_autocast_dtype", "set_autocast_enabled", "set_autocast_dtype")
TENSOR_METHODS = ("to", "new_empty", "new_empty_strided", "new_full", "new_ones", "new_tensor", "new_zeros", "pin_memory")


def apply() -> None:
    """Once per process."""
    global _done
    if _done:
        return
    _done = True
    for name in FACTORIES:
        if hasattr(torch, name) and not isinstance(getattr(torch, name), type):
            setattr(torch, name, moving(getattr(torch, name)))
    for name in TENSOR_METHODS:
        setattr(torch.Tensor, name, moving(getattr(torch.Tensor, name)))
    torch.nn.Module.to = moving(torch.nn.Module.to)
    take_cuda_names()
    take_classes()
    if torch.distributed.is_available():
        take_distributed()


def take_cuda_names() -> None:
    """torch.cuda.X becomes torch.npu.X wherever the NPU has it; the rest of torch.cuda stays what it is."""
    for name in dir(torch.npu):
        if name.startswith("_") or not hasattr(torch.cuda, name):
            continue
        thing = getattr(torch.npu, name)
        if callable(thing):
            setattr(torch.cuda, name, moving(thing) if not isinstance(thing, type) else moved_class(thing))
    torch.cuda.is_available = torch.npu.is_available
    torch.cuda.device_count = torch.npu.device_count
    for name in ("autocast", "GradScaler", "custom_fwd", "custom_bwd"):
        setattr(torch.cuda.amp, name, getattr(torch.npu.amp, name))
    torch.Tensor.cuda, torch.nn.Module.cuda = torch.Tensor.npu, torch.nn.Module.npu
    torch.Tensor.is_cuda = property(lambda self: self.device.type == "npu")


def moved_class(base: type) -> type:
    """A class whose constructor takes cuda devices too; isinstance still holds for what the base makes."""
    class Moved(base):
        def __new__(cls, *args, **kwargs):
            return base.__new__(base, *map(moved, args), **{key: moved(value) for key, value in kwargs.items()}) \
                if base.__new__ is not object.__new__ else object.__new__(cls)

        def __init__(self, *args, **kwargs):
            super().__init__(*map(moved, args), **{key: moved(value) for key, value in kwargs.items()})
    Moved.__name__, Moved.__qualname__, Moved.__module__ = base.__name__, base.__qualname__, base.__module__
    return Moved if base.__init__ is not object.__init__ else base


def take_classes() -> None:
    """Constructors of classes that name a device type."""
    for cls in (torch.amp.autocast_mode.autocast, getattr(torch.amp, "GradScaler", None), torch.utils.data.DataLoader):
        if cls is not None:
            cls.__init__ = keyword_moving(cls.__init__)
    torch.Generator = stand_for(torch.Generator)


def stand_for(base: type) -> type:
    """Makes what `base` makes, from moved arguments; what `base` made is an instance of it."""
    class Same(type):
        def __instancecheck__(cls, one):
            return isinstance(one, base)

        def __call__(cls, *args, **kwargs):
            return base(*map(moved, args), **{key: moved(value) for key, value in kwargs.items()})
    return Same(base.__name__, (), {"__module__": base.__module__})


def keyword_moving(init):
    @functools.wraps(init)
    def call(self, *args, **kwargs):
        if args and isinstance(args[0], str):
            args = (moved(args[0]), *args[1:])
        named = {key: moved(value) if key in DEVICE_NAMES or key == "pin_memory_device" else value
                 for key, value in kwargs.items()}
        return init(self, *args, **named)
    return call


def take_distributed() -> None:
    """nccl is hccl."""
    def hccl(value):
        return value.replace("nccl", "hccl").replace("cuda", "npu") if isinstance(value, str) else value

    def with_hccl(function, place: int):
        @functools.wraps(function)
        def call(*args, **kwargs):
            args = tuple(hccl(one) if i == place else one for i, one in enumerate(args))
            if "backend" in kwargs:
                kwargs["backend"] = hccl(kwargs["backend"])
            return function(*args, **kwargs)
        return call

    dist = torch.distributed
    for name, place in (("init_process_group", 0), ("new_group", 2)):
        changed = with_hccl(getattr(dist, name), place)
        setattr(dist, name, changed)
        setattr(dist.distributed_c10d, name, changed)
    dist.is_nccl_available = lambda: True
    if hasattr(dist, "init_device_mesh"):
        dist.init_device_mesh = dist.device_mesh.init_device_mesh = moving(dist.init_device_mesh)
