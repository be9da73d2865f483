"""Coloured shapes with captions, drawn from a seed: a data set that needs no download."""
import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

COLOURS = {"red": (1.0, 0.1, 0.1), "green": (0.1, 1.0, 0.1), "blue": (0.1, 0.1, 1.0)}
SHAPES = ("square", "disc", "cross")
WORDS = ["<s>", "a"] + list(COLOURS) + list(SHAPES)
CAPTIONS = [(colour, shape) for colour in COLOURS for shape in SHAPES]


def tokens_of(colour, shape):
    return torch.tensor([WORDS.index(word) for word in ("<s>", "a", colour, shape)])


def draw(colour, shape, generator):
    image = 0.2 * torch.rand(3, 32, 32, generator=generator)
    x, y = torch.randint(8, 24, (2,), generator=generator).tolist()
    rows = torch.arange(32).view(32, 1) - y
    columns = torch.arange(32).view(1, 32) - x
    if shape == "square":
        inside = (rows.abs() < 6) & (columns.abs() < 6)
    elif shape == "disc":
        inside = rows ** 2 + columns ** 2 < 40
    else:
        inside = ((rows.abs() < 2) & (columns.abs() < 7)) | ((columns.abs() < 2) & (rows.abs() < 7))
    image[:, inside] += torch.tensor(COLOURS[colour]).view(3, 1)
    return image.clamp(0, 1)


class Shapes(Dataset):
    def __init__(self, size, seed):
        self.size, self.seed = size, seed

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + index)
        label = index % len(CAPTIONS)
        return draw(*CAPTIONS[label], generator), label


def loaders(batch_size, world_size=1):
    train, test = Shapes(1800, seed=0), Shapes(360, seed=1)
    sampler = DistributedSampler(train) if world_size > 1 else None
    return (
        DataLoader(train, batch_size, shuffle=sampler is None, sampler=sampler,
                   num_workers=2, pin_memory=True, drop_last=True),
        DataLoader(test, batch_size, num_workers=2, pin_memory=True),
    )
