"""godwit.trace(FILE): writes which operators a program calls, in the form that `godwit scan` reads."""
import json
import os
import threading
import warnings
from pathlib import Path

import torch

from godwit import following
from godwit.recorder import ops
from godwit.recording import Recorder
from godwit.texts import text

INTERVAL = 10  # seconds between writes: a program that is killed leaves what it did until then


class trace(Recorder):
    """Records from `start` (or `with`) to `stop`; `write` may be called at any time between.

    with godwit.trace("trace.jsonl"):
        loss = model(x).sum()
        loss.backward()
    """

    def __init__(self, path, model=""):
        self.path = Path(path)
        self.model = model
        self.records = 0
        self.timer = self.claimed = None
        self.shares = False  # the path, with other processes of one command

    def open(self):
        ops().trace_start()
        following.FOLLOWER.add(self)
        self.claimed = None
        self.write_later()

    def close(self, raises):
        self.timer.cancel()
        ops().trace_stop()
        following.FOLLOWER.remove(self)
        self.write()

    def root_enter(self, module, args, kwargs):
        if not self.model and following.FOLLOWER.paths.get(id(module)) in (None, ""):
            self.model = type(module).__name__

    def before_update(self, optimizer):
        ops().enter_update(ops().name(f"optimizer.{type(optimizer).__name__}"))

    def after_update(self, optimizer):
        ops().leave_update()

    def write_later(self):
        self.timer = threading.Timer(INTERVAL, self.write_again)
        self.timer.daemon = True
        self.timer.start()

    def write_again(self):
        if self.running and self.pid == os.getpid():
            try:
                self.write()
            except (RuntimeError, OSError) as error:
                warnings.warn(text("trace.failed", reason=error), RuntimeWarning)
            self.write_later()

    def write(self):
        """Writes all records so far; the file is whole at any time."""
        rank, ranks = following.rank()
        if self.shares and not ops().trace_size():
            return
        origin = {"device": following.device(), "torch": torch.__version__, "model": self.model}
        if ranks > 1:
            origin.update(rank=rank, ranks=ranks)
        header = {"format": "godwit-operator-trace", "version": 1, "origin": origin}
        self.records = ops().trace_write(str(self.place(rank, ranks)), json.dumps(header))

    def place(self, rank, ranks):
        """FILE, FILE.rank1 of several ranks, FILE-2 when another process of the same command was first."""
        name = f"{self.path.stem}.rank{rank}" if ranks > 1 else self.path.stem
        if self.claimed is None or self.claimed[0] != name:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.claimed = name, claim(self.path, name) if self.shares else self.path.with_name(name + self.path.suffix)
        return self.claimed[1]


def claim(path, name):
    for number in range(1, 1000):
        candidate = path.with_name(f"{name}{'' if number == 1 else f'-{number}'}{path.suffix}")
        try:
            candidate.open("x").close()
            return candidate
        except FileExistsError:
            continue
    raise FileExistsError(text("trace.many", path=path))


def start_from_environment():
    """What startup/sitecustomize.py calls below `godwit trace`. A process that calls no operator leaves no file."""
    recorder = trace(os.environ["GODWIT_TRACE"])
    recorder.path.parent.mkdir(parents=True, exist_ok=True)  # said before the script runs, not after hours
    if not os.access(recorder.path.parent, os.W_OK):
        raise PermissionError(text("trace.folder", path=recorder.path.parent))
    recorder.shares = True
    recorder.start()
