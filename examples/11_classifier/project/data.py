"""Coloured bars, drawn from a seed: the class is the direction of the bar."""
import torch
from torch.utils.data import Dataset


class Bars(Dataset):
    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 4, (count,), generator=generator)
        self.images = 1.5 * torch.randn(count, 3, 16, 16, generator=generator)
        for image, label in zip(self.images, self.labels.tolist()):
            at = int(torch.randint(3, 13, (1,), generator=generator))
            if label == 0:
                image[:, at, :] += 1.5
            elif label == 1:
                image[:, :, at] += 1.5
            elif label == 2:
                image += 1.5 * torch.eye(16)
            else:
                image += 1.5 * torch.eye(16).flip(0)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]
