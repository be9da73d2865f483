"""Every operator of torch's own database, in fp32 and fp16, with its first sample: runs on the device and equals the CPU.

Run as a program it lists what differs: tests/torch/opinfo_test.py [PART OF A NAME]
"""
import collections
import sys
import types
import unittest
import warnings

import torch

try:
    import expecttest  # noqa: F401
except ImportError:  # torch's own tests derive from it; the database of operators does not use it
    sys.modules["expecttest"] = types.ModuleType("expecttest")
    sys.modules["expecttest"].TestCase = unittest.TestCase
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_map

import emulated

emulated.activate()

LEAST = 0.97
DTYPES = (torch.float32, torch.float16)
DRAWS = {"bernoulli", "cauchy", "exponential", "geometric", "log_normal", "multinomial", "normal", "rand_like", "randint",
         "randint_like", "randn", "randn_like", "uniform"}


def to_npu(value):
    return tree_map(lambda x: x.detach().to("npu").requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor)
                    else torch.device("npu") if isinstance(x, torch.device) or x == "cpu" else x, value)


def shown(value):
    """Tensors of a result, on the host; sparse and quantised ones stay what they are."""
    found = []
    tree_map(lambda x: found.append(x.detach().cpu()) if isinstance(x, torch.Tensor) else None, value)
    return found


def same(a, b) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype or a.layout != b.layout:
        return False
    return torch.allclose(a, b, rtol=1e-5, atol=1e-6, equal_nan=True) if a.dtype.is_floating_point or a.dtype.is_complex \
        else torch.equal(a, b)


def compare(op, dtype) -> str:
    """Empty: equal. Else why not."""
    try:
        sample = next(iter(op.sample_inputs("cpu", dtype, requires_grad=False)))
    except StopIteration:
        return "no sample"
    seed = lambda: torch.manual_seed(7)  # noqa: E731
    arguments = to_npu((sample.input, sample.args, sample.kwargs))
    try:
        seed()
        want = op(sample.input, *sample.args, **sample.kwargs)
    except Exception as error:  # the CPU cannot either
        return f"cpu: {first_line(error)}"
    try:
        seed()
        got = op(arguments[0], *arguments[1], **arguments[2])
    except Exception as error:
        return f"device: {first_line(error)}"
    if not any(x.device.type == "npu" for x in tensors(got)) and tensors(want):
        return "device: the result is on the host"
    got, want = shown(got), shown(want)
    if len(got) != len(want) or (not all(map(same, got, want)) and not is_free(op)):
        return "differs"
    return ""


def tensors(value) -> list:
    found = []
    tree_map(lambda x: found.append(x) if isinstance(x, torch.Tensor) else None, value)
    return found


def is_free(op) -> bool:
    """What memory happens to hold is equal to nothing."""
    return op.name in {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}


def first_line(error) -> str:
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"[:160]


def sweep(part=""):
    """What happened to each (operator, dtype) that the CPU can run: name -> reason, empty where equal."""
    results = collections.OrderedDict()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for op in op_db:
            for dtype in DTYPES:
                if part not in op.name or dtype not in op.supported_dtypes("cpu"):
                    continue
                reason = compare(op, dtype)
                if not reason.startswith(("cpu:", "no sample")):
                    results[f"{op.name}{op.variant_test_name and '.' + op.variant_test_name} {dtype}"] = reason
    return results


class OpInfoTest(unittest.TestCase):
    def test_sweep(self):
        results = sweep()
        bad = {name: reason for name, reason in results.items() if reason}
        share = 1 - len(bad) / len(results)
        report = "\n".join(f"  {name}: {reason}" for name, reason in bad.items())
        print(f"\n{len(results) - len(bad)} of {len(results)} pairs equal the CPU ({share:.2%}); not:\n{report}")
        self.assertGreater(len(results), 1000)
        self.assertGreaterEqual(share, LEAST, report)


if __name__ == "__main__":
    for name, reason in sweep(sys.argv[1] if len(sys.argv) > 1 else "").items():
        if reason:
            print(f"{name}: {reason}")
