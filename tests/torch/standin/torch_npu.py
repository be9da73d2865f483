"""Stands for torch_npu on a machine without one: no card, and "hccl" is gloo without what HCCL lacks.

GODWIT_LACKS names collectives that fail, as they do on the chip: "broadcast,reduce,scatter".
"""
import os
import sys
import types

import torch
import torch.distributed as dist

npu = types.ModuleType("torch.npu")
npu.is_available = lambda: False
npu.device_count = lambda: 0
npu.current_device = lambda: 0
npu.set_device = lambda device: None
npu.manual_seed_all = npu.manual_seed = lambda seed: None
npu.synchronize = lambda device=None: None
npu.set_compile_mode = lambda jit_compile: None
sys.modules["torch.npu"] = torch.npu = npu
LACKS = frozenset(filter(None, os.environ.get("GODWIT_LACKS", "").split(",")))


class Hccl(dist.ProcessGroup):
    """Gloo below, and an error for each collective that the chip has not."""

    def __init__(self, store, rank, size, timeout):
        super().__init__(rank, size)
        self.inner = dist.ProcessGroupGloo(store, rank, size, timeout)

    def getBackendName(self):
        return "hccl"


def _hand_on(name):
    def call(self, *arguments, **options):
        if name in LACKS:
            raise RuntimeError(f"HCCL of this chip has no {name}")
        return getattr(self.inner, name)(*arguments, **options)
    return call


for _name in ("allreduce", "allgather", "broadcast", "reduce", "scatter", "barrier", "_allgather_base", "reduce_scatter",
              "send", "recv", "gather", "alltoall_base", "alltoall", "allgather_into_tensor_coalesced"):
    setattr(Hccl, _name, _hand_on(_name))
dist.Backend.register_backend("hccl", Hccl, devices=["cpu"])
