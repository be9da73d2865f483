"""The overflow flag as a tensor of eight numbers, as older scripts read it."""
import torch

from godwit.standin import npu
from godwit.standin.operators import operator


@operator("npu_alloc_float_status", differentiable=False)
def npu_alloc_float_status(self):
    return torch.zeros(8, dtype=torch.float32, device=self.device)


@operator("npu_get_float_status", differentiable=False)
def npu_get_float_status(self, mode=0):
    return self.fill_(1.0 if npu.get_npu_overflow_flag() else 0.0)


@operator("npu_clear_float_status", differentiable=False)
def npu_clear_float_status(self, mode=0):
    npu.clear_npu_overflow_flag()
    return self.fill_(0.0)
