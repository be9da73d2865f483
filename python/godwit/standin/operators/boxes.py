"""Boxes of detectors: overlaps, the encoding of offsets, and pooling of regions."""
import math

import torch

from godwit import standin
from godwit.standin.operators import operator, refuse_arguments, wide

TINY = torch.finfo(torch.float32).tiny


def overlaps(boxes, others):
    """(shared area of all pairs, areas of the first, of the second); rows of corners in any order of the axes."""
    low, high = boxes[:, None, :2].maximum(others[:, :2]), boxes[:, None, 2:].minimum(others[:, 2:])
    return (high - low).clamp(min=0).prod(-1), area(boxes)[:, None], area(others)


def area(boxes):
    return (boxes[:, 2:] - boxes[:, :2]).clamp(min=0).prod(-1)


def shares(boxes, others):
    """Intersection over union of all pairs."""
    shared, first, second = overlaps(boxes, others)
    return shared / (first + second - shared).clamp(min=TINY)


@operator("npu_iou", "npu_ptiou", differentiable=False)
def npu_iou(bboxes, gtboxes, mode=0):
    """One row per box of the truth. Mode 1 is over the foreground: the area of the truth."""
    truth = wide(gtboxes)
    if mode == 0:
        return shares(truth, wide(bboxes)).to(bboxes.dtype)
    shared, foreground, _ = overlaps(truth, wide(bboxes))
    return (shared / foreground.clamp(min=TINY)).to(bboxes.dtype)


class Pairs:
    """Two sets of boxes [4, n], box by box or (`is_cross`) each of the truth with each other: what the measures are made of."""

    def __init__(self, boxes, truth, trans: bool, is_cross: bool):
        boxes, truth = wide(boxes), wide(truth)
        if is_cross:
            truth = truth[:, :, None]
        self.left, self.top, self.right, self.bottom = self.corners(boxes, trans)
        self.other = self.corners(truth, trans)
        left, top, right, bottom = self.other
        width = (self.right.minimum(right) - self.left.maximum(left)).clamp(min=0)
        height = (self.bottom.minimum(bottom) - self.top.maximum(top)).clamp(min=0)
        self.size = self.right - self.left, self.bottom - self.top
        self.other_size = right - left, bottom - top
        shared = width * height
        self.union = (self.size[0] * self.size[1] + self.other_size[0] * self.other_size[1] - shared).clamp(min=TINY)
        self.iou = shared / self.union
        self.hull = self.right.maximum(right) - self.left.minimum(left), self.bottom.maximum(bottom) - self.top.minimum(top)

    @staticmethod
    def corners(boxes, trans):
        """`trans`: the rows are centre and size."""
        if not trans:
            return tuple(boxes)
        x, y, width, height = boxes
        return x - width / 2, y - height / 2, x + width / 2, y + height / 2

    def distance(self):
        """Of the centres, in diagonals of the hull, squared."""
        left, top, right, bottom = self.other
        x, y = (self.left + self.right - left - right) / 2, (self.top + self.bottom - top - bottom) / 2
        return (x * x + y * y) / (self.hull[0] ** 2 + self.hull[1] ** 2).clamp(min=TINY)

    def shape(self):
        """How much the ratios of width and height differ, weighted."""
        angle = torch.atan(self.other_size[0] / self.other_size[1]) - torch.atan(self.size[0] / self.size[1])
        v = 4 / math.pi**2 * angle**2
        with torch.no_grad():
            alpha = v / (1 - self.iou + v).clamp(min=TINY)
        return alpha * v


def refuse_mode(name: str, mode: int) -> None:
    if mode:
        standin.refuse(f"torch_npu.{name}(mode={mode})")


@operator("npu_giou")
def npu_giou(self, gtboxes, trans=False, is_cross=False, mode=0):
    """Rows of boxes, unlike its siblings: [n, 4] gives [n, 1]."""
    refuse_mode("npu_giou", mode)
    refuse_arguments("npu_giou", is_cross=is_cross)
    pairs = Pairs(self.T, gtboxes.T, trans, is_cross)
    hull = (pairs.hull[0] * pairs.hull[1]).clamp(min=TINY)
    return (pairs.iou - (hull - pairs.union) / hull).to(self.dtype).unsqueeze(-1)


@operator("npu_diou")
def npu_diou(self, gtboxes, trans=False, is_cross=False, mode=0):
    refuse_mode("npu_diou", mode)
    pairs = Pairs(self, gtboxes, trans, is_cross)
    return (pairs.iou - pairs.distance()).to(self.dtype).reshape(-1, self.shape[1])


