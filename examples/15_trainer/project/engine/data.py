import torch
from torch.utils.data import DataLoader, TensorDataset


def spirals(count, seed):
    """Two spiral arms and the arm each point belongs to."""
    generator = torch.Generator().manual_seed(seed)
    arm = torch.randint(0, 2, (count,), generator=generator)
    turn = 3.5 * torch.rand(count, generator=generator) + 0.5
    angle = turn + torch.pi * arm
    points = torch.stack([turn * angle.cos(), turn * angle.sin()], 1)
    return TensorDataset(points + 0.1 * torch.randn(count, 2, generator=generator), arm)


def train_loader(config):
    return DataLoader(spirals(config["train"], seed=1), batch_size=config["batch_size"], shuffle=True,
                      num_workers=config["workers"], pin_memory=torch.cuda.is_available())


def valid_loader(config):
    return DataLoader(spirals(config["valid"], seed=2), batch_size=config["batch_size"])
