"""Sums in words of digits, "3+4=7;", as one long text, and windows of it."""
import random

import torch
from torch.utils.data import Dataset

ALPHABET = "0123456789+=;"


def make_text(count, seed):
    draw = random.Random(seed)
    pairs = [(draw.randint(0, 4), draw.randint(0, 5)) for _ in range(count)]
    return "".join(f"{a}+{b}={a + b};" for a, b in pairs)


class Windows(Dataset):
    def __init__(self, text, length):
        self.ids = torch.tensor([ALPHABET.index(c) for c in text])
        self.length = length

    def __len__(self):
        return (len(self.ids) - 1) // self.length

    def __getitem__(self, index):
        at = index * self.length
        piece = self.ids[at:at + self.length + 1]
        return piece[:-1], piece[1:]
