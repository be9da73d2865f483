"""godwit.baseline(DIR): what a training run was and did, step by step, so that another can be held against it."""
import collections
import errno
import hashlib
import json
import os
import platform
import random
import resource
import sys
import time
import warnings
import weakref
from pathlib import Path

import torch

from godwit import following
from godwit.dumping import dump, parameters_of, unwrapped
from godwit.recorder import ops
from godwit.recording import Recorder
from godwit.texts import text

ENVIRONMENT = ("PYTHONHASHSEED", "CUBLAS_WORKSPACE_CONFIG", "CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES",
               "NVIDIA_TF32_OVERRIDE", "HCCL_DETERMINISTIC", "LCCL_DETERMINISTIC", "INF_NAN_MODE_ENABLE",
               "OMP_NUM_THREADS", "TORCH_NPU_FALLBACK_CPU_DISABLE")
PACKAGES = ("torch", "torch_npu", "torchvision", "transformers", "deepspeed", "accelerate", "numpy")
MOST_SHAPES = 8  # of batches, that a step lists
RUNNING = []  # the baseline that godwit.metric speaks to


class baseline(Recorder):
    """Records while it is open: environment, seeds, order and hash of data, loss, learning rate, gradient norm, metrics,
    time, memory, and sketches of all layers in the steps `layers` ("" for none).

    with godwit.baseline("baseline-gpu"):
        train()
    """

    def __init__(self, folder, layers="1-3", seed=None):
        self.folder, self.layers, self.seed = Path(folder), layers, seed
        self.dump, self.model = None, None

    def open(self):
        self.place = self.place_in(self.folder)
        self.file, self.waiting, self.failed = None, [], False
        if self.seed is not None:
            seed_all(self.seed)
        self.write({"format": "godwit-baseline", "version": 1, "rank": self.rank, "ranks": self.ranks, "command": sys.argv,
                    "environment": environment()})
        self.step = Step()
        self.finished = time.perf_counter()
        following.FOLLOWER.add(self)
        self.undo = [patch_backward(self), patch_scaler(self), *patch_loader(self), patch_clip(self)]
        self.patched_metrics = False
        RUNNING.append(self)

    def close(self, raises):
        RUNNING.remove(self)
        for undo in self.undo:
            undo()
        following.FOLLOWER.remove(self)
        if self.step.number:
            self.write(self.step.document())
        self.write({"end": True, "steps": self.step.number})
        if self.file:
            self.file.close()
        if self.dump:
            self.dump.stop(raises)

    def write(self, document):
        """One line. The file appears with the first call of a model: launchers such as torchrun leave none."""
        self.waiting.append(json.dumps(document) + "\n")
        if self.model is None or self.failed:
            return
        try:
            if self.file is None:
                self.place.mkdir(parents=True, exist_ok=True)
                self.file = open(self.place / "steps.jsonl", "wb", buffering=0)
            lines = "".join(self.waiting).encode()
            if self.file.write(lines) != len(lines):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:  # training is worth more than its record
            self.failed = True
            warnings.warn(text("baseline.stopped", path=self.place / "steps.jsonl", reason=error.strerror), RuntimeWarning,
                          stacklevel=2)
        self.waiting.clear()

    # Where things happen

    def root_enter(self, module, args, kwargs):
        if following.FOLLOWER.paths[id(module)] != "":
            return  # a loss function, or a second model
        if self.model is None:
            self.first_call(module)
        if not module.training:
            return
        if not self.step.batches:
            self.step.add_inputs([tensor for _, tensor in following.tensors_in((args, kwargs))])
        self.step.calls += 1

    def first_call(self, module):
        self.model = module
        parameters = list(unwrapped(module).named_parameters())
        tensors = [parameter for _, parameter in parameters]
        dtypes = collections.Counter(str(t.dtype)[6:] for t in tensors)
        names = [[name, list(tensor.shape)] for name, tensor in parameters]
        self.write({"model": {"class": type(unwrapped(module)).__name__, "parameters": sum(t.numel() for t in tensors),
                              "structure": digest(names), "weights": hex64(ops().hash(tensors)),
                              "dtypes": dict(dtypes), "training": module.training},
                    "seeds": seeds(), "precision": precision()})
        if self.layers:
            self.dump = dump(module, self.place / "layers", steps=self.layers, parts="fwd,bwd", on_error="warn")
            self.dump.start()
            self.dump.step_begin(following.FOLLOWER.step)

    def step_begin(self, step):
        """Batches are fetched before the first module runs: they already wait in `self.step`."""
        if self.step.number:
            self.write(self.step.document())
            self.step = self.step.next
        self.step.number = step
        if not self.patched_metrics and "torch.utils.tensorboard" in sys.modules:
            self.undo.append(patch_tensorboard(self))
            self.patched_metrics = True

    def backward(self, roots):
        for root in roots:
            if isinstance(root, torch.Tensor) and root.numel() == 1:
                raw = self.step.scaled.pop(id(root), root)
                self.step.losses.append(raw.detach().clone())

    def before_update(self, optimizer):
        gradients = [p.grad for p in parameters_of(optimizer) if p.grad is not None]
        self.step.norms.append(ops().norm(gradients))
        for group in optimizer.param_groups:
            self.step.rates.append(float(group["lr"]))
        if optimizer not in SEEN:
            SEEN.add(optimizer)
            settings = {key: value for key, value in optimizer.defaults.items()
                        if isinstance(value, (int, float, str, bool, tuple, list))}
            self.write({"optimizer": {"class": type(optimizer).__name__, "settings": settings,
                                      "groups": len(optimizer.param_groups)}})

    def after_update(self, optimizer):
        now = time.perf_counter()
        self.step.seconds = now - self.finished
        self.finished = now
        self.step.memory = memory()

    def open_step(self):
        """Where a batch goes that is fetched now: behind an update it belongs to the next step."""
        return self.step.next if self.step.seconds is not None else self.step


