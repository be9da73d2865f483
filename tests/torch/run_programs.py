"""Runs programs of several folders in this one process, so that torch is loaded once.

Usage: run_programs.py TASKS.json OUTPUT.json, also below torchrun and `godwit emulate`. TASKS is
[{"folder": …, "program": …, "runs": [["--seed", "1"], …]}, …]; the first rank writes, per task and run, what was said
and what is in predictions.txt.
"""
import atexit
import builtins
import contextlib
import gc
import io
import itertools
import json
import logging
import os
import runpy
import sys

import torch  # loaded before the modules are counted
import torch.distributed as dist

KEPT = set(sys.modules)
PRINT = builtins.print
PORTS = itertools.count(int(os.environ.get("MASTER_PORT", "0")) + 1)


def clean(folder):
    """As a new process would begin: modules of the folder before are not this one's, nor is its group."""
    beside = os.path.realpath(os.path.dirname(folder))
    for name in set(sys.modules) - KEPT:
        path = getattr(sys.modules[name], "__file__", None)
        if path and os.path.realpath(path).startswith(beside):
            del sys.modules[name]
    gc.collect()
    if dist.is_initialized():
        atexit.unregister(dist.destroy_process_group)
        dist.destroy_process_group()
    builtins.print = PRINT
    logging.disable(logging.NOTSET)
    logging.getLogger().handlers.clear()


def run(folder, program, arguments):
    os.chdir(folder)
    # Each group meets at a place of its own: what the one before left at the launcher's is not for it.
    os.environ.update(TORCHELASTIC_USE_AGENT_STORE="False", MASTER_PORT=str(next(PORTS)))
    sys.argv, sys.path[0] = [program, *arguments], folder
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        runpy.run_path(program, run_name="__main__")
    clean(folder)
    path = os.path.join(folder, "predictions.txt")
    predictions = open(path, encoding="utf-8").read().split() if os.path.exists(path) else []
    return {"said": said.getvalue(), "predictions": predictions}


torch.set_num_threads(1)
with open(sys.argv[1], encoding="utf-8") as tasks:
    tasks = json.load(tasks)
output = sys.argv[2]
answers = [[run(task["folder"], task["program"], arguments) for arguments in task["runs"]] for task in tasks]
if os.environ.get("RANK", "0") == "0":
    with open(output, "w", encoding="utf-8") as file:
        json.dump(answers, file)
