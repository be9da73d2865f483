"""Trains BarNet on all the GPUs of one machine."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from data import Bars
from model import BarNet


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--evaluate", help="a checkpoint: no training, writes predictions.txt")
    return parser.parse_args()


def train(model, loader, criterion, optimizer, device):
    model.train()
    total = 0.0
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    predictions, right = [], 0
    for images, labels in loader:
        answer = model(images.to(device)).argmax(1).cpu()
        predictions += answer.tolist()
        right += (answer == labels).sum().item()
    return right / len(loader.dataset), predictions


def main():
    args = parse()
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.DataParallel(BarNet()).to(device)
    train_loader = DataLoader(Bars(256, seed=1), batch_size=args.batch_size, shuffle=True,
                              drop_last=True)
    test_loader = DataLoader(Bars(100, seed=2), batch_size=64)
    if args.evaluate:
        model.module.load_state_dict(torch.load(args.evaluate, map_location=device))
        accuracy, predictions = evaluate(model, test_loader, device)
    else:
        criterion = nn.CrossEntropyLoss()
        optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
        for epoch in range(args.epochs):
            loss = train(model, train_loader, criterion, optimizer, device)
            accuracy, predictions = evaluate(model, test_loader, device)
            print(f"epoch {epoch} loss {loss:.6f} accuracy {accuracy:.4f}")
        torch.save(model.module.state_dict(), "model.pt")
    with open("predictions.txt", "w") as file:
        file.writelines(f"{each}\n" for each in predictions)


if __name__ == "__main__":
    main()
