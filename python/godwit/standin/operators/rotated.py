"""Boxes that are turned: the area that two of them share, and its part of their union."""
import math

import torch

from godwit.standin.operators import operator, refuse_arguments, wide


def corners(box, trans: bool) -> list:
    """Counter-clockwise, of centre, size and degrees, or (`trans`) of two corners before the turn and degrees."""
    x, y, width, height, degrees = box
    if trans:
        x, y, width, height = (x + width) / 2, (y + height) / 2, width - x, height - y
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    halves = ((-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2))
    return [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in halves]


def clipped(polygon: list, start, end) -> list:
    """What lies left of the line from start to end."""
    def side(point):
        return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])

    kept = []
    for here, there in zip(polygon, polygon[1:] + polygon[:1]):
        a, b = side(here), side(there)
        if a >= 0:
            kept.append(here)
        if (a > 0 > b) or (a < 0 < b):
            part = a / (a - b)
            kept.append((here[0] + part * (there[0] - here[0]), here[1] + part * (there[1] - here[1])))
    return kept


def area(polygon: list) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, polygon[1:] + polygon[:1]))) / 2


def shared_area(one: list, other: list) -> float:
    for start, end in zip(other, other[1:] + other[:1]):
        one = clipped(one, start, end)
    return area(one)


def pairs(boxes, others, trans: bool, is_cross: bool):
    """[B, N, 5] with [B, K, 5]: (shared areas, areas of the first, of the second), of all pairs or one by one."""
    first, second = ([[corners(box, trans) for box in batch] for batch in wide(each).tolist()] for each in (boxes, others))
    shared = [[[shared_area(a, b) for b in (right if is_cross else [right[i]])] for i, a in enumerate(left)]
              for left, right in zip(first, second)]
    areas = [torch.tensor([[area(one) for one in batch] for batch in each]) for each in (first, second)]
    return torch.tensor(shared), areas[0].unsqueeze(-1), areas[1].unsqueeze(-2 if is_cross else -1)


@operator("npu_rotated_overlaps", differentiable=False)
def npu_rotated_overlaps(self, query_boxes, trans=False):
    return pairs(self, query_boxes, trans, True)[0].to(self)


@operator("npu_rotated_iou", differentiable=False)
def npu_rotated_iou(self, query_boxes, trans=False, mode=0, is_cross=True, v_threshold=0.0, e_threshold=0.0):
    """The thresholds loosen the chip's own tests of points and edges; here they are exact."""
    refuse_arguments("npu_rotated_iou", mode=mode or None)
    shared, first, second = pairs(self, query_boxes, trans, is_cross)
    return (shared / (first + second - shared).clamp(min=torch.finfo(torch.float32).tiny)).to(self)
