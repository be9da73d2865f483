"""Three of the bundled projects as a person would take them to several cards, run on gloo by torchrun.

Usage: references.py FOLDER, which holds copies of the projects, as one of the programs of run_programs.py
Prints the losses of the first rank per project as JSON.
"""
import json
import os
import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def enter(folder):
    for name in ("data", "model", "text", "engine", "engine.data", "engine.models"):
        sys.modules.pop(name, None)
    sys.path[0] = os.path.join(sys.argv[1], folder)
    torch.manual_seed(0)


def loader_of(dataset, batch, **options):
    sampler = DistributedSampler(dataset, shuffle=True, seed=0, drop_last=options.get("drop_last", False))
    return DataLoader(dataset, batch_size=batch // dist.get_world_size(), sampler=sampler, **options)


def train(model, loader, optimizer, loss_of, epochs, accumulate=1):
    every = []
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        total = 0.0
        optimizer.zero_grad()
        for step, (inputs, targets) in enumerate(loader):
            loss = loss_of(model(inputs), targets)
            (loss / accumulate).backward()
            total += loss.item()
            if (step + 1) % accumulate == 0:
                if accumulate > 1:
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        every.append(total / len(loader))
    return every


def classifier():
    enter("11_classifier")
    from data import Bars
    from model import BarNet
    model = DistributedDataParallel(BarNet())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    return train(model, loader_of(Bars(256, seed=1), 32, drop_last=True), optimizer, F.cross_entropy, 4)


def language_model():
    enter("13_language_model")
    from model import TinyLM
    from text import ALPHABET, Windows, make_text
    windows = Windows(make_text(1200, seed=1), 24)
    model = DistributedDataParallel(TinyLM(len(ALPHABET), length=24))
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    loss_of = lambda scores, targets: F.cross_entropy(scores.flatten(0, 1), targets.flatten())
    return train(model, loader_of(windows, 16, drop_last=True), optimizer, loss_of, 4, accumulate=2)


def trainer():
    enter("15_trainer")
    from engine.data import spirals
    from engine.models import mlp
    model = DistributedDataParallel(mlp(48))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    return train(model, loader_of(spirals(1536, seed=1), 64), optimizer, F.cross_entropy, 4)


dist.init_process_group("gloo")
found = {"11_classifier": classifier(), "13_language_model": language_model(), "15_trainer": trainer()}
if dist.get_rank() == 0:
    print(json.dumps(found), flush=True)
dist.barrier()
dist.destroy_process_group()
