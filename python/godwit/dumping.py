"""godwit.dump(model, DIR): sketches or whole tensors of what modules and operators see, written while training goes on."""
import json
import warnings
from pathlib import Path

import torch

from godwit import following
from godwit.recorder import ops
from godwit.recording import Recorder
from godwit.texts import text

PARTS = ("fwd", "bwd", "param", "grad", "optim")
LEVELS = ("sketch", "tensor")
SCOPES = ("module", "operator", "all")


class DumpError(RuntimeError):
    """The dump could not be written; the text says why and what to do."""


class dump(Recorder):
    """Takes part in the steps `steps` while it is open; one dump at a time.

    with godwit.dump(model, "dump", steps="1-3", level="sketch", parts="fwd,bwd"):
        train()

    scope     module, operator (what Python calls: aten::linear) or all
    queue     bytes that may wait to be written; beyond, training waits
    on_error  "stop": a full disk raises DumpError at the end of the step; "warn": training goes on without the dump
    sync      every file is on the disk before the index names it
    format    "godwit", or "msprobe": also DIR/step{n}/rank{n}/{dump,construct,stack}.json
    """

    def __init__(self, model, folder, steps="1-3", level="sketch", parts="fwd,bwd", scope="module", format="godwit",
                 queue=512 << 20, on_error="stop", sync=False):
        self.model = model
        self.folder = Path(folder)
        self.steps = read_steps(steps)
        self.parts = choose("parts", parts.split(",") if isinstance(parts, str) else parts, PARTS)
        self.level, = choose("level", [level], LEVELS)
        self.scope, = choose("scope", [scope], SCOPES)
        self.format, = choose("format", [format], ("godwit", "msprobe"))
        self.on_error, = choose("on_error", [on_error], ("stop", "warn"))
        self.queue, self.sync = queue, sync
        self.failed = False
        self.modules = frozenset()

    def open(self):
        self.place = self.place_in(self.folder)
        self.place.mkdir(parents=True, exist_ok=True)
        for old in self.place.glob("tensors-*.safetensors*"):
            old.unlink()
        header = {"format": "godwit-dump", "version": 1, "level": self.level, "parts": list(self.parts),
                  "scope": self.scope, "rank": self.rank, "ranks": self.ranks, "model": type(self.model).__name__,
                  "origin": {"device": following.device(), "torch": torch.__version__}}
        flags = [self.level == "tensor", self.scope != "module", "fwd" in self.parts, "bwd" in self.parts, self.sync]
        ops().dump_open(str(self.place), json.dumps(header), [int(flag) for flag in flags], self.queue)
        self.failed = False
        self.follow()

    def follow(self):
        follower = following.FOLLOWER
        follower.add(self)
        follower.name(self.model, "")
        self.names = {}  # id of a parameter → its name
        for name, parameter in unwrapped(self.model).named_parameters():
            self.names[id(parameter)] = name
        self.ops = ops()
        self.label = self.ops.name
        self.first = self.label("0")
        if self.scope != "operator" and {"fwd", "bwd"} & set(self.parts):
            wanted = frozenset(id(module) for module in self.model.modules())
            self.wanted, follower.taker = wanted, self
        self.active = False

    def close(self, raises):
        follower = following.FOLLOWER
        if follower.taker is self:
            follower.taker = None
        follower.remove(self)
        ops().dump_close()
        self.records, self.dropped, self.bytes = ops().dump_counts()
        self.check(raises)
        if self.format == "msprobe" and not self.failed:
            from godwit.msprobe import write_folders
            write_folders(self.place, self.folder, self.model)

    def check(self, raises=True):
        error = ops().dump_error()
        if not error or self.failed:
            return
        self.failed = True
        file, _, reason = error.partition(": ")
        said = text("dump.stopped", path=self.place / file, reason=reason)
        if self.on_error == "stop" and raises:
            self.stop(raises=False)
            raise DumpError(said)
        warnings.warn(said, RuntimeWarning, stacklevel=3)

    # Where things happen

    def step_begin(self, step):
        self.check()
        self.active = self.running and step in self.steps and not self.failed
        self.modules = self.wanted if self.active and following.FOLLOWER.taker is self else frozenset()
        ops().dump_step(step, self.active)
        if self.active and "param" in self.parts:
            self.take("param", unwrapped(self.model).named_parameters())
            self.take("param", unwrapped(self.model).named_buffers())

    def before_update(self, optimizer):
        if self.active and "grad" in self.parts:
            self.take("grad", ((self.names[id(p)], p.grad) for p in parameters_of(optimizer)
                               if id(p) in self.names and p.grad is not None))

    def after_update(self, optimizer):
        if self.active and "optim" in self.parts:
            self.take("optim", ((f"{self.names[id(p)]}.{key}", value) for p in parameters_of(optimizer)
                                if id(p) in self.names
                                for key, value in optimizer.state.get(p, {}).items() if isinstance(value, torch.Tensor)))

    def take(self, part, pairs):
        pairs = list(pairs)
        ops().dump_tensors(part, [self.label(name) for name, _ in pairs], [tensor for _, tensor in pairs])

    def enter(self, args, kwargs):
        """What goes into the module that begins."""
        self.ops.dump_enter()
        self.see(False, args)
        if kwargs:
            self.see(False, kwargs)

    def leave(self, result):
        """What comes out of it."""
        self.see(True, (result,) if isinstance(result, torch.Tensor) else result)

    def see(self, is_output, value):
        if type(value) is tuple and len(value) == 1 and type(value[0]) is torch.Tensor:  # nearly always
            self.ops.dump_see(is_output, self.first, value[0])
            return
        for label, tensor in following.tensors_in(value):
            self.ops.dump_see(is_output, self.label(label), tensor)


def unwrapped(model):
    for prefix in following.wrappers_of(model):
        model = getattr(model, prefix[:-1])
    return model


def parameters_of(optimizer):
    return (parameter for group in optimizer.param_groups for parameter in group["params"])


def choose(name, given, known):
    unknown = [value for value in given if value not in known]
    if unknown or not given:
        found = ", ".join(map(str, unknown)) or text("dump.nothing")
        raise ValueError(text("dump.choice", name=name, found=found, known=", ".join(known)))
    return tuple(given)


def read_steps(given):
    """The set of "1-3,10"; an int or a list of ints too. Steps count from 1."""
    if isinstance(given, int):
        return {given}
    if not isinstance(given, str):
        return set(given)
    steps = set()
    for part in given.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdigit() or (dash and not last.isdigit()) or int(first) < 1:
            raise ValueError(text("dump.steps", found=given))
        steps.update(range(int(first), int(last or first) + 1))
    return steps


def read_index(folder):
    """Header and records of DIR/rank0; a last line that was cut off is left out."""
    records = []
    with open(Path(folder) / "index.jsonl", encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                records.append(json.loads(line))
    return records[0], [record for record in records[1:] if "end" not in record]
