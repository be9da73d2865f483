"""Collectives and data-parallel training on the emulated device.

One world does it all, because starting ranks is what takes time; gloo on CPU tensors in the same world is the judge.
"""
import unittest

import ranks
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

TYPES = (torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.int64, torch.int16, torch.int8, torch.uint8,
         torch.bool)


def values(rank, dtype, *shape, seed=0):
    generator = torch.Generator().manual_seed(100 * seed + rank)
    return torch.randint(0, 3, shape, generator=generator).to(dtype)


def same(found, expected, what):
    assert found.device.type == "npu", f"{what}: on {found.device}"
    if not torch.equal(found.cpu(), expected):
        raise AssertionError(f"{what}: {found.cpu()} is not {expected}")


def refused(call, words):
    try:
        call()
    except RuntimeError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"not refused: {words}")


# Each check_… runs on all four ranks; `cpu` is a group of gloo over the same ranks.

def check_reductions(rank, size, cpu):
    for dtype in TYPES:
        for op in (dist.ReduceOp.SUM, dist.ReduceOp.MIN, dist.ReduceOp.MAX, dist.ReduceOp.PRODUCT):
            whole = torch.stack([values(r, dtype, 3, 5) for r in range(size)]).to(
                torch.float32 if dtype.is_floating_point else torch.int64)
            expected = {dist.ReduceOp.SUM: lambda t: t.sum(0), dist.ReduceOp.MIN: lambda t: t.amin(0),
                        dist.ReduceOp.MAX: lambda t: t.amax(0), dist.ReduceOp.PRODUCT: lambda t: t.prod(0)}[op](whole)
            x = values(rank, dtype, 3, 5).npu()
            if op == dist.ReduceOp.PRODUCT and dtype in (torch.int16, torch.bfloat16):
                refused(lambda: dist.all_reduce(x, op), "by prod on")  # as HCCL's page for the 910B says
                continue
            dist.all_reduce(x, op)
            same(x, expected.to(dtype), f"all_reduce {dtype} {op}")
            x = values(rank, dtype, 3, 5).npu()
            dist.reduce(x, 2, op)
            if rank == 2:
                same(x, expected.to(dtype), f"reduce {dtype} {op}")


def check_average(rank, size, cpu):
    x = values(rank, torch.float32, 7).npu()
    dist.all_reduce(x, dist.ReduceOp.AVG)
    same(x, torch.stack([values(r, torch.float32, 7) for r in range(size)]).sum(0) / size, "average")


def check_broadcast(rank, size, cpu):
    for dtype in TYPES:
        x = values(rank, dtype, 4, 3).npu()
        dist.broadcast(x, 1)
        same(x, values(1, dtype, 4, 3), f"broadcast {dtype}")
    x = torch.full((), float(rank)).npu()
    dist.broadcast(x, 3)
    same(x, torch.tensor(3.0), "broadcast of a scalar")


def check_gathers(rank, size, cpu):
    for dtype in TYPES:
        whole = torch.stack([values(r, dtype, 2, 3) for r in range(size)])
        x = values(rank, dtype, 2, 3).npu()
        parts = [torch.empty_like(x) for _ in range(size)]
        dist.all_gather(parts, x)
        same(torch.stack(parts), whole, f"all_gather {dtype}")
        flat = torch.empty(2 * size, 3, dtype=dtype, device="npu")
        dist.all_gather_into_tensor(flat, x)
        same(flat, whole.view(2 * size, 3), f"all_gather_into_tensor {dtype}")
    uneven = [torch.empty(r + 1, device="npu") for r in range(size)]
    dist.all_gather(uneven, torch.full((rank + 1,), float(rank), device="npu"))
    for r, part in enumerate(uneven):
        same(part, torch.full((r + 1,), float(r)), "all_gather of unequal parts")
    x = values(rank, torch.float32, 2).npu()
    parts = [torch.empty_like(x) for _ in range(size)] if rank == 1 else None
    dist.gather(x, parts, dst=1)
    if rank == 1:
        same(torch.stack(parts), torch.stack([values(r, torch.float32, 2) for r in range(size)]), "gather")


