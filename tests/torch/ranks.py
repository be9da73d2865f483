"""Worlds of ranks for tests: processes forked after torch was imported, each with an emulated device, watched by a clock."""
import atexit
import multiprocessing
import os
import signal
import socket
import sys
import time
import tomllib
import traceback
from pathlib import Path

import emulated
import torch
import torch.distributed as dist

ROOT = Path(__file__).resolve().parent.parent.parent
TEXTS = tomllib.loads((ROOT / "data/messages/en/ui.toml").read_text(encoding="utf-8"))["emulate_text"]


def collectives(family: str) -> dict:
    """What `godwit emulate` says of the family's HCCL, read from the tables themselves."""
    found, alone = {}, False
    lines = (ROOT / "data/hccl.tsv").read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    for line in lines[1:]:
        row = dict(zip(header, line.split("\t")))
        if row["soc"] != family:
            continue
        reduce, _, exceptions = row["reduce"].partition(";")
        found[row["collective"]] = {
            "supported": row["supported"], "dtypes": list(filter(None, row["dtypes"].split("|"))),
            "reduce": list(filter(None, reduce.split("|"))), "reduce_exceptions": exceptions,
            "max_ranks": int(row["max_ranks"] or 0)}
        alone = alone or "one process per NPU" in row["restriction"]
    return {"collectives": found, "torch": {"gather": {"replaced": True}}, "one_process_per_card": alone}


def profile(family: str = "ascend910b", **changed) -> dict:
    return emulated.profile(soc={"name": family.capitalize(), "family": family}, hccl=collectives(family), texts=TEXTS,
                            **{"missing": "error", **changed})


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Outcome:
    """How a rank ended: `value` of its function, or `error` (a traceback), or the signal in `exit_code`; what it printed."""

    def __init__(self):
        self.value, self.error, self.exit_code, self.printed = None, None, None, ""


PATIENCE = 600  # seconds; only a fault of ours lets so many pass


class World:
    """Processes that share a process group, each calling function(rank, *arguments)."""

    def __init__(self, size, function, arguments, device, environment, hangs):
        context = multiprocessing.get_context("fork")
        port = free_port()
        # Nobody waits for one whose process only starts. Kept: what backs it would serve the next world otherwise.
        self.together = together = context.Barrier(size)
        self.processes, self.hangs = {}, hangs
        for rank in range(size):
            receiver, sender = context.Pipe(duplex=False)
            log = Path(f"/tmp/godwit-ranks-{os.getpid()}-{port}-{rank}")
            env = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1",
                   "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": "lo", **(environment or {})}
            process = context.Process(target=enter, args=(rank, env, device or profile(), log, sender, together, function, arguments))
            process.start()
            sender.close()
            self.processes[rank] = (process, receiver, log)

    def finish(self) -> dict:
        """The outcomes by rank. A process that does not end is killed and has no exit code; one of `hangs` once the others
        have ended."""
        deadline = time.monotonic() + PATIENCE
        return {rank: finish(*self.processes[rank], 0 if rank in self.hangs else deadline)
                for rank in sorted(self.processes, key=lambda rank: rank in self.hangs)}


def start(size, function, *arguments, device=None, environment=None, hangs=()) -> World:
    return World(size, function, arguments, device, environment, hangs)


def run(size, function, *arguments, **options) -> dict:
    return start(size, function, *arguments, **options).finish()


def finish(process, receiver, log, deadline) -> Outcome:
    outcome = Outcome()
    try:
        if receiver.poll(max(deadline - time.monotonic(), 0)):
            outcome.value, outcome.error = receiver.recv()
    except EOFError:
        pass  # killed
    process.join(max(deadline - time.monotonic(), 0))
    outcome.exit_code = process.exitcode
    if process.is_alive():
        process.kill()
        process.join()
    if log.exists():
        outcome.printed = log.read_text(encoding="utf-8", errors="replace")
        log.unlink()
    return outcome


def enter(rank, environment, device, log, sender, together, function, arguments):
    """The life of one rank; it leaves as a Python process does, so that what is printed at exit is seen."""
    atexit._clear()  # what the parent registered is not ours to run
    os.environ.update(environment)
    file = os.open(log, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
    os.dup2(file, 1)
    os.dup2(file, 2)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    torch.set_num_threads(1)
    try:
        from godwit import emulate
        emulate(profile=device)
        torch.npu.set_device(rank % device["cards"])
        together.wait()
        dist.init_process_group("hccl")
        answer = (function(rank, *arguments), None)
        if dist.is_initialized():
            dist.destroy_process_group()
    except BaseException:
        together.abort()
        answer = (None, traceback.format_exc())
    sender.send(answer)
    sender.close()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(1 if answer[1] else 0)
