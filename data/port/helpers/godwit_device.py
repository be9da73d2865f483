"""Where this program runs: the NPU when torch_npu finds one, and CUDA otherwise, as before.

Written by godwit port. Without torch_npu every name here is that of CUDA, so the program does on
CUDA and on the CPU what it did before.
"""
import os

import torch

_visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
if _visible.replace(",", "").isdigit():
    # The same cards in the same order: the NPU reads a variable of its own.
    os.environ.setdefault("ASCEND_RT_VISIBLE_DEVICES", _visible)

try:
    import torch_npu
    _is_npu = torch.npu.is_available()
except ImportError:
    _is_npu = False

type = "npu" if _is_npu else "cuda"
module = torch.npu if _is_npu else torch.cuda
backend = "hccl" if _is_npu else "nccl"
runs_cuda = not _is_npu  # kernels that are compiled for CUDA


def place(device=None):
    """A device as .cuda(device) takes it: nothing, a number, a text or a torch.device."""
    if device is None:
        return torch.device(type)
    return torch.device(type, device) if isinstance(device, int) else torch.device(device)


def is_on(tensor):
    """What .is_cuda asks, of the device in use."""
    return tensor.device.type == type
