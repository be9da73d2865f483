"""Trains TinyLM with gradient accumulation; the best model by validation loss is kept."""
import math
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from model import TinyLM
from text import ALPHABET, Windows, make_text

config = dict(epochs=4, batch_size=16, accumulate=2, lr=4e-3, length=24, seed=0, out="out", evaluate="")


def read_options():
    for option in sys.argv[1:]:
        name, _, value = option.lstrip("-").partition("=")
        config[name] = type(config[name])(value)


def build_loaders():
    train_set = Windows(make_text(1200, seed=1), config["length"])
    valid_set = Windows(make_text(400, seed=2), config["length"])
    train_loader = DataLoader(train_set, batch_size=config["batch_size"], shuffle=True, drop_last=True)
    valid_loader = DataLoader(valid_set, batch_size=32, shuffle=False)
    return train_loader, valid_loader


def loss_of(model, batch, device):
    ids, targets = batch[0].to(device), batch[1].to(device)
    return F.cross_entropy(model(ids).flatten(0, 1), targets.flatten())


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    losses = [loss_of(model, batch, device).item() for batch in loader]
    model.train()
    return losses


def train_epoch(model, loader, optimizer, device):
    total = 0.0
    optimizer.zero_grad()
    for step, batch in enumerate(loader):
        loss = loss_of(model, batch, device)
        (loss / config["accumulate"]).backward()
        total += loss.item()
        if (step + 1) % config["accumulate"] == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)


def write_losses(losses):
    with open("predictions.txt", "w") as file:
        for loss in losses:
            file.write(f"{loss:.6f}\n")


def main():
    read_options()
    torch.manual_seed(config["seed"])
    device = "cuda:0" if torch.cuda.is_available() else "cpu"
    train_loader, valid_loader = build_loaders()
    model = TinyLM(len(ALPHABET), length=config["length"])
    model.to(device)
    if config["evaluate"]:
        model.load_state_dict(torch.load(config["evaluate"], map_location=device))
        write_losses(validate(model, valid_loader, device))
        return
    os.makedirs(config["out"], exist_ok=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])
    best = math.inf
    for epoch in range(config["epochs"]):
        loss = train_epoch(model, train_loader, optimizer, device)
        losses = validate(model, valid_loader, device)
        mean = sum(losses) / len(losses)
        print(f"epoch {epoch} loss {loss:.6f} valid {mean:.6f}")
        if mean < best:
            best = mean
            torch.save(model.state_dict(), os.path.join(config["out"], "model.pt"))
            write_losses(losses)


if __name__ == "__main__":
    main()