def check_scatters(rank, size, cpu):
    parts = [values(r, torch.float32, 3) for r in range(size)]
    x = torch.empty(3, device="npu")
    dist.scatter(x, [p.npu() for p in parts] if rank == 2 else None, src=2)
    same(x, parts[rank], "scatter")
    for op, divide in ((dist.ReduceOp.SUM, 1), (dist.ReduceOp.AVG, size)):
        rows = [values(r, torch.float32, size, 3) for r in range(size)]
        expected = sum(rows)[rank] / divide
        out = torch.empty(3, device="npu")
        dist.reduce_scatter_tensor(out, rows[rank].npu().view(-1), op)
        same(out, expected, f"reduce_scatter_tensor {op}")
        out = torch.empty(3, device="npu")
        dist.reduce_scatter(out, list(rows[rank].npu().unbind()), op)
        same(out, expected, f"reduce_scatter {op}")
    given = values(rank, torch.int16, size, 3).npu()
    before = given.clone()
    dist.reduce_scatter_tensor(torch.empty(3, dtype=torch.int16, device="npu"), given.view(-1))
    same(given, before.cpu(), "the input of reduce_scatter_tensor")


def check_all_to_all(rank, size, cpu):
    x = torch.arange(size * 2.0).npu() + 10 * rank
    out = torch.empty_like(x)
    dist.all_to_all_single(out, x)
    same(out, torch.cat([torch.arange(2.0) + 2 * rank + 10 * r for r in range(size)]), "all_to_all_single")
    # Rank r sends s + 1 rows to rank s, so that it gets r + 1 rows from each.
    rows = size * (size + 1) // 2
    x = torch.arange(rows * 2.0).view(rows, 2).npu() + 100 * rank
    out = torch.empty(size * (rank + 1), 2, device="npu")
    dist.all_to_all_single(out, x, [rank + 1] * size, list(range(1, size + 1)))
    start = rank * (rank + 1) // 2
    whole = [torch.arange(rows * 2.0).view(rows, 2) + 100 * r for r in range(size)]
    same(out, torch.cat([w[start:start + rank + 1] for w in whole]), "all_to_all_single with splits")
    sent = [torch.full((s + 1,), 10.0 * rank + s, device="npu") for s in range(size)]
    got = [torch.empty(rank + 1, device="npu") for _ in range(size)]
    dist.all_to_all(got, sent)
    for r, part in enumerate(got):
        same(part, torch.full((rank + 1,), 10.0 * r + rank), "all_to_all")


def check_transfers(rank, size, cpu):
    right, left = (rank + 1) % size, (rank - 1) % size
    x, y = values(rank, torch.float16, 5).npu(), torch.empty(5, dtype=torch.float16, device="npu")
    works = dist.batch_isend_irecv([dist.P2POp(dist.isend, x, right), dist.P2POp(dist.irecv, y, left)])
    for work in works:
        work.wait()
    same(y, values(left, torch.float16, 5), "batch_isend_irecv")
    if rank == 0:
        dist.send(x, 1, tag=7)
    elif rank == 1:
        dist.recv(y, 0, tag=7)
        same(y, values(0, torch.float16, 5), "recv")
    send, receive = dist.isend(x, left), dist.irecv(y, right)
    send.wait()
    receive.wait()
    same(y, values(right, torch.float16, 5), "irecv")


def check_coalesced(rank, size, cpu):
    xs = [values(rank, torch.float32, n, seed=n).npu() for n in (3, 4)]
    with dist._coalescing_manager(async_ops=True) as manager:
        for x in xs:
            dist.all_reduce(x)
    manager.wait()
    for n, x in zip((3, 4), xs):
        same(x, sum(values(r, torch.float32, n, seed=n) for r in range(size)), "coalesced all_reduce")
    outs = [torch.empty(size * n, device="npu") for n in (3, 4)]
    ins = [values(rank, torch.float32, n, seed=n).npu() for n in (3, 4)]
    with dist._coalescing_manager(async_ops=False):
        for out, x in zip(outs, ins):
            dist.all_gather_into_tensor(out, x)
    for n, out in zip((3, 4), outs):
        same(out, torch.cat([values(r, torch.float32, n, seed=n) for r in range(size)]), "coalesced all_gather")


