"""An emulated device for tests of the device itself: a profile in words, so that no table decides what they see."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "python"))

from godwit import emulate as _emulate  # noqa: E402

emulation = sys.modules["godwit.emulate"]

CHIP_310P = {"overflow": "saturate", "matmul.fp32_input": "fp16", "conv.fp32_input": "fp16", "hf32.tie": "nearest_even"}
CHIP_910B = {"overflow": "infinity", "matmul.fp32_input": "hf32", "conv.fp32_input": "hf32", "hf32.tie": "nearest_even"}

AUTOCAST = {policy: [f"aten::{name}" for name in names.split()] for policy, names in {
    "lower_precision": "addmm baddbmm bmm conv2d convolution linear matmul mm scaled_dot_product_attention",
    "fp32": "exp log pow layer_norm group_norm nll_loss mse_loss binary_cross_entropy_with_logits",
    "fp32_unless_dtype": "softmax log_softmax sum cumsum prod",
    "widest": "addcmul atan2 index_put scatter_add",
    "error": "binary_cross_entropy",
}.items()}


def profile(**changed) -> dict:
    return {"soc": {"name": "AscendTest", "family": "test"}, "cards": 4, "memory": 0, "numerics": {"on": False, "cells": {}},
            "defaults": {}, "autocast": AUTOCAST, **changed}


def activate(**changed) -> None:
    """With four cards, unlimited memory and the CPU's numerics, unless told otherwise. Once per process."""
    _emulate(profile=profile(**changed))


class numerics:
    """Switches the numbers of the chip for a block."""

    def __init__(self, cells, **modes):
        self.cells, self.modes = cells, modes

    def set(self, cells, modes):
        import torch
        emulation.set_numerics(torch.ops.godwit, {"on": bool(cells), "cells": cells}, modes)

    def __enter__(self):
        self.set(self.cells, self.modes)

    def __exit__(self, *exception):
        self.set({}, {})
