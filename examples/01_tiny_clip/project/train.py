"""Trains TinyCLIP: `python train.py`, or `torchrun --nproc_per_node=2 train.py --distributed`."""
import argparse
import os
import random

import numpy as np
import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
import yaml
from torch.cuda.amp import GradScaler, autocast
from torch.nn.parallel import DistributedDataParallel as DDP

from tiny_clip import TinyCLIP
from tiny_clip.data import CAPTIONS, WORDS, loaders, tokens_of


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.yaml")
    parser.add_argument("--device", default="cuda", help="cuda or cpu")
    parser.add_argument("--backend", default="nccl", choices=["nccl", "gloo"])
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--epochs", type=int, default=5)
    return parser.parse_args()


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = True


def wrap(model, args):
    if args.distributed:
        local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(local_rank)
        dist.init_process_group(backend=args.backend)
        return DDP(model.cuda(local_rank), device_ids=[local_rank])
    if args.device == "cuda" and torch.cuda.device_count() > 1:
        return nn.DataParallel(model).cuda()
    return model.to(args.device)


def train_epoch(model, loader, texts, optimizer, scaler, config, args):
    model.train()
    dtype = torch.bfloat16 if config["precision"] == "bf16" else torch.float16
    total = 0.0
    for images, labels in loader:
        if args.device == "cuda":
            images = images.cuda(non_blocking=True)
            labels = labels.cuda(non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with autocast(enabled=args.device == "cuda", dtype=dtype):
            loss = F.cross_entropy(model(images, texts), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def accuracy(model, loader, texts, args):
    model.eval()
    right = seen = 0
    for images, labels in loader:
        images, labels = images.to(args.device), labels.to(args.device)
        right += (model(images, texts).argmax(dim=1) == labels).sum().item()
        seen += labels.numel()
    return right / seen


def main():
    args = parse()
    with open(args.config) as stream:
        config = yaml.safe_load(stream)
    seed_everything(config["seed"])
    model = wrap(TinyCLIP(len(WORDS), config["width"]), args)
    world_size = dist.get_world_size() if args.distributed else 1
    train_loader, test_loader = loaders(config["batch_size"], world_size)
    texts = torch.stack([tokens_of(*caption) for caption in CAPTIONS]).to(args.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"], fused=args.device == "cuda")
    scaler = GradScaler(enabled=args.device == "cuda")
    for epoch in range(args.epochs):
        loss = train_epoch(model, train_loader, texts, optimizer, scaler, config, args)
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy(model, test_loader, texts, args):.3f}")
    if not args.distributed or dist.get_rank() == 0:
        net = model.module if hasattr(model, "module") else model
        torch.save(net.state_dict(), "tiny_clip.pt")
    if args.device == "cuda":
        print(f"peak memory {torch.cuda.max_memory_allocated() / 2 ** 20:.0f} MiB")


if __name__ == "__main__":
    main()
