"""Collectives that go wrong or cost something: overflow, limits of the chips, faults, traffic of the emulated device."""
import json
import resource
import signal
import tempfile
import unittest
from pathlib import Path

import emulated
import ranks
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def limits_of_310p(rank):
    """What each call says on the 310P; "" when it runs."""
    said = {}

    def attempt(name, call):
        try:
            call()
            said[name] = ""
        except RuntimeError as error:
            said[name] = str(error)

    x = torch.ones(4, device="npu")
    attempt("all_reduce", lambda: dist.all_reduce(x))
    attempt("all_gather", lambda: dist.all_gather([torch.empty_like(x) for _ in range(2)], x))
    attempt("barrier", dist.barrier)
    attempt("broadcast", lambda: dist.broadcast(x, 0))
    attempt("reduce", lambda: dist.reduce(x, 0))
    attempt("scatter", lambda: dist.scatter(x, [x, x] if rank == 0 else None, 0))
    attempt("int64", lambda: dist.all_reduce(torch.ones(2, dtype=torch.int64, device="npu")))
    attempt("bf16", lambda: dist.all_reduce(torch.ones(2, dtype=torch.bfloat16, device="npu")))
    attempt("int16 max", lambda: dist.all_reduce(torch.ones(2, dtype=torch.int16, device="npu"), dist.ReduceOp.MAX))
    attempt("gather", lambda: dist.gather(x, [x.clone(), x.clone()] if rank == 0 else None, 0))
    attempt("DDP", lambda: DDP(nn.Linear(2, 2).npu()))
    return said


def same_card(rank):
    torch.npu.set_device(0)  # forgotten: set_device(local_rank)
    x = torch.ones(1, device="npu")
    dist.all_reduce(x)


def loop(rank, steps):
    """A training loop with one all_reduce per step, as DDP makes them."""
    parameter = nn.Parameter(torch.ones(1000, device="npu"))
    optimizer = torch.optim.SGD([parameter], 0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        parameter.square().sum().backward()
        dist.all_reduce(parameter.grad)
        optimizer.step()
    return parameter.sum().item()


def loop_on_a_full_disk(rank, steps):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))  # no file may grow
    return loop(rank, steps)


def uneven_batches(rank):
    for _ in range(3 + rank):  # one rank has a batch more
        dist.all_reduce(torch.ones(3, device="npu"))
    return "done"


def other_order(rank):
    x = torch.ones(3, device="npu")
    if rank == 0:
        dist.all_reduce(x)
    else:
        dist.all_gather([torch.empty_like(x) for _ in range(2)], x)


def lonely_group(rank):
    if rank == 0:
        dist.new_group([0, 1])


def unwaited(rank):
    """Leaves with a call in the air that the other rank never makes."""
    if rank == 0:
        dist.all_reduce(torch.ones(3, device="npu"), async_op=True)
    return "left"


def fault(rank, action, step=0, call=0, seconds=0.0, factor=1.0):
    return {"rank": rank, "step": step, "call": call, "action": action, "seconds": seconds, "factor": factor}


# Worlds that wait for one of these wait at the same time, so that it can be long enough for a slow machine.
PATIENCE = {"HCCL_EXEC_TIMEOUT": "15", "HCCL_CONNECT_TIMEOUT": "15"}


def sums_that_overflow(rank):
    """fp16 sums past 65504 of each call that adds: the sums, and how many saturated."""
    x = torch.tensor([60000.0, -60000.0, 1.0, 3.0], device="npu").half()
    reduced, at_root, part, mean = x.clone(), x.clone(), torch.empty(2, dtype=torch.half, device="npu"), x.clone()
    dist.all_reduce(reduced)
    if torch.npu.get_device_name().endswith("310p"):
        at_root = reduced  # the chip has no Reduce
    else:
        dist.reduce(at_root, 0)
    dist.reduce_scatter_tensor(part, x)
    dist.all_reduce(mean, dist.ReduceOp.AVG)
    names, _, saturated = torch.ops.godwit.operator_calls()
    return [t.tolist() for t in (reduced, at_root, part, mean)], sum(saturated)


