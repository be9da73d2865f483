"""Runs programs of several folders in this one process, so that torch is loaded once; prints their outputs as JSON.

Usage: run_programs.py '[{"folder": …, "program": …, "runs": [["--seed", "1"], …]}, …]'
"""
import contextlib
import io
import json
import logging
import os
import runpy
import sys

import torch  # loaded before the modules are counted

KEPT = set(sys.modules)


def run(folder, program, arguments):
    for name in set(sys.modules) - KEPT:
        # Of the folder before: its data.py is not this one's.
        if getattr(sys.modules[name], "__file__", None) and os.path.realpath(sys.modules[name].__file__).startswith(
                os.path.realpath(os.path.dirname(folder))):
            del sys.modules[name]
    logging.getLogger().handlers.clear()
    os.chdir(folder)
    sys.argv, sys.path[0] = [program, *arguments], folder
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        runpy.run_path(program, run_name="__main__")
    return said.getvalue()


torch.set_num_threads(1)
outputs = [[run(task["folder"], task["program"], arguments) for arguments in task["runs"]]
           for task in json.loads(sys.argv[1])]
print(json.dumps(outputs))
