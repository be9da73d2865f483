"""Mixed precision with the interface of apex.amp, on autocast and the gradient scaler of torch.

Written by godwit port. Levels O1 and O2 run the forward pass under autocast and hand out float32;
O3 makes the model half; O0 changes nothing. Each optimizer has a scaler of its own, and its step()
is skipped when a gradient is not finite, as with apex.
"""
import contextlib
import functools

import torch

_scalers = {}
_pending = set()   # optimizers with a scaled backward pass since their last step
_unscaled = set()  # those whose gradients are without the scale again


def _listed(value):
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _to_float(value):
    if torch.is_tensor(value):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, dict):
        return type(value)((key, _to_float(one)) for key, one in value.items())
    if type(value) in (list, tuple):
        return type(value)(_to_float(one) for one in value)
    return value


def _under_autocast(model, device):
    forward = model.forward

    @functools.wraps(forward)
    def run(*args, **kwargs):
        with torch.autocast(device, dtype=torch.float16):
            outputs = forward(*args, **kwargs)
        return _to_float(outputs)

    model.forward = run


def _make_scaler(device, loss_scale):
    fixed = {} if loss_scale in (None, "dynamic") else {
        "init_scale": float(loss_scale), "growth_factor": 1.0 + 1e-9, "backoff_factor": 1.0 - 1e-9}
    if hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler(device, **fixed)
    return getattr(torch, device).amp.GradScaler(**fixed)


def _guard_step(optimizer, scaler):
    plain = optimizer.step

    @functools.wraps(plain)
    def step(*args, **kwargs):
        if id(optimizer) not in _pending:
            return plain(*args, **kwargs)
        optimizer.step = plain
        try:
            return scaler.step(optimizer, *args, **kwargs)
        finally:
            optimizer.step = step
            scaler.update()
            _pending.discard(id(optimizer))
            _unscaled.discard(id(optimizer))

    optimizer.step = step


def initialize(models, optimizers=None, enabled=True, opt_level="O1", loss_scale=None, **options):
    """As apex.amp.initialize: gives back what it was given."""
    if enabled and opt_level != "O0":
        for model in _listed(models):
            device = next(model.parameters()).device.type
            if opt_level == "O3":
                model.half()
                continue
            _under_autocast(model, device)
            for optimizer in _listed(optimizers):
                if id(optimizer) in _scalers:
                    continue
                _scalers[id(optimizer)] = (optimizer, _make_scaler(device, loss_scale))
                _guard_step(optimizer, _scalers[id(optimizer)][1])
    return models if optimizers is None else (models, optimizers)


def _begin_again(optimizer, scaler):
    # A second backward pass before the step adds to gradients that are without the scale again.
    scaler.update()
    for parameter in master_params(optimizer):
        if parameter.grad is not None:
            parameter.grad.mul_(scaler.get_scale())
    _unscaled.discard(id(optimizer))


@contextlib.contextmanager
def scale_loss(loss, optimizers, *unused, **options):
    """Gives the scaled loss; behind the block the gradients are without the scale again."""
    optimizer, = _listed(optimizers)
    if id(optimizer) not in _scalers:
        yield loss
        return
    scaler = _scalers[id(optimizer)][1]
    if id(optimizer) in _unscaled:
        _begin_again(optimizer, scaler)
    _pending.add(id(optimizer))
    yield scaler.scale(loss)
    if not options.get("delay_unscale", False):
        scaler.unscale_(optimizer)
        _unscaled.add(id(optimizer))


def master_params(optimizer):
    """The parameters of an optimizer, which are float32 here."""
    for group in optimizer.param_groups:
        yield from group["params"]


def state_dict():
    return {"loss_scaler%d" % i: scaler.state_dict()
            for i, (_, scaler) in enumerate(_scalers.values())}


def load_state_dict(state):
    """Also reads what apex wrote: of that only the scale is kept."""
    for i, (_, scaler) in enumerate(_scalers.values()):
        saved = state.get("loss_scaler%d" % i, {})
        if "scale" in saved:
            scaler.load_state_dict(saved)
        elif "loss_scale" in saved:
            own = scaler.state_dict()
            own["scale"] = float(saved["loss_scale"])
            scaler.load_state_dict(own)