def check_async(rank, size, cpu):
    x = torch.ones(4, device="npu")
    work = dist.all_reduce(x, async_op=True)
    doubled = work.get_future().then(lambda f: f.value()[0] * 2)
    work.wait()
    assert work.is_completed() and work.is_success()
    same(x, torch.full((4,), float(size)), "asynchronous all_reduce")
    same(doubled.wait(), torch.full((4,), 2.0 * size), "a future's then")


def check_groups(rank, size, cpu):
    halves = [dist.new_group([0, 2]), dist.new_group([1, 3])]
    x = torch.full((2,), float(rank), device="npu")
    dist.all_reduce(x, group=halves[rank % 2])
    same(x, torch.full((2,), 2.0 if rank % 2 == 0 else 4.0), "all_reduce of half the ranks")
    dist.barrier(halves[rank % 2])
    dist.barrier()


def check_objects(rank, size, cpu):
    gathered = [None] * size
    dist.all_gather_object(gathered, {"rank": rank, "text": "x" * rank})
    assert [g["rank"] for g in gathered] == list(range(size)), gathered
    box = [{"from": rank}] if rank == 0 else [None]
    dist.broadcast_object_list(box, 0)
    assert box == [{"from": 0}], box
    out = [None]
    dist.scatter_object_list(out, [f"for {r}" for r in range(size)] if rank == 0 else None, 0)
    assert out == [f"for {rank}"], out
    collected = [None] * size if rank == 3 else None
    dist.gather_object(rank * rank, collected, dst=3)
    assert rank != 3 or collected == [0, 1, 4, 9], collected


def check_refused(rank, size, cpu):
    for call, words in ((lambda: dist.all_reduce(torch.ones(4, 4, device="npu").t()[:2]), "Tensors must be contiguous"),
                        (lambda: dist.all_reduce(torch.ones(2, device="npu"), dist.ReduceOp.BXOR), "BXOR"),
                        (lambda: dist.all_reduce(torch.ones(2)), "No backend type associated with device type cpu")):
        refused(call, words)


def network(norm=nn.BatchNorm2d):
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(3, 6, 3), norm(6), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 36, 10))


def batches(rank, count=3):
    generator = torch.Generator().manual_seed(10 + rank)
    for _ in range(count):
        yield torch.randn(4, 3, 8, 8, generator=generator), torch.randint(0, 10, (4,), generator=generator)


def train(model, rank, device, accumulate=False):
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    losses = []
    for step, (x, y) in enumerate(batches(rank)):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        if accumulate and step % 2 == 0:
            with model.no_sync():
                loss.backward()
        else:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def near(found, expected, what):
    torch.testing.assert_close(torch.tensor(found), torch.tensor(expected), rtol=1e-5, atol=1e-6, msg=lambda m: f"{what}: {m}")


def check_ddp(rank, size, cpu):
    for accumulate in (False, True):
        on_npu = DDP(network().npu(), device_ids=[torch.npu.current_device()])
        on_cpu = DDP(network(), process_group=cpu)
        near(train(on_npu, rank, "npu", accumulate), train(on_cpu, rank, "cpu", accumulate), f"DDP losses {accumulate}")
        for p, q in zip(on_npu.parameters(), on_cpu.parameters()):
            near(p.tolist(), q.tolist(), "DDP weights")


