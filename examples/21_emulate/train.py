"""A text classifier, ported to Ascend by hand: trains on sentences that are drawn from a seed."""
import argparse

import torch
import torch_npu
from torch import nn

WORDS, LENGTH, WIDTH, CLASSES = 64, 12, 32, 4


class Classifier(nn.Module):
    def __init__(self, table: bool):
        super().__init__()
        self.table = table
        self.token = nn.Embedding(WORDS, WIDTH) if table else nn.Linear(WORDS, WIDTH, bias=False)
        self.gate = nn.Linear(WIDTH, 2 * WIDTH)
        self.norm = nn.Parameter(torch.ones(WIDTH))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, tokens):
        x = self.token(tokens) if self.table else self.token(nn.functional.one_hot(tokens, WORDS).float())
        x = torch_npu.npu_swiglu(self.gate(x))
        x = torch_npu.npu_rms_norm(x, self.norm.to(x.dtype))[0]
        return self.head(x.mean(1))


def batches(count: int, size: int):
    generator = torch.Generator().manual_seed(7)
    for _ in range(count):
        tokens = torch.randint(WORDS, (size, LENGTH), generator=generator)
        yield tokens, tokens[:, 0] * CLASSES // WORDS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--one-hot", action="store_true", help="a matrix product in place of the embedding")
    parser.add_argument("--steps", type=int, default=30)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.npu.set_device(0)
    model = Classifier(table=not arguments.one_hot).npu()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    scaler = torch.npu.amp.GradScaler(init_scale=1024.0)
    for step, (tokens, labels) in enumerate(batches(arguments.steps, 32)):
        optimizer.zero_grad()
        with torch.npu.amp.autocast():
            loss = nn.functional.cross_entropy(model(tokens.npu()), labels.npu())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if step % 10 == 0 or step == arguments.steps - 1:
            print(f"step {step}: loss {loss.item():.3f}")
    print(f"peak memory: {torch.npu.max_memory_allocated() // 1024} KiB of {torch.npu.get_device_name()}")


if __name__ == "__main__":
    main()
