// A project of any size for benchmarks: packages of models, layers, data and training scripts that
// import each other; the same for the same number of lines on every machine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <random>
#include <string>

#include "base/file.h"
#include "base/text.h"

namespace godwit::perf {

class GeneratedProject {
 public:
  /// Writes about `lines` lines of Python under `folder`.
  GeneratedProject(const std::filesystem::path& folder, std::size_t lines) {
    for (std::size_t i = 0; lines_ < lines; ++i) {
      const std::filesystem::path package = folder / format("pkg{}", i / 16);
      write(package / "__init__.py",
            format("from .model{0} import Net{0}\nfrom . import layers{0}\n", i));
      write(package / format("layers{}.py", i), layers(i));
      write(package / format("model{}.py", i), model(i));
      write(package / format("train{}.py", i), train(i));
    }
  }

  std::size_t lines() const { return lines_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  void write(const std::filesystem::path& path, const std::string& text) {
    for (const char c : text) lines_ += c == '\n' ? 1 : 0;
    bytes_ += text.size();
    (void)write_file(path, text);
  }

  std::string layers(std::size_t i) {
    std::string text =
        "import math\n\nimport torch\nfrom torch import nn\nimport torch.nn.functional as F\n";
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t width = 16u << pick(5);
      text += format(R"(

class Block{0}_{1}(nn.Module):
    """Convolution, normalisation and a gate of width {2}.

    Arguments are the number of channels and the drop-out rate.
    """

    def __init__(self, channels={2}, rate=0.{3}, bias=True):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels * 2, kernel_size=3, padding=1, bias=bias)
        self.norm = nn.BatchNorm2d(channels * 2)
        self.gate = nn.Linear(channels * 2, channels)
        self.drop = nn.Dropout(rate)
        self.scale = nn.Parameter(torch.ones(channels) / math.sqrt(channels))
        self.register_buffer("mask", torch.zeros(1, channels, {4}, {4}))

    def forward(self, x, mask=None):
        y = self.norm(self.conv(x))
        y = F.relu(y, inplace=True)
        if mask is not None:
            y = y.masked_fill(mask == 0, float("-inf"))
        pooled = y.mean(dim=(2, 3))
        gate = torch.sigmoid(self.gate(pooled)).unsqueeze(-1).unsqueeze(-1)
        for step in range({5}):
            gate = gate * self.scale.view(1, -1, 1, 1) + 1e-{5}  # keeps it positive
        return self.drop(x * gate)
)",
                     i, k, width, 1 + pick(8), 1 + pick(32), 1 + pick(9));
    }
    return text;
  }

  std::string model(std::size_t i) {
    std::string text = format(
        "import torch\nimport torch.nn as nn\nfrom .layers{0} import *\nfrom . import layers{0} as "
        "blocks\n",
        i);
    text += format(
        "\n\nclass Net{}(nn.Module):\n    def __init__(self, depth=3, device=\"cuda\"):\n"
        "        super(Net{}, self).__init__()\n        self.device = torch.device(device)\n",
        i, i);
    for (std::size_t k = 0; k < 8; ++k) {
      text += format("        self.block{1} = Block{0}_{1}({2}, rate=0.{3})\n", i, k,
                     16u << pick(5), pick(9));
    }
    text += "\n    def forward(self, x, target=None):\n        x = x.to(self.device)\n";
    for (std::size_t k = 0; k < 8; ++k) text += format("        x = x + self.block{}(x)\n", k);
    text +=
        "        if target is None:\n            return x\n"
        "        loss = nn.functional.cross_entropy(x.flatten(1), target.to(self.device))\n"
        "        return {\"loss\": loss, \"output\": x.detach().cpu().numpy()}\n";
    for (std::size_t k = 0; k < 6; ++k) {
      text += format(R"(

def resize_{1}(state, size=({2}, {3}), key='pos_embed'):
    """Fits the positions of a checkpoint to another input size."""
    old = state[key]
    grid = int((old.shape[1] - 1) ** 0.5)
    head, rest = old[:, :1], old[:, 1:].reshape(1, grid, grid, -1).permute(0, 3, 1, 2)
    rest = torch.nn.functional.interpolate(rest, size=size, mode='bicubic', align_corners=False)
    state[key] = torch.cat([head, rest.permute(0, 2, 3, 1).flatten(1, 2)], dim=1)
    return {{name: value for name, value in state.items() if not name.startswith('head.{1}')}}
)",
                     i, k, 7 + pick(20), 7 + pick(20));
    }
    return text;
  }

  std::string train(std::size_t i) {
    return format(R"(#!/usr/bin/env python
import argparse
import os
import time

import numpy as np
import torch
import torch.distributed as dist
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

from .model{0} import Net{0}


class Images{0}(Dataset):
    def __init__(self, root, names, transform=None):
        self.paths = [os.path.join(root, name) for name in sorted(names)]
        self.transform = transform or transforms.Compose([transforms.ToTensor()])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        image = np.load(self.paths[index])
        return self.transform(image), index % {1}


def accuracy(output, target, topk=(1, {2})):
    with torch.no_grad():
        _, pred = output.topk(max(topk), 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().sum(0) * 100.0 / target.size(0) for k in topk]


def train_epoch(model, loader, optimizer, scaler, args):
    model.train()
    start, total = time.time(), 0.0
    for step, (images, labels) in enumerate(loader):
        images, labels = images.cuda(non_blocking=True), labels.cuda(non_blocking=True)
        optimizer.zero_grad()
        with autocast(enabled=args.amp):
            loss = model(images, labels)["loss"]
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), {3})
        scaler.step(optimizer)
        scaler.update()
        total += loss.item()
        if step % args.log == 0 and dist.get_rank() == 0:
            print(f"step {{step}}: {{total / (step + 1):.4f}} {{time.time() - start:.1f}} s "
                  f"{{torch.cuda.max_memory_allocated() / 2**20:.0f}} MiB")
    return total / max(1, len(loader))


def main():
    parser = argparse.ArgumentParser(description='Trains network {0}')
    parser.add_argument('--device', default='cuda:0', help='the device to train on')
    parser.add_argument('--epochs', type=int, default={4})
    parser.add_argument('--log', type=int, default=50)
    parser.add_argument('--amp', action='store_true')
    args = parser.parse_args()
    dist.init_process_group(backend='nccl')
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
    torch.backends.cudnn.benchmark = True
    device = torch.device(args.device if torch.cuda.is_available() else 'cpu')
    model = torch.nn.parallel.DistributedDataParallel(Net{0}().to(device))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-{2}, weight_decay=0.0{1})
    loader = DataLoader(Images{0}('data', os.listdir('data')), batch_size=64, pin_memory=True)
    scaler = GradScaler()
    for epoch in range(args.epochs):
        loss = train_epoch(model, loader, optimizer, scaler, args)
        torch.save({{'model': model.state_dict(), 'loss': loss}}, f'checkpoint_{{epoch}}.pt')


if __name__ == '__main__':
    main()
)",
                  i, 1 + pick(9), 2 + pick(7), 1 + pick(5), 10 + pick(90));
  }

  std::mt19937 random_{20};
  std::size_t lines_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace godwit::perf
