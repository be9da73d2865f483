"""What the tests of the recorders share: a small model, a training step, a folder of their own."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import torch  # noqa: E402
from torch import nn  # noqa: E402

import godwit  # noqa: E402,F401


class Net(nn.Module):
    """A convolution, a norm, a block in place, a head that is called twice."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.bn = nn.BatchNorm2d(8)
        self.body = nn.Sequential(nn.Linear(8, 8), nn.ReLU(inplace=True))
        self.head = nn.Linear(8, 4)

    def forward(self, x, scale=None):
        x = self.bn(self.conv(x)).relu().mean((2, 3))
        if scale is not None:
            x = x * scale
        return self.head(self.body(self.body(x)))


def make(seed=0, **options):
    torch.manual_seed(seed)
    net = Net()
    return net, torch.optim.AdamW(net.parameters(), lr=0.01, **options)


def train(net, optimizer, steps=1, seed=1):
    """Some steps of training; gives the losses."""
    generator = torch.Generator().manual_seed(seed)
    criterion, losses = nn.CrossEntropyLoss(), []
    for _ in range(steps):
        images = torch.randn(4, 3, 8, 8, generator=generator)
        loss = criterion(net(images), torch.arange(4))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, text, variables=(), expect=0, arguments=()):
        """Runs a script of its own in a new Python process; gives what it printed."""
        script = self.folder / "script.py"
        script.write_text(text, encoding="utf-8")
        path = os.pathsep.join([str(ROOT / "python" / "godwit" / "startup"), str(ROOT / "python"),
                                str(Path(__file__).parent)])
        done = subprocess.run([sys.executable, str(script), *arguments], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={**os.environ, "PYTHONPATH": path, **dict(variables)})
        self.assertEqual(done.returncode, expect, done.stdout)
        return done.stdout


def lines(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
