"""Names of torch_npu itself that are no operators: version, formats, storage."""
import enum

import torch

from godwit import standin
from godwit.standin import emulates

ND = 2


@emulates("Format", "npu.Format")
class Format(enum.IntEnum):
    UNDEFINED = -1
    NCHW = 0
    NHWC = 1
    ND = 2
    NC1HWC0 = 3
    FRACTAL_Z = 4
    NC1HWC0_C04 = 12
    HWCN = 16
    NDHWC = 27
    FRACTAL_NZ = 29
    NCDHW = 30
    NDC1HWC0 = 32
    FRACTAL_Z_3D = 33


@emulates("get_npu_format", "op_plugin.get_npu_format")
def get_npu_format(tensor) -> int:
    """Every tensor of the emulation is ND: a format is a layout in memory, and no result depends on it."""
    return ND


@emulates("get_storage_size")
def get_storage_size(tensor) -> int:
    return tensor.untyped_storage().nbytes() // tensor.element_size()


@emulates("empty_with_format", "unsafe_empty_with_format")
def empty_with_format(size, dtype=None, layout=None, device="npu", pin_memory=None, acl_format=ND, **kwargs):
    return torch.empty(size, dtype=dtype, device=device or "npu")


@emulates("copy_memory_")
def copy_memory_(self, src, non_blocking=False):
    return self.copy_(src)


@emulates("distributed.is_available", "distributed.is_hccl_available", "distributed.distributed_c10d.is_hccl_available")
def is_hccl_available() -> bool:
    return torch.distributed.is_available()


def set_version() -> None:
    standin.EMULATED["torch_npu.__version__"] = standin._release
    standin.EMULATED["torch_npu.version.__version__"] = standin._release
