"""The operator trace: what is called where, forward and backward, under autocast, threads, compilation and forks."""
import os
import threading
import unittest

from recorded import Case, lines, make, train  # first: it finds the package

import torch
from torch import nn

import godwit


class Trace(Case):
    def trace(self, work):
        """Records of `work`, and the header."""
        path = self.folder / "trace.jsonl"
        with godwit.trace(path):
            work()
        header, *records = lines(path)
        return header, records

    def find(self, records, operator, **wanted):
        found = [r for r in records if r["operator"] == operator and all(r.get(k) == v for k, v in wanted.items())]
        self.assertTrue(found, f"{operator} {wanted} is not among {[r['operator'] for r in records]}")
        return found[0]

    def test_a_training_step(self):
        header, records = self.trace(lambda: train(*make(), steps=2))
        self.assertEqual((header["format"], header["version"]), ("godwit-operator-trace", 1))
        self.assertEqual(header["origin"]["model"], "Net")
        conv = self.find(records, "aten::convolution")
        self.assertEqual((conv["module"], conv["top"], conv["count"], conv["direction"]), ("conv", "aten::conv2d", 2, "forward"))
        self.assertEqual(conv["dtypes"], ["float32"] * 3)
        self.assertEqual(conv["shapes"], [[4, 3, 8, 8], [8, 3, 3, 3], [8]])
        linear = self.find(records, "aten::addmm", module="body.0")
        self.assertEqual((linear["top"], linear["count"]), ("aten::linear", 4))
        self.assertEqual(linear["strides"], [None, None, [1, 8]])

    def test_backward_operators_know_their_module_and_operator(self):
        _, records = self.trace(lambda: train(*make()))
        for operator, module, forward in (("aten::convolution_backward", "conv", "aten::conv2d"),
                                          ("aten::native_batch_norm_backward", "bn", "aten::batch_norm"),
                                          ("aten::threshold_backward", "body.1", "aten::relu_"),
                                          ("aten::nll_loss_backward", "CrossEntropyLoss", "aten::cross_entropy_loss")):
            record = self.find(records, operator)
            self.assertEqual((record["direction"], record["module"], record["forward"]), ("backward", module, forward))
        backward = [r for r in records if r["direction"] == "backward" and r["operator"] != "aten::detach"]
        known = [r for r in backward if "module" in r]
        self.assertGreaterEqual(len(known), 0.9 * len(backward))
        # The engine sums gradients outside of the nodes; that is backward too.
        self.assertEqual(self.find(records, "aten::sum", overload="dim_IntList")["direction"], "backward")

    def test_updates_stand_under_the_optimizer(self):
        _, records = self.trace(lambda: train(*make()))
        self.assertEqual(self.find(records, "aten::addcdiv_")["module"], "optimizer.AdamW")
        # x * 0.5 has no tensor of float64: numbers that a person wrote are left out.
        self.assertFalse([r for r in records if "float64" in r["dtypes"]])

    def test_what_a_closure_calls_is_at_the_top(self):
        net = nn.Sequential(nn.Linear(3, 2))
        optimizer = torch.optim.LBFGS(net.parameters(), max_iter=2)
        x = torch.randn(4, 3)

        def closure():
            optimizer.zero_grad()
            loss = net(x).square().sum()
            loss.backward()
            return loss

        with godwit.trace(self.folder / "t.jsonl"), godwit.baseline(self.folder / "b", layers=""):
            optimizer.step(closure)
        steps = [line for line in lines(self.folder / "b" / "rank0" / "steps.jsonl") if "step" in line]
        self.assertEqual(len(steps), 1)
        self.assertGreaterEqual(steps[0]["calls"], 1)
        self.assertEqual(len(steps[0]["losses"]), steps[0]["calls"])

    def test_autocast_is_seen_through(self):
        net, _ = make()

        def work():
            with torch.autocast("cpu", dtype=torch.bfloat16):
                net(torch.randn(4, 3, 8, 8))

        _, records = self.trace(work)
        self.assertEqual(set(self.find(records, "aten::convolution")["dtypes"]), {"bfloat16"})
        self.assertEqual(self.find(records, "aten::_to_copy", module="conv")["dtypes"], ["float32"])

    def test_growing_shapes_become_one_record(self):
        def work():
            for size in range(1, 40):
                torch.ones(size, 3).exp()

        _, records = self.trace(work)
        exp = [r for r in records if r["operator"] == "aten::exp"]
        self.assertEqual([(r["shapes"], r["count"]) for r in exp], [([[-1, 3]], 39)])
        ones = [r for r in records if r["operator"] == "aten::ones"]
        self.assertEqual([(r["dtypes"], r["shapes"], r["count"]) for r in ones], [(["float32"], [[-1, 3]], 39)])

    def test_wrappers_do_not_change_paths(self):
        net, _ = make()
        _, records = self.trace(lambda: nn.DataParallel(net)(torch.randn(2, 3, 8, 8)))
        self.assertEqual(self.find(records, "aten::convolution")["module"], "conv")

    def test_layouts_and_odd_tensors(self):
        def work():
            torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last).abs()
            torch.eye(3).to_sparse().mul(torch.eye(3).to_sparse())
            torch.tensor(1.0).exp()
            torch.empty(0, 3).exp()
            torch.randn(2, dtype=torch.complex64).conj().abs()
            torch.cat([torch.ones(1), torch.ones(2)])
            torch.empty(3, device="meta").exp()

        _, records = self.trace(work)
        self.assertEqual(self.find(records, "aten::abs")["strides"], [[60, 1, 15, 3]])
        self.assertEqual(self.find(records, "aten::mul")["strides"], ["sparse_coo", "sparse_coo"])
        self.assertEqual(sorted(map(str, (r["shapes"] for r in records if r["operator"] == "aten::exp"))), ["[[0, 3]]", "[[]]"])
        self.assertEqual(self.find(records, "aten::cat")["shapes"], [[1], [2]])

    def test_checkpointing_is_forward_inside_backward(self):
        from torch.utils.checkpoint import checkpoint
        net, _ = make()

        def work():
            x = torch.randn(2, 8, requires_grad=True)
            checkpoint(net.body, x, use_reentrant=False).sum().backward()

        _, records = self.trace(work)
        self.assertEqual(self.find(records, "aten::addmm", direction="forward")["count"], 2)

    def test_threads(self):
        nets = [make(seed)[0] for seed in range(4)]

        def work():
            threads = [threading.Thread(target=lambda n=n: [n(torch.randn(1, 3, 8, 8)).sum().backward() for _ in range(5)])
                       for n in nets]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        _, records = self.trace(work)
        self.assertEqual(sum(r["count"] for r in records if r["operator"] == "aten::convolution_backward"), 20)
        self.assertEqual(sum(r["count"] for r in records if r["operator"] == "aten::convolution_backward"
                             and r.get("module", "").endswith("conv")), 20)

    def test_compiled_and_custom_functions(self):
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(context, x):
                return x * 2

            @staticmethod
            def backward(context, gradient):
                return gradient.mul(2)

        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(3))

            def forward(self, x):
                return Double.apply(x * self.weight)

        net, layer = make()[0], Layer()
        compiled = torch.compile(net, backend="eager")

        def work():
            compiled(torch.randn(4, 3, 8, 8)).sum().backward()
            nn.Sequential(layer)(torch.ones(3)).sum().backward()

        _, records = self.trace(work)
        self.find(records, "aten::convolution_backward")
        doubled = [r for r in records if r["operator"] == "aten::mul" and r["direction"] == "backward"]
        self.assertTrue(any(r.get("module", "").endswith("0") for r in doubled), doubled)

    def test_a_fork_records_nothing_and_hurts_nothing(self):
        path = self.folder / "trace.jsonl"
        with godwit.trace(path):
            torch.ones(2).exp()
            child = os.fork()
            if child == 0:
                torch.ones(3).sin()
                os._exit(0)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertFalse([r for r in lines(path)[1:] if r["operator"] == "aten::sin"])

    def test_nothing_stays_behind(self):
        before = nn.Module.__call__
        self.trace(lambda: train(*make()))
        self.assertIs(nn.Module.__call__, before)
        net, optimizer = make()
        expected = train(*make(), steps=3)
        with godwit.trace(self.folder / "t.jsonl"):
            self.assertEqual(train(net, optimizer, steps=3), expected)

    def test_the_started_script(self):
        out = self.folder / "out.jsonl"
        script = "import torch\nimport recorded\nrecorded.train(*recorded.make())\n"
        self.run_script(script, {"GODWIT_TRACE": str(out)})
        self.find(lines(out)[1:], "aten::convolution", module="conv")
        # A second process of the same command takes the next name; one that fails leaves what it did.
        self.run_script(script + "raise SystemExit(3)\n", {"GODWIT_TRACE": str(out)}, expect=3)
        self.find(lines(self.folder / "out-2.jsonl")[1:], "aten::convolution")
        self.run_script("print('no torch')\n", {"GODWIT_TRACE": str(out)})
        self.run_script("import torch\n", {"GODWIT_TRACE": str(out)})
        self.assertEqual(len(list(self.folder.glob("out*"))), 2)
        self.run_script(script, {"GODWIT_TRACE": str(out), "RANK": "1", "WORLD_SIZE": "2"})
        self.assertEqual(lines(self.folder / "out.rank1.jsonl")[0]["origin"]["rank"], 1)


if __name__ == "__main__":
    unittest.main()