SEEN = weakref.WeakSet()


class Step:
    """What is gathered of one step."""

    def __init__(self):
        self.number = 0
        self.losses, self.rates, self.norms, self.clipped = [], [], [], []
        self.scaled, self.metrics = {}, {}
        self.batches, self.data, self.order = 0, 0, 0
        self.shapes, self.dtypes = [], []
        self.calls = 0
        self.seconds = self.memory = self._next = None

    @property
    def next(self):
        if self._next is None:
            self._next = Step()
        return self._next

    def add_inputs(self, tensors, order=None):
        self.batches += 1
        self.data = mixed(self.data, ops().hash(tensors))
        if order is not None:
            self.order = mixed(self.order, order)
        shapes, dtypes = [list(t.shape) for t in tensors], [str(t.dtype)[6:] for t in tensors]
        if shapes not in self.shapes and len(self.shapes) < MOST_SHAPES:
            self.shapes.append(shapes)
            self.dtypes.append(dtypes)

    def document(self):
        losses = [number(float(loss)) for loss in self.losses]
        finite = [loss for loss in losses if isinstance(loss, float)]
        document = {"step": self.number, "loss": sum(finite) / len(finite) if len(finite) == len(losses) > 0 else
                    (losses[0] if len(losses) == 1 else None),
                    "losses": losses, "lr": self.rates, "grad_norm": number(sum(n * n for n in self.norms) ** 0.5)
                    if self.norms else None,
                    "grad_norm_before_clip": [number(float(n)) for n in self.clipped] or None,
                    "batches": self.batches, "data": hex64(self.data) if self.batches else None,
                    "order": hex64(self.order) if self.order else None, "shapes": self.shapes, "dtypes": self.dtypes,
                    "calls": self.calls, "ms": self.seconds and round(self.seconds * 1000, 3), "memory": self.memory,
                    "metrics": self.metrics}
        return {key: value for key, value in document.items() if value not in (None, [], {})}


def metric(name, value):
    """A number of the current step, such as the accuracy of a validation. Without a baseline nothing happens."""
    for recorder in RUNNING:
        recorder.step.metrics[str(name)] = number(float(value))


def number(value):
    """JSON has no NaN and no infinities: they become text."""
    return value if value == value and abs(value) != float("inf") else str(value)


def hex64(value):
    return f"{value & (1 << 64) - 1:016x}"


def mixed(state, value):
    return int.from_bytes(hashlib.blake2b(f"{state},{value}".encode(), digest_size=8).digest(), "little")


def digest(document):
    return hashlib.sha256(json.dumps(document, default=str).encode()).hexdigest()[:16]


def seed_all(seed):
    """The same seed for Python, numpy and torch, before the script makes anything."""
    random.seed(seed)
    torch.manual_seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % (1 << 32))


