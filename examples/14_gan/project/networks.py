import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, noise=8, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(noise, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                 nn.Linear(width, 2))

    def forward(self, noise):
        return self.net(noise)


class Discriminator(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.LeakyReLU(0.2), nn.Linear(width, width),
                                 nn.LeakyReLU(0.2), nn.Linear(width, 1))

    def forward(self, points):
        return self.net(points).squeeze(1)
