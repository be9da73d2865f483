#!/usr/bin/env python3
"""What recording costs: steps with trace and sketch dump against plain ones, taken in turn; a tensor dump against a plain write.

Usage: tests/torch/bench_record.py [ROUNDS]     ratios are medians over pairs, smaller is better for steps, larger for writing
"""
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from recorded import make  # first: it finds the package

import torch
from torch import nn

import godwit


def small_cnn():
    """Some 1.3 ms to a step."""
    net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 16, 3, stride=2),
                        nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    return net, torch.randn(8, 3, 16, 16), torch.randint(0, 10, (8,))


def large_transformer():
    """Some 40 ms to a step."""
    layer = nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True)
    net = nn.Sequential(nn.TransformerEncoder(layer, 4, enable_nested_tensor=False), nn.Flatten(), nn.Linear(256 * 64, 10))
    return net, torch.randn(4, 64, 256), torch.randint(0, 10, (4,))


def step_of(model):
    torch.manual_seed(0)
    net, inputs, labels = model()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(inputs), labels).backward()
        optimizer.step()

    return net, step


def timed(step, count):
    """Processor time in ms, which a busy machine changes least: of the training thread, and with the writer's thread."""
    start = time.thread_time(), time.process_time()
    for _ in range(count):
        step()
    return (time.thread_time() - start[0]) / count * 1e3, (time.process_time() - start[1]) / count * 1e3


def recorders(net, folder, kind):
    """What is opened around the steps, in this order."""
    dump = godwit.dump(net, folder / "dump", steps="1-1000000", level="sketch", parts="fwd,bwd")
    return {"trace": [godwit.trace(folder / "trace.jsonl")], "sketch dump": [dump],
            "trace + sketch dump": [godwit.trace(folder / "trace.jsonl"), dump]}[kind]


def bench_steps(name, model, count, rounds):
    for kind in ("trace + sketch dump", "trace", "sketch dump"):
        ratios, both, plain = [], [], []
        for _ in range(rounds):
            net, step = step_of(model)
            timed(step, 3)
            with tempfile.TemporaryDirectory() as folder:
                before = timed(step, count)
                opened = recorders(net, Path(folder), kind)
                for recorder in opened:
                    recorder.start()
                timed(step, 3)
                recorded = timed(step, count)
                for recorder in reversed(opened):
                    recorder.stop()
                after = timed(step, count)
            plain.append((before[0] + after[0]) / 2)
            ratios.append(recorded[0] / plain[-1])
            both.append(recorded[1] / plain[-1])
        print(f"{name:<20}{kind:<22}{statistics.median(plain):8.2f} ms   {statistics.median(ratios):5.2f} x   "
              f"with the writer {statistics.median(both):5.2f} x", flush=True)


def bench_write(rounds):
    """The same bytes, both on the disk when the clock stops."""
    values = [torch.randn(4 << 20) for _ in range(16)]  # 256 MiB

    class Give(nn.Module):
        def forward(self, index):
            return values[index]

    net, ratios = Give().eval(), []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            start = time.perf_counter()
            with open(Path(folder) / "plain", "wb") as file:
                for value in values:
                    file.write(memoryview(value.numpy()).cast("B"))
                file.flush()
                os.fsync(file.fileno())
            plain = time.perf_counter() - start
            os.unlink(Path(folder) / "plain")
            start = time.perf_counter()
            with godwit.dump(net, Path(folder) / "dump", steps="1-99", level="tensor", parts="fwd", sync=True):
                for index in range(len(values)):
                    net(index)
            ratios.append(plain / (time.perf_counter() - start))
    print(f"{'tensor dump':<20}{'of a plain write':<22}{256 / plain / 1.048576:8.0f} MB/s {statistics.median(ratios):5.2f} x", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    torch.set_num_threads(1)
    make()
    bench_steps("CNN", small_cnn, 50, rounds)
    bench_steps("transformer", large_transformer, 5, rounds)
    bench_write(rounds)


if __name__ == "__main__":
    main()