def check_two_cards_per_process(rank, size, cpu):
    class Halves(nn.Module):
        def __init__(self, first, second):
            super().__init__()
            torch.manual_seed(0)
            self.a, self.b = nn.Linear(4, 8).to(first), nn.Linear(8, 2).to(second)

        def forward(self, x):
            return self.b(self.a(x).relu().to(self.b.weight.device))

    group = [dist.new_group([0, 1]), dist.new_group([2, 3])][rank // 2]
    cpu_group = [dist.new_group([0, 1], backend="gloo"), dist.new_group([2, 3], backend="gloo")][rank // 2]
    first, second = 2 * (rank % 2), 2 * (rank % 2) + 1
    results = []
    for model, g in ((DDP(Halves(f"npu:{first}", f"npu:{second}"), process_group=group), group),
                     (DDP(Halves("cpu", "cpu"), process_group=cpu_group), cpu_group)):
        x = torch.randn(5, 4, generator=torch.Generator().manual_seed(rank)).to(next(model.parameters()).device)
        model(x).square().sum().backward()
        results.append([p.grad.tolist() for p in model.parameters()])
    for found, expected in zip(*results):
        near(found, expected, "gradients over two cards per process")


def check_sync_batch_norm(rank, size, cpu):
    model = nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.BatchNorm2d(3))).npu()
    model = DDP(model, device_ids=[torch.npu.current_device()])
    whole = torch.cat([torch.randn(2, 3, 4, 4, generator=torch.Generator().manual_seed(r)) for r in range(size)])
    x = whole[2 * rank:2 * rank + 2].npu().requires_grad_()
    y = model(x)
    (y.pow(3) * (1 + rank)).sum().backward()
    judge = nn.BatchNorm2d(3)
    w = whole.clone().requires_grad_()
    expected = judge(w)
    (expected.pow(3) * torch.arange(1, size + 1).repeat_interleave(2).view(-1, 1, 1, 1)).sum().backward()
    for found, right, what in ((y, expected[2 * rank:2 * rank + 2], "output"), (x.grad, w.grad[2 * rank:2 * rank + 2], "input's gradient"),
                               (model.module[0].running_var, judge.running_var, "running variance"),
                               (model.module[0].weight.grad * size, judge.weight.grad, "weight's gradient")):
        torch.testing.assert_close(found.detach().cpu(), right.detach(), rtol=2e-4, atol=2e-4, msg=lambda m: f"{what}: {m}")


def check_sampler(rank, size, cpu):
    from torch.utils.data import DataLoader, DistributedSampler
    sampler = DistributedSampler(range(10), shuffle=True, seed=1)
    sampler.set_epoch(2)
    mine = torch.cat(list(DataLoader(range(10), batch_size=2, sampler=sampler))).npu()
    parts = [torch.empty_like(mine) for _ in range(size)]
    dist.all_gather(parts, mine)
    assert set(torch.cat(parts).tolist()) == set(range(10)), parts


def check_fsdp(rank, size, cpu):
    from torch.distributed.fsdp import fully_shard
    losses = {}
    for device in ("npu", "cpu"):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)).to(device)
        mesh = dist.device_mesh.DeviceMesh.from_group(dist.group.WORLD if device == "npu" else cpu, device)
        for layer in model:
            if isinstance(layer, nn.Linear):
                fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
        optimizer = torch.optim.AdamW(model.parameters(), 0.01)
        losses[device] = []
        for step in range(3):
            x = torch.randn(4, 8, generator=torch.Generator().manual_seed(10 * step + rank)).to(device)
            loss = model(x).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses[device].append(loss.item())
    near(losses["npu"], losses["cpu"], "fully_shard losses")


def check_zero(rank, size, cpu):
    from torch.distributed.optim import ZeroRedundancyOptimizer
    losses = {}
    for device, group in (("npu", None), ("cpu", cpu)):
        model = DDP(network(nn.Identity).to(device), process_group=group)
        optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, process_group=group, lr=0.01)
        losses[device] = []
        for x, y in batches(rank, 2):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses[device].append(loss.item())
    near(losses["npu"], losses["cpu"], "ZeroRedundancyOptimizer losses")


CHECKS = {name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")}


def run_checks(rank):
    """Runs every check; a failed one must not leave ranks in different calls, so all of them hear of it."""
    import traceback
    cpu = dist.new_group(backend="gloo")
    failures = {}
    for name, check in CHECKS.items():
        try:
            check(rank, dist.get_world_size(), cpu)
        except Exception:
            failures[name] = traceback.format_exc()
        flags = torch.tensor([name in failures], dtype=torch.uint8)
        dist.all_reduce(flags, dist.ReduceOp.MAX, group=cpu)
        if flags and name not in failures:
            failures[name] = "failed on another rank"
    return failures


class FourRanks(unittest.TestCase):
    """One test per check of the one world."""

    @classmethod
    def setUpClass(cls):
        cls.outcomes = ranks.run(4, run_checks)

    def judge(self, name):
        for rank, outcome in self.outcomes.items():
            self.assertIsNone(outcome.error, outcome.printed)
            self.assertIsNotNone(outcome.value, f"rank {rank} did not end: {outcome.printed}")
            self.assertNotIn(name, outcome.value, f"rank {rank}: {outcome.value.get(name)}")


for _name in CHECKS:
    setattr(FourRanks, f"test_{_name}", lambda self, name=_name: self.judge(name))


if __name__ == "__main__":
    unittest.main()
