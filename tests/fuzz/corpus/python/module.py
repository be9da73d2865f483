import torch as th
from torch import nn, cuda
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 2)
    def forward(self, x):
        for i, (y, *z) in enumerate(x):
            x = self.a(x) + y[0]
        return x.cuda(), f"{th.zeros(1)}"
