"""Recurrent layers as torch_npu runs them: each as one operator of its own, where torch makes it of many.

The steps inside are torch's and are not asked for support: the layer is, and so is its gradient, which torch_npu has under a
name of its own. Without this an LSTM would be judged by a fused cell that torch_npu never calls for it.
"""
import torch
from torch.autograd.function import once_differentiable
from torch.utils._pytree import tree_flatten, tree_unflatten

GRADIENTS = {"lstm.input": "npu_lstm_backward", "lstm.data": "npu_lstm_data_backward", "lstm_cell": "npu_lstm_cell_backward",
             "gru.input": "npu_gru_backward"}
_library = None


def install() -> None:
    """Takes the layers of npu tensors over. Once per process, with the device active."""
    global _library
    _library = torch.library.Library("aten", "IMPL")
    for name, gradient in GRADIENTS.items():
        _library.impl(name, layer(name, f"npu::{gradient}"), "AutogradPrivateUse1")


def layer(name: str, gradient: str):
    base, _, overload = name.partition(".")
    steps = getattr(getattr(torch.ops.aten, base), overload or "default").decompose

    def call(*args):
        leaves, form = tree_flatten(args)
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        tensors = [leaves[i] for i in places]

        def run(given):
            filled = list(leaves)
            for place, tensor in zip(places, given):
                filled[place] = tensor
            return steps(*tree_unflatten(filled, form))

        with one(f"aten::{name}", tensors[0].dtype):
            if not (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)):
                return run(tensors)
            return Layer.apply(gradient, run, *tensors)
    return call


class one:
    """One operator of the chip: asked for here, and nothing inside is."""

    def __init__(self, name: str, dtype):
        self.name, self.dtype = name, dtype

    def __enter__(self):
        torch.ops.godwit.enter_one(self.name, self.dtype)

    def __exit__(self, *exception):
        torch.ops.godwit.leave_one()


class Layer(torch.autograd.Function):
    """Keeps the graph of the steps, and runs it as one operator when gradients come."""

    @staticmethod
    def forward(ctx, gradient, run, *tensors):
        ctx.gradient = gradient
        ctx.copies = [tensor.detach().requires_grad_(tensor.requires_grad) for tensor in tensors]
        with torch.enable_grad():
            ctx.results = run(ctx.copies)
        ctx.set_materialize_grads(False)
        return tuple(result.detach() for result in ctx.results)

    @staticmethod
    @once_differentiable
    def backward(ctx, *grads):
        pairs = [(result, grad) for result, grad in zip(ctx.results, grads) if grad is not None and result.requires_grad]
        needed = [i for i, copy in enumerate(ctx.copies) if copy.requires_grad]
        found = [None] * len(ctx.copies)
        if pairs:
            with one(ctx.gradient, ctx.copies[0].dtype):
                grads = torch.autograd.grad([result for result, _ in pairs], [ctx.copies[i] for i in needed],
                                            [grad for _, grad in pairs], retain_graph=True, allow_unused=True)
            for i, grad in zip(needed, grads):
                found[i] = grad
        return (None, None, *found)
