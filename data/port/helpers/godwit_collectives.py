"""Broadcast, reduce and scatter made of all_gather, for chips whose HCCL lacks them.

Written by `godwit port`; yours to edit. Importing it replaces the functions of torch.distributed, so
that calls of the program and of torch go through it. DistributedDataParallel also broadcasts from C++:
give it process_group=godwit_collectives.group(). A whole tensor travels from every card to every card,
which costs as many times the traffic as there are cards; at the start of a training that is little.
"""
import functools

import torch
import torch.distributed as dist
import torch.distributed.distributed_c10d as c10d

_all_gather = dist.all_gather
_broadcast, _reduce, _scatter = dist.broadcast, dist.reduce, dist.scatter
_CHUNK = 1 << 24  # elements that are gathered at a time: bounds the memory


class _Done:
    """What an asynchronous call gives back when the work is done already."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True


def _is_hccl(group):
    return "hccl" in str(dist.get_backend(group))


def _source(src, group, group_src):
    return group_src if group_src is not None else dist.get_group_rank(group or dist.group.WORLD, src or 0)


def _copy_from(tensor, source, gather, size):
    flat = tensor.detach().contiguous().view(-1)
    for piece in flat.split(_CHUNK):
        pieces = [torch.empty_like(piece) for _ in range(size)]
        gather(pieces, piece)
        piece.copy_(pieces[source])
    if flat.data_ptr() != tensor.data_ptr():
        with torch.no_grad():
            tensor.copy_(flat.view_as(tensor))


@functools.wraps(_broadcast)
def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    if not _is_hccl(group):
        return _broadcast(tensor, src, group, async_op, group_src)
    gather = lambda pieces, piece: _all_gather(pieces, piece, group=group)
    _copy_from(tensor, _source(src, group, group_src), gather, dist.get_world_size(group))
    return _Done() if async_op else None


@functools.wraps(_reduce)
def reduce(tensor, dst=None, op=dist.ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    if not _is_hccl(group):
        return _reduce(tensor, dst, op, group, async_op, group_dst)
    sums = tensor.detach().clone()
    dist.all_reduce(sums, op=op, group=group)
    if dist.get_rank(group) == _source(dst, group, group_dst):
        with torch.no_grad():
            tensor.copy_(sums)
    return _Done() if async_op else None


@functools.wraps(_scatter)
def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    if not _is_hccl(group):
        return _scatter(tensor, scatter_list, src, group, async_op, group_src)
    parts = torch.stack(scatter_list) if scatter_list else tensor.new_empty(
        dist.get_world_size(group), *tensor.shape)
    broadcast(parts, src, group, group_src=group_src)
    with torch.no_grad():
        tensor.copy_(parts[dist.get_rank(group)])
    return _Done() if async_op else None


class _Group(dist.ProcessGroup):
    """The group of all cards with a broadcast of its own; all else is handed on."""

    def __init__(self, rank, size):
        super().__init__(rank, size)
        self._all, self._rank, self._size = dist.group.WORLD, rank, size

    def getBackendName(self):
        return "godwit_hccl"

    def broadcast(self, tensors, options=None):
        tensors = list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
        source = getattr(options, "rootRank", options if isinstance(options, int) else 0)
        gather = lambda pieces, piece: self._all.allgather([pieces], [piece]).wait()
        for tensor in tensors:
            _copy_from(tensor, source, gather, self._size)
        future = torch.futures.Future()
        future.set_result(tensors)
        return torch._C._distributed_c10d._create_work_from_future(future)

    def allreduce(self, *arguments, **options):
        return self._all.allreduce(*arguments, **options)

    def allgather(self, *arguments, **options):
        return self._all.allgather(*arguments, **options)

    def barrier(self, *arguments, **options):
        return self._all.barrier(*arguments, **options)


@functools.lru_cache(maxsize=1)
def group():
    """The group to give to DistributedDataParallel, once init_process_group is done."""
    if not _is_hccl(None):
        return dist.group.WORLD
    make = lambda store, rank, size, timeout: _Group(rank, size)
    dist.Backend.register_backend("godwit_hccl", make, devices=["cpu", "npu"])
    return dist.new_group(backend="godwit_hccl")


for _name, _made in (("broadcast", broadcast), ("reduce", reduce), ("scatter", scatter)):
    setattr(dist, _name, _made)
    setattr(c10d, _name, _made)