class Sums(unittest.TestCase):
    def outcomes(self, family, cells):
        made = ranks.run(2, sums_that_overflow, device=ranks.profile(family, numerics={"on": True, "cells": cells}))
        for outcome in made.values():
            self.assertIsNone(outcome.error, outcome.printed)
        return made

    def test_310p_saturates_and_counts(self):
        made = self.outcomes("ascend310p", emulated.CHIP_310P)
        (reduced, _, part, mean), saturated = made[0].value
        self.assertEqual(reduced, [65504, -65504, 2, 6])
        self.assertEqual(part, [65504, -65504])
        self.assertEqual(mean, [32752, -32752, 1, 3])  # the sum is stored before it is divided
        self.assertEqual(saturated, 6)
        self.assertEqual(made[1].value[0][2], [2, 6])

    def test_910b_overflows_to_infinity(self):
        made = self.outcomes("ascend910b", emulated.CHIP_910B)
        (reduced, at_root, part, mean), saturated = made[0].value
        inf = float("inf")
        self.assertEqual((reduced, at_root), ([inf, -inf, 2, 6],) * 2)
        self.assertEqual((part, mean), ([inf, -inf], [inf, -inf, 1, 3]))
        self.assertEqual(saturated, 0)


class Limits(unittest.TestCase):
    def test_310p_refuses_with_name_type_chip_and_remedy(self):
        for rank, outcome in ranks.run(2, limits_of_310p, device=ranks.profile("ascend310p")).items():
            self.assertIsNone(outcome.error, outcome.printed)
            said = outcome.value
            for name in ("all_reduce", "all_gather", "barrier"):
                self.assertEqual(said[name], "", name)
            for name, words in (("broadcast", "HcclBroadcast, error code is 5"), ("reduce", "HcclReduce"),
                                ("scatter", "HcclScatter"), ("int64", "does not take i64"), ("bf16", "does not take bf16"),
                                ("int16 max", "cannot reduce i16 by max"), ("gather", "HcclBroadcast"),
                                ("DDP", "DistributedDataParallel needs it")):
                self.assertIn(words, said[name], name)
                self.assertIn("Ascend310p", said[name], name)
                self.assertIn("Remedy", said[name], name)

    def test_missing_fallback_lets_everything_pass(self):
        for outcome in ranks.run(2, limits_of_310p, device=ranks.profile("ascend310p", missing="fallback")).values():
            self.assertIsNone(outcome.error, outcome.printed)
            self.assertEqual({name: text for name, text in outcome.value.items() if text}, {})


