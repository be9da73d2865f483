"""Holds our tables against a real PyTorch: names exist, overloads dispatch as said, operators behind an API are seen.

Run by `make test-torch`; the tables say torch 2.13, and so does the version that it installs.
"""
import unittest
from pathlib import Path

import torch
from torch.utils._python_dispatch import TorchDispatchMode

DATA = Path(__file__).resolve().parent.parent.parent / "data" / "api"


def rows(table: str) -> list[dict[str, str]]:
    lines = (DATA / table).read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("# ")]
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"))) for line in lines[1:]]


def resolves(name: str) -> bool:
    """Whether a dotted name can be reached from the module torch."""
    found = torch
    for part in name.split(".")[1:]:
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


class Seen(TorchDispatchMode):
    """Records which overloads reach a backend."""

    def __init__(self):
        super().__init__()
        self.operators: set[str] = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.operators.add(func.name())
        return func(*args, **(kwargs or {}))


def make_image():
    return torch.randn(2, 3, 8, 8, requires_grad=True)


def make_rows():
    return torch.randn(4, 8, requires_grad=True)


# Names that a table has for a good reason although this PyTorch lacks them.
NOT_IN_TORCH = {
    "torch.Tensor.npu",  # torch_npu adds it
    "torch.Tensor.hardsigmoid_",  # an operator, but no method
    "torch.Tensor.mish_",
    "torch.autograd.AccumulateGrad",  # a node of the graph, seen by hooks only
    "torch.cuda.MemPoolContext",  # until 2.7
    "torch.cuda.utils",
}

# API of torch_to_aten.tsv → a small differentiable use of it.
USES = {
    "torch.nn.Conv2d": lambda: torch.nn.Conv2d(3, 4, 3)(make_image()),
    "torch.nn.Linear": lambda: torch.nn.Linear(8, 4)(make_rows()),
    "torch.nn.LayerNorm": lambda: torch.nn.LayerNorm(8)(make_rows()),
    "torch.nn.BatchNorm2d": lambda: torch.nn.BatchNorm2d(3)(make_image()),
    "torch.nn.MaxPool2d": lambda: torch.nn.MaxPool2d(2)(make_image()),
    "torch.nn.Embedding": lambda: torch.nn.Embedding(10, 4)(torch.arange(5)),
    "torch.nn.GELU": lambda: torch.nn.GELU()(make_rows()),
    "torch.nn.functional.softmax": lambda: torch.nn.functional.softmax(make_rows(), dim=-1),
    "torch.matmul": lambda: torch.matmul(make_rows(), torch.randn(8, 4)),
    "torch.cumsum": lambda: torch.cumsum(make_rows(), 0),
}


class Names(unittest.TestCase):
    def test_the_version_is_the_one_the_tables_name(self):
        self.assertTrue(torch.__version__.startswith("2.13."), torch.__version__)

    def test_every_api_of_torch_to_aten_resolves(self):
        names = {row["api"] for row in rows("torch_to_aten.tsv") if row["api"].startswith("torch.")}
        self.assertGreater(len(names), 1000)
        self.assertEqual(sorted(name for name in names - NOT_IN_TORCH if not resolves(name)), [])

    def test_every_cuda_name_of_renames_resolves(self):
        names = {row["cuda"] for row in rows("renames.tsv") if row["cuda"].startswith("torch.")}
        self.assertEqual(sorted(name for name in names - NOT_IN_TORCH if not resolves(name)), [])


class Overloads(unittest.TestCase):
    def setUp(self):
        self.table = {row["op"]: row for row in rows("aten_kind.tsv")}

    def test_every_overload_exists_and_none_is_missing(self):
        schemas = [s for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")]
        real = {s.name + ("." + s.overload_name if s.overload_name else "") for s in schemas}
        self.assertEqual(sorted(set(self.table) - real), [])

    def test_composites_are_those_that_torch_registers_as_such(self):
        def is_implicit(op):
            return torch._C._dispatch_has_kernel_for_dispatch_key(op, "CompositeImplicitAutograd")

        wrong = [op for op, row in self.table.items()
                 if torch._C._dispatch_has_kernel(op)
                 and ("CompositeImplicit" in row["kind"].split("|")) != is_implicit(op)]
        self.assertEqual(wrong, [])


class Dispatch(unittest.TestCase):
    def test_the_operators_behind_an_api_are_seen(self):
        table: dict[str, dict[str, str]] = {row["api"]: row for row in rows("torch_to_aten.tsv")}
        for api, use in USES.items():
            with self.subTest(api=api), Seen() as forward:
                output = use()
                with Seen() as backward:
                    output.sum().backward()
                row = table[api]
                self.assertLessEqual(set(row["forward_always"].split("|")) - {""}, forward.operators)
                self.assertLessEqual(set(row["backward_always"].split("|")) - {""}, backward.operators)


if __name__ == "__main__":
    unittest.main()
