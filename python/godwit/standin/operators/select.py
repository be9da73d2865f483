"""Choosing: extremes, sorting, the best of boxes that overlap."""
import torch

from godwit.standin.operators import operator, wide
from godwit.standin.operators.boxes import shares


@operator("npu_max", differentiable=False)
def npu_max(self, dim, keepdim=False):
    values, indices = self.max(dim, keepdim)
    return values, indices.int()


@operator("npu_min", differentiable=False)
def npu_min(self, dim, keepdim=False):
    values, indices = self.min(dim, keepdim)
    return values, indices.int()


@operator("npu_sort_v2", differentiable=False)
def npu_sort_v2(self, dim=-1, descending=False):
    return self.sort(dim, descending).values


def keep_best(boxes, order, threshold: float, most: int) -> list:
    """Of boxes that overlap by more than the threshold the first in the order stays."""
    host = wide(boxes).cpu()
    shared = shares(host, host)
    kept: list = []
    for index in order:
        if len(kept) == most:
            break
        if all(shared[index, other] <= threshold for other in kept):
            kept.append(index)
    return kept


@operator("npu_nms_v4", differentiable=False)
def npu_nms_v4(self, scores, max_output_size, iou_threshold, scores_threshold, pad_to_max_output_size=False):
    host = wide(scores).cpu()
    order = [i for i in host.argsort(descending=True).tolist() if host[i] > float(scores_threshold)]
    kept = keep_best(self, order, float(iou_threshold), int(max_output_size))
    count = torch.tensor(len(kept), dtype=torch.int32, device=self.device)
    if pad_to_max_output_size:
        kept = kept + [0] * (int(max_output_size) - len(kept))
    return torch.tensor(kept, dtype=torch.int32, device=self.device), count


@operator("npu_nms_with_mask", differentiable=False)
def npu_nms_with_mask(input, iou_threshold):
    """Rows of corners and score, the best first."""
    kept = keep_best(input[:, :4], range(len(input)), float(iou_threshold), len(input))
    mask = torch.zeros(len(input), dtype=torch.uint8)
    mask[kept] = 1
    indices = torch.arange(len(input), dtype=torch.int32, device=input.device)
    return input.clone(), indices, mask.to(input.device)
