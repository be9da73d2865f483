"""torch_npu.profiler: the host's half of a profile. Times of the chip are not emulated, so none are recorded."""
import enum

import torch

from godwit.standin import emulates

emulates("profiler.schedule")(torch.profiler.schedule)
emulates("profiler.tensorboard_trace_handler")(torch.profiler.tensorboard_trace_handler)
emulates("profiler.ProfilerAction")(torch.profiler.ProfilerAction)


@emulates("profiler.ProfilerActivity")
class ProfilerActivity(enum.Enum):
    CPU = 0
    NPU = 1


@emulates("profiler.ProfilerLevel")
class ProfilerLevel(enum.Enum):
    Level_none = "Level_none"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


@emulates("profiler._ExperimentalConfig")
class ExperimentalConfig:
    """Chooses counters of the chip: taken, and without effect."""

    def __init__(self, **choices):
        self.choices = choices


@emulates("profiler.profile")
class profile(torch.profiler.profile):
    """torch's profiler over the host."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
                 with_stack=False, with_flops=False, with_modules=False, experimental_config=None, **others):
        super().__init__(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule, on_trace_ready=on_trace_ready,
                         record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack,
                         with_flops=with_flops, with_modules=with_modules)
