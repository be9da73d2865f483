"""torch_npu.npu.amp: autocast and GradScaler. Where the chip saturates, overflow is a flag, not an infinity."""
import functools

import torch

from godwit.standin import emulates, npu
from godwit.standin.operators import quiet


@emulates("npu.amp.autocast", "npu.amp.autocast_mode.autocast")
class autocast(torch.amp.autocast_mode.autocast):
    """torch.autocast("npu") with fp16 by default."""

    def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
        super().__init__("npu", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


@emulates("npu.amp.custom_fwd", "npu.amp.autocast_mode.custom_fwd")
def custom_fwd(fwd=None, *, cast_inputs=None):
    if fwd is None:
        return functools.partial(custom_fwd, cast_inputs=cast_inputs)
    return torch.amp.custom_fwd(fwd, device_type="npu", cast_inputs=cast_inputs)


@emulates("npu.amp.custom_bwd", "npu.amp.autocast_mode.custom_bwd")
def custom_bwd(bwd):
    return torch.amp.custom_bwd(bwd, device_type="npu")


# torch 2.3 and newer have one scaler for every device.
Scaler = getattr(torch.amp, "GradScaler", None)
if Scaler is not None:

    @emulates("npu.amp.GradScaler", "npu.amp.grad_scaler.GradScaler")
    class GradScaler(Scaler):
        """The scaler of torch for the device. A gradient that saturated is finite: the step is skipped by the flag."""

        def __init__(self, init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True,
                     dynamic=True):
            super().__init__("npu", init_scale=init_scale, growth_factor=growth_factor, backoff_factor=backoff_factor,
                             growth_interval=growth_interval if dynamic else 2**31 - 1, enabled=enabled)

        _flag_is_clear = False

        def scale(self, outputs):
            if self._enabled and npu.saturates() and not self._flag_is_clear:
                npu.clear_npu_overflow_flag()
                self._flag_is_clear = True
            return super().scale(outputs)

        def unscale_(self, optimizer):
            with quiet():
                return super().unscale_(optimizer)

        def _unscale_grads_(self, *args, **kwargs):
            overflowed = npu.saturates() and npu.get_npu_overflow_flag()
            with quiet():
                found = super()._unscale_grads_(*args, **kwargs)
                if overflowed:
                    for tensor in found.values():
                        tensor.fill_(1.0)
            return found

        def update(self, new_scale=None):
            self._flag_is_clear = False
            with quiet():  # torch_npu does this with its own operators
                super().update(new_scale)

        @staticmethod
        def get_npu_overflow_flag() -> bool:
            return npu.get_npu_overflow_flag()

        @staticmethod
        def clear_npu_overflow_flag() -> None:
            npu.clear_npu_overflow_flag()