class Faults(unittest.TestCase):
    """Worlds in which something goes wrong; all are started before the first is looked at."""
    WORLDS = {
        "one card": (same_card, (), {"device": ranks.profile("ascend310p")}),
        "killed": (loop, (6,), {"device": ranks.profile(fault=fault(1, "kill", step=3)), "environment": {}}),
        "hung": (loop, (6,), {"device": ranks.profile(fault=fault(1, "hang", step=2)), "hangs": (1,)}),
        "killed at a call": (loop, (6,), {"device": ranks.profile(fault=fault(0, "kill", call=2))}),
        "a batch more": (uneven_batches, (), {}),
        "other order": (other_order, (), {}),
        "lonely group": (lonely_group, (), {}),
        "in the air": (unwaited, (), {"environment": {}}),
    }

    @classmethod
    def setUpClass(cls):
        started = {name: ranks.start(2, function, *arguments, **{"environment": PATIENCE, **options})
                   for name, (function, arguments, options) in cls.WORLDS.items()}
        cls.outcomes = {name: world.finish() for name, world in started.items()}

    def errors(self, name):
        return [outcome.error or outcome.printed for outcome in self.outcomes[name].values()]

    def test_two_ranks_on_one_card(self):
        errors = self.errors("one card")
        self.assertTrue(any("both use npu:0" in error for error in errors), errors)

    def test_killed_rank_is_named_without_waiting_for_a_time_out(self):
        outcomes = self.outcomes["killed"]  # HCCL's own patience is half an hour
        self.assertEqual(outcomes[1].exit_code, -signal.SIGKILL)
        self.assertIn("fault: rank 1, step 3: kill", outcomes[1].printed)
        for words in ("EI0002", "107020", "rank 1 has ended"):
            self.assertIn(words, outcomes[0].error or "")

    def test_hung_rank_is_named_with_its_line(self):
        outcomes = self.outcomes["hung"]
        self.assertIsNone(outcomes[1].exit_code)
        self.assertIn("remote rank [1]", outcomes[0].error or "")
        self.assertRegex(outcomes[0].error, r"rank 1 did not come: it stands at .*hccl_faults_test\.py:\d+ ")

    def test_fault_at_a_call(self):
        outcomes = self.outcomes["killed at a call"]
        self.assertEqual(outcomes[0].exit_code, -signal.SIGKILL)
        self.assertIn("EI0002", outcomes[1].error or "")

    def test_rank_with_a_batch_more(self):
        outcomes = self.outcomes["a batch more"]
        self.assertEqual(outcomes[0].value, "done", outcomes[0].error)
        self.assertIn("EI0002", outcomes[1].error or "")

    def test_other_order_of_calls(self):
        errors = self.errors("other order")
        self.assertTrue(all("DistBackendError" in error for error in errors), errors)
        self.assertIn("rank 1 waits in all_gather #1", errors[0])

    def test_rank_that_does_not_join_a_group_is_named(self):
        error = self.errors("lonely group")[0]
        self.assertIn("EI0006", error)
        self.assertIn("ranks 1 of 2 did not come", error)

    def test_a_process_ends_although_a_call_is_in_the_air(self):
        for outcome in self.outcomes["in the air"].values():
            self.assertEqual(outcome.value, "left", outcome.error)
            self.assertIsNotNone(outcome.exit_code, "it hangs at exit")


class Traffic(unittest.TestCase):
    def test_trace_and_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "traffic.json")
            path.write_text("[]")
            slow = fault(1, "slow", step=1, seconds=0.5)
            outcomes = ranks.run(2, loop, 4, device=ranks.profile(fault=slow, traffic=str(path)))
            self.assertEqual(outcomes[0].error, None, outcomes[0].printed)
            events = json.loads(path.read_text())
        calls = [e for e in events if e["ph"] == "X"]
        self.assertEqual(sorted({e["pid"] for e in calls}), [0, 1])
        mine = [e for e in calls if e["pid"] == 0]
        self.assertEqual([e["name"] for e in mine], ["all_reduce"] * 4)
        self.assertEqual({e["args"]["bytes"] for e in mine}, {4000})
        self.assertEqual([e["args"]["sequence"] for e in mine], [1, 2, 3, 4])
        # The first call also waits for whichever process started later.
        waited = {rank: sum(e["args"]["wait_us"] for e in calls if e["pid"] == rank and e["args"]["sequence"] > 1)
                  for rank in (0, 1)}
        self.assertGreater(waited[0], 200_000)  # of three times half a second
        self.assertGreater(waited[0], waited[1])
        table = outcomes[0].printed + outcomes[1].printed
        self.assertIn("communication of 2 ranks", table)
        self.assertRegex(table, r"all_reduce +fp32 +4 +16\.0 kB")

    def test_a_trace_that_cannot_be_written_is_said_and_harms_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "traffic.json")
            path.write_text("[]\n")
            for place, function in (("/dev/full", loop), (str(path), loop_on_a_full_disk)):
                outcomes = ranks.run(2, function, 1, device=ranks.profile(traffic=place))
                for outcome in outcomes.values():
                    self.assertEqual(outcome.exit_code, 0, outcome.printed)
                    self.assertIn("was not written", outcome.printed)
            self.assertEqual(path.read_text(), "[]\n")


if __name__ == "__main__":
    unittest.main()
