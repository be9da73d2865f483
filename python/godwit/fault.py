"""Faults on purpose: `--fault rank=1,step=20,kill` ends, stops or slows one rank, so that time-outs and recovery can be tried.

The program reads the text (src/emulate/fault.cc); here it happens, before an optimizer step, or in csrc/hccl/log.cc at a call.
"""
import os
import signal
import sys
import time


def arm(fault, texts: dict) -> None:
    """Prepares the fault of the profile (None: none) in this process; only the process of its rank will meet it."""
    if not fault or own_rank() not in (None, fault["rank"]):
        return
    if fault["call"]:
        import torch
        torch.ops.godwit.hccl_fault(fault["rank"], fault["call"], fault["action"], float(fault["seconds"]))
    else:
        arm_step(fault, texts)


def own_rank():
    """RANK as launchers set it; None where it is not known yet (ranks that the script itself spawns)."""
    rank = os.environ.get("RANK", "")
    return int(rank) if rank.isdigit() else None


def is_mine(fault: dict) -> bool:
    import torch.distributed as dist
    rank = dist.get_rank() if dist.is_available() and dist.is_initialized() else own_rank() or 0
    return rank == fault["rank"]


def arm_step(fault: dict, texts: dict) -> None:
    from torch.optim.optimizer import register_optimizer_step_pre_hook
    # Steps of the first optimizer count: a script with two must not run twice as fast into the fault.
    state = {"first": None, "steps": 0, "ended": None}

    def before_step(optimizer, args, kwargs):
        state["first"] = state["first"] or id(optimizer)
        if id(optimizer) != state["first"]:
            return
        state["steps"] += 1
        spent = time.monotonic() - state["ended"] if state["ended"] else 0
        if state["steps"] >= fault["step"] and is_mine(fault):
            happen(fault, state["steps"], spent, texts)
        state["ended"] = time.monotonic()

    register_optimizer_step_pre_hook(before_step)


def happen(fault: dict, step: int, spent: float, texts: dict) -> None:
    """`spent` is the time since the last step, which a factor multiplies."""
    if step == fault["step"]:
        text = texts.get("hccl_fault", "fault: rank {rank}, step {step}: {action}")
        print("godwit: " + text.format(**fault), file=sys.stderr, flush=True)
    if fault["action"] == "slow":
        time.sleep(fault["seconds"] + (fault["factor"] - 1) * spent)
        return
    if step != fault["step"]:
        return
    if fault["action"] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    while True:
        time.sleep(3600)
