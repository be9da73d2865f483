"""torch_npu.optim: the fused optimizers step as torch's own do; what is fused there is speed."""
import torch

from godwit.standin import emulates


def fused(base: type, name: str) -> None:
    class Fused(base):
        """The optimizer of torch; `clip_grad_norm_fused_` as torch_npu adds it."""

        def clip_grad_norm_fused_(self, max_norm, norm_type=2):
            parameters = [one for group in self.param_groups for one in group["params"]]
            return torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type)

    Fused.__name__ = Fused.__qualname__ = name
    emulates(f"optim.{name}")(Fused)


for _name in ("SGD", "Adam", "AdamW", "Adadelta", "RMSprop"):
    fused(getattr(torch.optim, _name), f"NpuFused{_name}")
fused(torch.optim.RMSprop, "NpuFusedRMSpropTF")
