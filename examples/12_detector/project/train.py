"""Trains the detector on one GPU, measures recall after each epoch, keeps the best."""
import argparse

import torch
from torch.utils.data import DataLoader

from boxes import Squares, collate
from detector import DetectionLoss, Detector, decode, overlap

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--lr", type=float, default=6e-3)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--evaluate", help="a checkpoint: no training, writes predictions.txt")
args = parser.parse_args()
args.cuda = torch.cuda.is_available()


def evaluate(net, loader):
    """Part of the boxes that are found with an overlap of one half or more."""
    net.eval()
    found, wanted, lines = 0, 0, []
    with torch.no_grad():
        for images, boxes in loader:
            if args.cuda:
                images = images.cuda()
            for predicted, true in zip(decode(net(images)), boxes):
                wanted += len(true)
                if len(predicted):
                    found += (overlap(true, predicted).max(1).values >= 0.5).sum().item()
                lines.append(" ".join(f"{each:.3f}" for each in predicted.flatten().tolist()))
    return found / wanted, lines


def write(lines):
    f = open("predictions.txt", "w")
    for line in lines:
        f.write(line + "\n")
    f.close()


def main():
    torch.manual_seed(args.seed)
    net = Detector()
    if args.cuda:
        net = net.cuda()
    val_data = DataLoader(Squares(50, seed=2), batch_size=25, collate_fn=collate)
    if args.evaluate:
        net.load_state_dict(torch.load(args.evaluate, map_location="cpu"))
        write(evaluate(net, val_data)[1])
        return
    train_data = DataLoader(Squares(256, seed=1), args.batch_size, shuffle=True, collate_fn=collate)
    loss_of = DetectionLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 4, gamma=0.3)
    best = -1.0
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for step, (images, boxes) in enumerate(train_data):
            if args.cuda:
                images = images.cuda()
            loss = loss_of(net(images), boxes)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        schedule.step()
        recall, lines = evaluate(net, val_data)
        print("epoch %d loss %.6f recall %.4f" % (epoch, total / len(train_data), recall))
        if recall > best:
            best = recall
            torch.save(net.state_dict(), "model.pt")
            write(lines)


if __name__ == "__main__":
    main()
