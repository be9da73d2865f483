"""Losses."""
import torch
import torch.nn.functional as F

from godwit.standin.operators import operator, wide


@operator("npu_softmax_cross_entropy_with_logits")
def npu_softmax_cross_entropy_with_logits(self, labels):
    return -(wide(labels) * F.log_softmax(wide(self), -1)).sum(-1).to(self.dtype)


@operator("npu_cross_entropy_loss")
def npu_cross_entropy_loss(input, target, weight=None, reduction="mean", ignore_index=-100, label_smoothing=0.0,
                           lse_square_scale_for_zloss=0.0, return_zloss=False):
    logits = wide(input)
    loss = F.cross_entropy(logits, target, weight, reduction=reduction, ignore_index=ignore_index,
                           label_smoothing=label_smoothing)
    sums = torch.logsumexp(logits, -1)
    squares = lse_square_scale_for_zloss * sums.square()
    extra = {"mean": squares.mean(), "sum": squares.sum(), "none": squares}[reduction]
    log_prob = F.log_softmax(logits, -1).to(input.dtype)
    return (loss + extra).to(input.dtype), log_prob.detach(), extra.detach().to(input.dtype), sums.detach()
