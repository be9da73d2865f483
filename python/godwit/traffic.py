"""Communication of a run, counted: a table of calls, bytes and waits at exit, and a Chrome trace with one track per rank.

With `--traffic FILE` every rank adds its events to FILE when it ends; the file is whole after each of them, and whoever
completes it prints the table of all ranks. Without, rank 0 prints its own.
"""
import atexit
import contextlib
import errno
import fcntl
import json
import os
import stat
import sys
import unicodedata
import uuid
from collections import defaultdict
from dataclasses import dataclass, field

UNITS = ("B", "kB", "MB", "GB", "TB")


@dataclass
class Run:
    """What this process knows of the run; `id` is the same on all ranks, so that an old file is told from a new one."""
    texts: dict
    path: str = ""
    id: str = ""
    rank: int = 0
    size: int = 1
    written: bool = field(default=False, repr=False)


_run = None


def at_exit(profile: dict, texts: dict) -> None:
    """Prepares table and trace. Once per process."""
    global _run
    if _run is None:
        _run = Run(texts, profile.get("traffic") or "")
        atexit.register(finish)


def joined(options) -> None:
    """Called for every group: the first one tells rank, size and, through its store, the run."""
    if _run and not _run.id:
        _run.rank, _run.size = options.group_rank, options.group_size
        _run.id = options.store.compare_set("godwit/run", "", uuid.uuid4().hex).decode()


def finish() -> None:
    """Writes what was counted; a second call does nothing."""
    import torch
    totals = [line.split("\t") for line in torch.ops.godwit.hccl_totals()]
    if not totals or _run.written:
        return
    _run.written = True
    counts = [(call, type_, *map(int, numbers)) for call, type_, *numbers in totals]
    try:
        complete = append(own_events(counts)) if _run.path else None
    except OSError as error:
        # Never an exception at exit: the script itself may have ended well.
        say("hccl_trace_failed", path=_run.path, reason=error.strerror or error)
        complete = None
    if complete:
        print_all(complete)
    elif _run.rank == 0:
        print_own(counts)


def own_events(counts) -> list:
    """Events of this rank in Chrome's form; times in microseconds since the epoch, so that ranks lie side by side."""
    import torch
    groups = [line.split("\t") for line in torch.ops.godwit.hccl_groups()]
    rank = _run.rank
    events = [{"name": "process_name", "ph": "M", "pid": rank, "args": {"name": f"rank {rank}"}}]
    for number, (name, ranks) in enumerate(groups):
        events.append({"name": "thread_name", "ph": "M", "pid": rank, "tid": number,
                       "args": {"name": f"hccl {name} [{ranks}]"}})
    for line in torch.ops.godwit.hccl_records():
        call, type_, *numbers = line.split("\t")
        group, sequence, size, peer, start, end, wait = map(int, numbers)
        args = {"type": type_, "bytes": size, "sequence": sequence, "group": groups[group][0], "wait_us": wait / 1e3}
        if peer >= 0:
            args["peer"] = peer
        if not end:
            args["unfinished"] = True
        events.append({"name": call, "cat": "hccl", "ph": "X", "pid": rank, "tid": group, "ts": start / 1e3,
                       "dur": max(end - start, 0) / 1e3, "args": args})
    events.append({"name": "godwit_totals", "ph": "M", "pid": rank,
                   "args": {"run": _run.id, "ranks": _run.size, "dropped": torch.ops.godwit.hccl_dropped(),
                            "totals": [list(count) for count in counts]}})
    return events


def append(events: list):
    """Adds events to the file of the run. Returns all events when every rank has written, else None."""
    with open(_run.path, "a+") as file, lock(file):
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")  # a device may be read without end
        file.seek(0)
        known = read_events(file.read())
        runs = {e["args"]["run"] for e in known if e["name"] == "godwit_totals"}
        if runs - {_run.id}:
            known = []  # of an earlier run
        known += events
        text = "[\n" + ",\n".join(json.dumps(event) for event in known) + "\n]\n"
        replace_text(file, text)
    ranks = {e["pid"] for e in known if e["name"] == "godwit_totals"}
    return known if len(ranks) == _run.size else None


def replace_text(file, text: str) -> None:
    """The file keeps its inode, because others wait for its lock; a full disk leaves what was there before."""
    old = file.seek(0, os.SEEK_END)
    os.posix_fallocate(file.fileno(), 0, max(len(text.encode()), 1))  # fails before anything is lost
    file.seek(0)
    file.truncate(max(old, 0))
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()


def read_events(text: str) -> list:
    try:
        found = json.loads(text or "[]")
    except ValueError:
        return []  # not ours
    return found if isinstance(found, list) else []


@contextlib.contextmanager
def lock(file):
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def lateness(events: list) -> dict:
    """Seconds by which each rank arrived after the first one, over all collectives."""
    arrivals = defaultdict(dict)
    for event in events:
        if event["ph"] == "X" and event["name"] not in ("send", "recv"):
            arrivals[event["args"]["group"], event["args"]["sequence"]][event["pid"]] = event["ts"]
    late = defaultdict(float)
    for ranks in arrivals.values():
        first = min(ranks.values())
        for rank, start in ranks.items():
            late[rank] += (start - first) / 1e6
    return late


def print_all(events: list) -> None:
    late = lateness(events)
    totals = {e["pid"]: e["args"]["totals"] for e in events if e["name"] == "godwit_totals"}
    rows = [[text(key) for key in ("hccl_rank", "hccl_calls", "hccl_bytes", "hccl_took", "hccl_waited", "hccl_late")]]
    for rank in sorted(totals):
        calls, size, waited, took = (sum(total[i] for total in totals[rank]) for i in (2, 3, 4, 5))
        rows.append([str(rank), str(calls), as_size(size), f"{took / 1e9:.3f} s", f"{waited / 1e9:.3f} s",
                     f"{late[rank]:.3f} s"])
    say("hccl_table_all", ranks=len(totals), path=_run.path)
    print_table(rows)
    print_own([tuple(total) for total in totals[min(totals)]], min(totals))


def print_own(counts, rank=0) -> None:
    rows = [[text(key) for key in ("hccl_call", "hccl_type", "hccl_calls", "hccl_bytes", "hccl_took", "hccl_waited")]]
    for call, type_, calls, size, waited, took in sorted(counts, key=lambda count: -count[3]):
        rows.append([call, type_, str(calls), as_size(size), f"{took / 1e9:.3f} s", f"{waited / 1e9:.3f} s"])
    say("hccl_table_own", rank=rank)
    print_table(rows)


def print_table(rows: list) -> None:
    widths = [max(map(width, column)) for column in zip(*rows)]
    for row in rows:
        cells = (" " * (space - width(cell)) + cell for cell, space in zip(row, widths))
        print("  " + "  ".join(cells), file=sys.stderr)
    sys.stderr.flush()


def width(cell: str) -> int:
    """Columns on a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in cell)


def as_size(size: float) -> str:
    for unit in UNITS:
        if size < 1000 or unit == UNITS[-1]:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000


def text(key: str) -> str:
    return _run.texts.get(key, key)


def say(key: str, **places) -> None:
    known = _run.texts.get(key)
    print("godwit: " + (known.format(**places) if known else f"{key} {places}"), file=sys.stderr)
