"""DataParallel on one NPU: the interface of torch's own class, the work of one card.

Written by godwit port. torch_npu does not drive several cards from one process. Without an NPU this
is torch.nn.DataParallel itself; `godwit port --cards N` gives each card a process of its own.
"""
import torch

try:
    import torch_npu
    _is_npu = torch.npu.is_available()
except ImportError:
    _is_npu = False


def _moved(value, device):
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return type(value)((key, _moved(each, device)) for key, each in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_moved(each, device) for each in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_moved(each, device) for each in value)
    return value


class _OneCard(torch.nn.DataParallel):
    """Takes the whole batch to the first of its cards; `.module` and checkpoints are as before."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        torch.nn.Module.__init__(self)
        first = device_ids[0] if device_ids else torch.npu.current_device()
        self.src_device_obj = torch.device("npu", first) if isinstance(first, int) else torch.device(first)
        self.device_ids, self.output_device, self.dim = [first], first, dim
        self.module = module.to(self.src_device_obj)

    def forward(self, *inputs, **options):
        device = self.src_device_obj
        return self.module(*_moved(inputs, device), **_moved(options, device))


DataParallel = _OneCard if _is_npu else torch.nn.DataParallel
