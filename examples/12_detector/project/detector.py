import torch
import torch.nn as nn
import torch.nn.functional as F

STRIDE = 4


class Detector(nn.Module):
    """One cell per 4 x 4 pixels: is the middle of a box here, and how far are its sides?"""

    def __init__(self, width=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        )
        self.score = nn.Conv2d(width, 1, 1)
        self.sides = nn.Conv2d(width, 4, 1)

    def forward(self, images):
        features = self.features(images)
        return self.score(features).squeeze(1), F.softplus(self.sides(features))


def targets_of(boxes, cells, device):
    score = torch.zeros(len(boxes), cells, cells, device=device)
    sides = torch.zeros(len(boxes), 4, cells, cells, device=device)
    for n, of_image in enumerate(boxes):
        for x0, y0, x1, y1 in of_image.tolist():
            column, row = int((x0 + x1) / 2 / STRIDE), int((y0 + y1) / 2 / STRIDE)
            x, y = (column + 0.5) * STRIDE, (row + 0.5) * STRIDE
            score[n, row, column] = 1
            sides[n, :, row, column] = torch.tensor([x - x0, y - y0, x1 - x, y1 - y]).clamp(min=0)
    return score, sides


class DetectionLoss(nn.Module):
    def forward(self, output, boxes):
        score, sides = output
        wanted_score, wanted_sides = targets_of(boxes, score.shape[-1], score.device)
        found = F.binary_cross_entropy_with_logits(score, wanted_score)
        near = (F.smooth_l1_loss(sides, wanted_sides, reduction="none").sum(1) * wanted_score).mean()
        return found + 4 * near


def decode(output, threshold=0.3):
    """Boxes of each picture, the surest first."""
    score, sides = output
    all_boxes = []
    for s, d in zip(score.sigmoid().cpu(), sides.cpu()):
        peaks = (s == F.max_pool2d(s[None], 3, 1, 1)[0]) & (s > threshold)
        rows, columns = peaks.nonzero(as_tuple=True)
        order = s[rows, columns].argsort(descending=True)
        rows, columns = rows[order], columns[order]
        x, y = (columns + 0.5) * STRIDE, (rows + 0.5) * STRIDE
        left, top, right, bottom = d[:, rows, columns]
        all_boxes.append(torch.stack([x - left, y - top, x + right, y + bottom], 1))
    return all_boxes


def overlap(a, b):
    low, high = torch.maximum(a[:, None, :2], b[None, :, :2]), torch.minimum(a[:, None, 2:], b[None, :, 2:])
    both = (high - low).clamp(min=0).prod(2)
    area = lambda x: (x[:, 2:] - x[:, :2]).prod(1)
    return both / (area(a)[:, None] + area(b)[None] - both)
