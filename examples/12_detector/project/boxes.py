"""Pictures with one to three bright squares, and the boxes around them."""
import torch
from torch.utils.data import Dataset


class Squares(Dataset):
    def __init__(self, count, seed, size=32):
        self.count, self.seed, self.size = count, seed, size

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(self.seed * 100003 + index)
        image = 0.3 * torch.randn(1, self.size, self.size, generator=generator)
        boxes = []
        for _ in range(int(torch.randint(1, 4, (1,), generator=generator))):
            side = int(torch.randint(5, 9, (1,), generator=generator))
            x, y = torch.randint(0, self.size - side, (2,), generator=generator).tolist()
            image[:, y:y + side, x:x + side] += 1.0
            boxes.append([x, y, x + side, y + side])
        return image, torch.tensor(boxes, dtype=torch.float32)


def collate(samples):
    """Boxes differ in number, so they stay a list."""
    return torch.stack([image for image, _ in samples]), [boxes for _, boxes in samples]