def seeds():
    """States of the random generators when the model is first called."""
    found = {"torch": torch.initial_seed(), "torch_state": hex64(ops().hash([torch.get_rng_state()])),
             "python_state": digest(random.getstate())}
    if "numpy" in sys.modules:
        kind, keys, *rest = sys.modules["numpy"].random.get_state()
        found["numpy_state"] = digest([kind, keys.tolist(), rest])
    return found


def precision():
    matmul = torch.backends.cuda.matmul
    return {"autocast": {kind: str(torch.get_autocast_dtype(kind))[6:] for kind in ("cpu", "cuda")
                         if torch.is_autocast_enabled(kind)} if hasattr(torch, "get_autocast_dtype") else {},
            "default_dtype": str(torch.get_default_dtype())[6:],
            "tf32": bool(matmul.allow_tf32), "cudnn_tf32": bool(torch.backends.cudnn.allow_tf32),
            "deterministic": torch.are_deterministic_algorithms_enabled(),
            "cudnn_benchmark": torch.backends.cudnn.benchmark,
            "matmul_precision": torch.get_float32_matmul_precision()}


def environment():
    from importlib import metadata
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    kind = following.device()
    found = {"python": platform.python_version(), "system": platform.platform(), "machine": platform.machine(),
             "packages": packages, "device": kind, "cuda": torch.version.cuda, "threads": torch.get_num_threads(),
             "variables": {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}}
    if kind != "cpu":
        found["device_name"] = getattr(torch, kind).get_device_name(0)
        found["devices"] = getattr(torch, kind).device_count()
    return found


def memory():
    """The most bytes in use so far: of the device, else of the process."""
    kind = following.device()
    if kind == "cpu":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return int(getattr(torch, kind).max_memory_allocated())


def start_from_environment():
    """What startup/sitecustomize.py calls below `godwit baseline record`."""
    asked = json.loads(os.environ["GODWIT_BASELINE"])
    baseline(asked["folder"], layers=asked.get("layers", "1-3"), seed=asked.get("seed")).start()


# Patches. Each gives the function that takes it back.


def replace(owner, name, make):
    original = getattr(owner, name)
    setattr(owner, name, make(original))
    return lambda: setattr(owner, name, original)


def patch_backward(recorder):
    def make(original):
        def backward(tensors, *args, **kwargs):
            recorder.backward([tensors] if isinstance(tensors, torch.Tensor) else tensors)
            return original(tensors, *args, **kwargs)
        return backward
    return replace(torch.autograd, "backward", make)


def patch_scaler(recorder):
    """The loss as it was before a GradScaler made it larger."""
    scaler = getattr(torch.amp, "GradScaler", None) or torch.cuda.amp.GradScaler

    def make(original):
        def scale(self, outputs):
            result = original(self, outputs)
            if isinstance(outputs, torch.Tensor):
                recorder.step.scaled[id(result)] = outputs
            return result
        return scale
    return replace(scaler, "scale", make)


def patch_clip(recorder):
    def make(original):
        def clip_grad_norm_(*args, **kwargs):
            norm = original(*args, **kwargs)
            recorder.step.clipped.append(norm.detach().clone())
            return norm
        return clip_grad_norm_
    return replace(torch.nn.utils, "clip_grad_norm_", make)


def patch_loader(recorder):
    """Batches as the loader hands them out, and the indices that its sampler chose for them."""
    from torch.utils.data.dataloader import _BaseDataLoaderIter as Iterator
    orders = weakref.WeakKeyDictionary()

    def make_next(original):
        def __next__(self):
            batch = original(self)
            waiting = orders.get(self)
            tensors = [tensor for _, tensor in following.tensors_in(batch)]
            recorder.open_step().add_inputs(tensors, waiting.popleft() if waiting else None)
            return batch
        return __next__

    def make_index(original):
        def _next_index(self):
            indices = original(self)
            orders.setdefault(self, collections.deque()).append(mixed(0, indices))
            return indices
        return _next_index

    return [replace(Iterator, "__next__", make_next), replace(Iterator, "_next_index", make_index)]


def patch_tensorboard(recorder):
    writer = sys.modules["torch.utils.tensorboard"].SummaryWriter

    def make(original):
        def add_scalar(self, tag, scalar_value, *args, **kwargs):
            metric(tag, scalar_value)
            return original(self, tag, scalar_value, *args, **kwargs)
        return add_scalar
    return replace(writer, "add_scalar", make)