@operator("npu_ciou")
def npu_ciou(self, gtboxes, trans=False, is_cross=True, mode=0, atan_sub_flag=False):
    refuse_mode("npu_ciou", mode)
    pairs = Pairs(self, gtboxes, trans, is_cross)
    return (pairs.iou - pairs.distance() - pairs.shape()).to(self.dtype).reshape(-1, self.shape[1])


def centre_and_size(boxes):
    """As detectors count pixels: a box from 1 to 3 is three wide."""
    return (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2] + 1


@operator("npu_bounding_box_encode", differentiable=False)
def npu_bounding_box_encode(anchor_box, ground_truth_box, means0, means1, means2, means3, stds0, stds1, stds2, stds3):
    centre, size = centre_and_size(wide(anchor_box))
    target, target_size = centre_and_size(wide(ground_truth_box))
    offsets = torch.cat(((target - centre) / size, (target_size / size).log()), -1)
    means, stds = offsets.new_tensor([means0, means1, means2, means3]), offsets.new_tensor([stds0, stds1, stds2, stds3])
    return ((offsets - means) / stds).to(anchor_box.dtype)


@operator("npu_bounding_box_decode", differentiable=False)
def npu_bounding_box_decode(rois, deltas, means0, means1, means2, means3, stds0, stds1, stds2, stds3, max_shape,
                            wh_ratio_clip):
    centre, size = centre_and_size(wide(rois))
    offsets = wide(deltas) * centre.new_tensor([stds0, stds1, stds2, stds3]) + centre.new_tensor([means0, means1, means2, means3])
    most = abs(math.log(wh_ratio_clip))
    centre, size = centre + offsets[:, :2] * size, size * offsets[:, 2:].clamp(-most, most).exp()
    corners = torch.cat((centre - size / 2 + 0.5, centre + size / 2 - 0.5), -1)
    height, width = max_shape
    limit = corners.new_tensor([width - 1, height - 1] * 2)
    return corners.clamp(min=0).minimum(limit).to(rois.dtype)


@operator("npu_roi_align")
def npu_roi_align(self, rois, spatial_scale, pooled_height, pooled_width, sample_num, roi_end_mode):
    """Rows of image and corners. End mode 0 counts from pixel corners, 2 from pixel centres ("aligned")."""
    if roi_end_mode not in (0, 2):
        standin.refuse(f"torch_npu.npu_roi_align(roi_end_mode={roi_end_mode})")
    image, pooled = wide(self), []
    shift = 0.5 if roi_end_mode == 2 else 0.0
    for number, *corners in wide(rois).tolist():
        left, top, right, bottom = (corner * spatial_scale - shift for corner in corners)
        width, height = right - left, bottom - top
        if roi_end_mode == 0:
            width, height = max(width, 1.0), max(height, 1.0)
        rows = samples(top, height, pooled_height, sample_num, self.device)
        columns = samples(left, width, pooled_width, sample_num, self.device)
        values = interpolate(image[int(number)], rows.flatten(), columns.flatten())
        pooled.append(values.reshape(-1, *rows.shape, *columns.shape).mean((2, 4)))
    if not pooled:
        return self.new_zeros(0, self.shape[1], pooled_height, pooled_width)
    return torch.stack(pooled).to(self.dtype)


def samples(start, extent, bins, count, device):
    """Where each bin reads: [bins, samples]."""
    count = count or max(math.ceil(extent / bins), 1)
    places = (torch.arange(count, dtype=torch.float32, device=device) + 0.5) / count
    return start + (torch.arange(bins, dtype=torch.float32, device=device)[:, None] + places) * (extent / bins)


def interpolate(image, rows, columns):
    """Bilinear values of [channels, height, width] at all rows and columns; nothing beyond one pixel outside."""
    height, width = image.shape[1:]
    inside = ((rows >= -1) & (rows <= height))[:, None] & ((columns >= -1) & (columns <= width))
    (y0, y1, dy), (x0, x1, dx) = neighbours(rows, height), neighbours(columns, width)
    upper = image[:, y0][:, :, x0] * (1 - dx) + image[:, y0][:, :, x1] * dx
    lower = image[:, y1][:, :, x0] * (1 - dx) + image[:, y1][:, :, x1] * dx
    return (upper * (1 - dy)[:, None] + lower * dy[:, None]) * inside


def neighbours(places, size):
    places = places.clamp(0, size - 1)
    low = places.floor().long()
    return low, (low + 1).clamp(max=size - 1), places - low
