"""Ends a program after its first steps, for a trial run: `godwit emulate --steps N`."""
import functools
import sys

import torch


class Count:
    """Steps of an optimizer; of a program that makes none, forward passes of whole models in evaluation."""

    def __init__(self, steps: int, text: str):
        self.steps, self.text = steps, text
        self.updates = {}  # id of an optimizer -> its steps
        self.trains = False
        self.depth = self.forwards = 0

    def made(self, *_):
        self.trains = True

    def stepped(self, optimizer, *_):
        self.updates[id(optimizer)] = self.updates.get(id(optimizer), 0) + 1
        self.check(self.updates[id(optimizer)])

    def enter(self, *_):
        self.depth += 1

    def leave(self, module, *_):
        self.depth -= 1
        if not self.depth and not module.training and not self.trains:
            self.forwards += 1
            self.check(self.forwards)

    def check(self, count: int):
        if count >= self.steps:
            print(self.text.format(steps=self.steps), file=sys.stderr, flush=True)
            raise SystemExit(0)


def install(profile: dict) -> None:
    from torch.nn.modules import module
    from torch.optim import optimizer
    count = Count(int(profile["steps"]), profile["texts"]["stopped"])
    optimizer.register_optimizer_step_post_hook(count.stepped)
    module.register_module_forward_pre_hook(count.enter)
    module.register_module_forward_hook(count.leave)
    original = torch.optim.Optimizer.__init__

    @functools.wraps(original)
    def init(self, *arguments, **options):
        count.made()
        original(self, *arguments, **options)

    torch.optim.Optimizer.__init__ = init
