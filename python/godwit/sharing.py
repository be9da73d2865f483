"""Tensors of the emulated device that a script hands to another process: refused by name, because their memory is private."""
from multiprocessing.reduction import ForkingPickler

import torch
from torch.multiprocessing import reductions

from godwit.texts import text


def install() -> None:
    """Queues, pipes and arguments of torch.multiprocessing pickle tensors by what is registered here."""
    for kind, usual in ((torch.Tensor, reductions.reduce_tensor), (torch.nn.Parameter, reductions.reduce_tensor),
                        (torch.UntypedStorage, reductions.reduce_storage)):
        ForkingPickler.register(kind, refusing(usual))


def refusing(usual):
    def reduce(shared):
        if shared.device.type == "npu":
            raise NotImplementedError(text("device.sharing"))
        return usual(shared)
    return reduce
