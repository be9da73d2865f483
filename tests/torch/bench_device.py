"""What the emulated device costs: a training step against the plain CPU, and one operator against the CPU's.

Usage: tests/torch/bench_device.py [SECONDS PER FIGURE]
Every figure is the median of pairs, device and CPU in turn, so that a busy machine slows both.
"""
import statistics
import sys
import time

import torch

import emulated
import models

emulated.activate()

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0


def timed(work, clock=time.perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


def ratio(device, cpu):
    """Median of device / CPU over pairs, and the CPU's median time."""
    for work in (device, cpu) * 3:
        work()
    ratios, times = [], []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end or len(ratios) < 5:
        base = timed(cpu)
        ratios.append(timed(device) / base)
        times.append(base)
    return statistics.median(ratios), statistics.median(times)


def stepper(name, device):
    model, batch = models.make(name, device)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    return lambda: models.step(model, batch, optimizer).item()


def loop(device, count=1000):
    x, y = torch.ones(4, device=device), torch.ones(4, device=device)

    def work():
        for _ in range(count):
            torch.add(x, y)
    return work


def per_operator() -> float:
    """Microseconds of this thread that an operator takes longer than on the CPU."""
    device, cpu = loop("npu"), loop("cpu")
    for work in (device, cpu):
        work()
    pairs = [(timed(device, time.thread_time), timed(cpu, time.thread_time)) for _ in range(60)]
    return statistics.median(a - b for a, b in pairs) / 1000 * 1e6


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'training step':<16}{'CPU':>9}{'off':>8}{'310P':>8}")
    for name in ("classifier", "transformer", "denoiser", "recurrent"):
        off, base = ratio(stepper(name, "npu"), stepper(name, "cpu"))
        with emulated.numerics(emulated.CHIP_310P):
            on, _ = ratio(stepper(name, "npu"), stepper(name, "cpu"))
        print(f"{name:<16}{base * 1e3:>6.2f} ms{off:>8.2f}{on:>8.2f}")
    print(f"one operator: {per_operator():.2f} us above the CPU's")


if __name__ == "__main__":
    main()
