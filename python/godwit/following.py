"""Follows a PyTorch program without touching it: which module runs, where a step ends. Recorders listen here."""
import functools
import os
import weakref

import torch

from godwit.recorder import ops

# Wrappers whose children belong to the model itself: "module.layer1" of DDP is the model's "layer1".
WRAPPERS = {"DistributedDataParallel": "module.", "DataParallel": "module.", "OptimizedModule": "_orig_mod."}


class Listener:
    """What a recorder may want to know; each method does nothing unless overridden."""
    modules = ()  # ids of the modules whose tensors it takes

    def root_enter(self, module, args, kwargs):
        """A module is called that no other module calls."""

    def before_update(self, optimizer):
        """An optimizer is about to step: gradients are final."""

    def after_update(self, optimizer):
        """It has stepped."""

    def step_begin(self, step):
        """From here on things belong to this step, counted from 1."""


class Follower:
    """Patches nn.Module and listens to optimizers while anybody listens; puts all back afterwards."""

    def __init__(self):
        self.listeners = []
        self.numbers = {}  # id of a module → number of its path
        self.paths = {}  # id of a module → path
        self.prefixes = set()
        self.taker = None  # the dump: takes tensors of modules
        self.step = 0
        self.leader = None  # the optimizer whose steps are counted
        self.counts_forwards = None  # of a model in evaluation: each call is a step
        self.step_ended = True
        self.undo = []

    def add(self, listener):
        self.listeners.append(listener)
        if len(self.listeners) == 1:
            self.install()

    def remove(self, listener):
        if listener in self.listeners:
            self.listeners.remove(listener)
            if not self.listeners:
                self.uninstall()

    def install(self):
        self.step, self.leader, self.counts_forwards, self.step_ended = 0, None, None, True
        original = torch.nn.Module.__call__
        torch.nn.Module.__call__ = self.make_call(original)
        self.undo.append(lambda: setattr(torch.nn.Module, "__call__", original))
        from torch.optim import optimizer as module
        before = module.register_optimizer_step_pre_hook(self.before_update)
        after = module.register_optimizer_step_post_hook(self.after_update)
        self.undo += [before.remove, after.remove]

    def uninstall(self):
        for undo in reversed(self.undo):
            undo()
        self.undo.clear()
        self.numbers.clear()
        self.paths.clear()
        self.prefixes.clear()

    def make_call(self, original):
        enter, leave = ops().enter_module, ops().leave_module
        numbers = self.numbers
        compiling = torch.compiler.is_compiling if hasattr(torch, "compiler") else (lambda: False)

        @functools.wraps(original)
        def call(module, *args, **kwargs):
            if compiling():
                return original(module, *args, **kwargs)
            number = numbers.get(id(module))
            if number is None:
                number = self.name(module)
            is_root = enter(number)
            try:
                if is_root:
                    self.enter_root(module, args, kwargs)
                taker = self.taker
                if taker is None or id(module) not in taker.modules:
                    return original(module, *args, **kwargs)
                taker.enter(args, kwargs)
                result = original(module, *args, **kwargs)
                taker.leave(result)
                return result
            finally:
                leave()

        return call

    def name(self, root, prefix=None):
        """Numbers a module that no known module contains, and all below it; gives the root's number."""
        if id(root) in self.numbers:
            return self.numbers[id(root)]
        prefix = self.prefix_of(root) if prefix is None else prefix
        self.prefixes.add(prefix)
        for path, module in root.named_modules():
            for wrapper in wrappers_of(root):
                path = path[len(wrapper):] if path.startswith(wrapper) else "" if path == wrapper[:-1] else path
            if id(module) not in self.numbers:
                self.set_path(module, ".".join(part for part in (prefix, path) if part))
        return self.numbers[id(root)]

    def set_path(self, module, path):
        key = id(module)
        self.paths[key] = path
        self.numbers[key] = ops().name(path)
        weakref.finalize(module, self.forget, key)

    def forget(self, key):
        self.paths.pop(key, None)
        self.numbers.pop(key, None)

    def prefix_of(self, root):
        """The first model has the empty path; others, and loss functions, go by the name of their class."""
        is_model = next(root.parameters(), None) is not None
        name = "" if is_model and "" not in self.prefixes else type(root).__name__
        prefix, number = name, 1
        while prefix in self.prefixes:
            prefix, number = f"{name}_{number}", number + 1
        return prefix

    def enter_root(self, module, args, kwargs):
        if self.counts_forwards is None:
            self.counts_forwards = not module.training
        if self.counts_forwards:
            self.step_ended = True
        if self.counts_forwards or (module.training and torch.is_grad_enabled()):  # a validation belongs to the step before
            self.begin_step()
        for listener in self.listeners:
            listener.root_enter(module, args, kwargs)

    def begin_step(self):
        """A step ends where the next one begins, so that a second optimizer still belongs to it."""
        if not self.step_ended:
            return
        self.step_ended = False
        self.step += 1
        for listener in self.listeners:
            listener.step_begin(self.step)

    def before_update(self, optimizer, args, kwargs):
        if self.leader is None:
            self.leader = weakref.ref(optimizer)
            self.counts_forwards = False
        if self.step == 0 or self.leader() is optimizer:
            self.begin_step()
        for listener in self.listeners:
            listener.before_update(optimizer)

    def after_update(self, optimizer, args, kwargs):
        for listener in self.listeners:
            listener.after_update(optimizer)
        leader = self.leader and self.leader()
        if leader is optimizer or leader is None:
            self.leader = weakref.ref(optimizer)
            self.step_ended = True


FOLLOWER = Follower()


def wrappers_of(root):
    """Prefixes that wrappers around a model put before its paths, outermost first."""
    found, at = [], root
    while type(at).__name__ in WRAPPERS:
        prefix = WRAPPERS[type(at).__name__]
        at = getattr(at, prefix[:-1], None)
        if not isinstance(at, torch.nn.Module):
            break
        found.append(prefix)
    return found


def rank():
    """This process among its fellows, and how many there are."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


def device():
    """The kind of device that this program uses: "npu", "cuda" or "cpu"."""
    npu = getattr(torch, "npu", None)
    if npu is not None and npu.is_available():
        return "npu"
    return "cuda" if torch.cuda.is_available() else "cpu"


def tensors_in(value, label=""):
    """Yields (label, tensor) for the tensors in nested lists, tuples, mappings and data classes."""
    if isinstance(value, torch.Tensor):
        yield label, value
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from tensors_in(item, f"{label}.{index}" if label else str(index))
    elif hasattr(value, "items"):
        for key, item in list(value.items()):
            yield from tensors_in(item, f"{label}.{key}" if label else str(key))
    elif hasattr(value, "__dataclass_fields__"):
        for key in value.__dataclass_fields__:
            yield from tensors_in(getattr(value, key), f"{label}.{key}" if label else key)
