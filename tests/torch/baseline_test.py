"""Baselines: what is found without touching the script, and that two runs are told apart."""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import program
from recorded import Case, lines, make, train  # first: it finds the package

import torch
from torch import nn

import godwit

SCRIPT = """
import sys
import torch
from torch import nn
import recorded
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
torch.manual_seed(seed)
data = [(torch.randn(3, 8, 8, generator=torch.Generator().manual_seed(index)), index % 4) for index in range(16)]
loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)
net, optimizer = recorded.make(seed)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
print("loss", end="")
for images, labels in loader:
    loss = nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    optimizer.step()
    scheduler.step()
    print(f" {loss.item():.9g}", end="")
net.eval()
with torch.no_grad():
    net(images)
"""


RANKS = """
import os
import sys
import torch
import torch.distributed as dist
from torch import nn
import recorded
store, other = sys.argv[1:]
dist.init_process_group("gloo", init_method="file://" + store, rank=int(os.environ["RANK"]), world_size=2)
data = [(torch.randn(3, 8, 8, generator=torch.Generator().manual_seed(index)), index % 4) for index in range(16)]
if dist.get_rank() == 1 and other == "other":
    data = [(images + 1, label) for images, label in data]
sampler = torch.utils.data.DistributedSampler(data, shuffle=False)
net, optimizer = recorded.make()
net = nn.parallel.DistributedDataParallel(net)
for images, labels in torch.utils.data.DataLoader(data, batch_size=4, sampler=sampler):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(images), labels).backward()
    optimizer.step()
"""


class Ranks(Case):
    def record(self, name, other=""):
        """Two processes that share the work over gloo."""
        script = self.folder / "ranks.py"
        script.write_text(RANKS, encoding="utf-8")
        here = Path(__file__).parent
        path = os.pathsep.join(map(str, (here.parent.parent / "python/godwit/startup", here.parent.parent / "python", here)))
        folder = self.folder / name
        asked = json.dumps({"folder": str(folder), "layers": "", "seed": 1})
        ranks = [subprocess.Popen([sys.executable, str(script), str(self.folder / f"{name}.store"), other], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**os.environ, "PYTHONPATH": path, "GODWIT_BASELINE": asked, "RANK": str(rank),
                                       "WORLD_SIZE": "2", "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"})
                 for rank in range(2)]
        for rank in ranks:
            self.addCleanup(rank.kill)
            said, _ = rank.communicate()
            self.assertEqual(rank.returncode, 0, said)
        return folder

    def check(self, a, b):
        done = program.godwit("baseline", "check", str(a), str(b), "--format", "json")
        said = json.loads(done.stdout)
        return done.returncode, {finding["code"]: finding["properties"]["ranks"] for finding in said["findings"]}, said

    def test_each_rank_is_compared(self):
        first, second = self.record("a"), self.record("b", "other")
        self.assertEqual([lines(first / f"rank{rank}" / "steps.jsonl")[0]["ranks"] for rank in range(2)], [2, 2])
        status, codes, said = self.check(first, first)
        self.assertEqual((status, codes, said["summary"]["ranks_compared"]), (0, {}, 2))
        status, codes, _ = self.check(first, second)  # rank 0 saw the same batches
        self.assertEqual((status, codes["C102"]), (1, [1]))


class Baseline(Case):
    def record(self, name="a", arguments=(), **asked):
        folder = self.folder / name
        out = self.run_script(SCRIPT, {"GODWIT_BASELINE": json.dumps({"folder": str(folder), **asked})}, arguments=arguments)
        header, *rest = lines(folder / "rank0" / "steps.jsonl")
        self.assertEqual(rest[-1], {"end": True, "steps": 4})
        return header, rest, [float(x) for x in out.split()[1:]]

    def test_a_script_that_knows_nothing_of_it(self):
        header, rest, printed = self.record()
        self.assertEqual((header["format"], header["version"], header["ranks"]), ("godwit-baseline", 1, 1))
        self.assertEqual(header["environment"]["packages"]["torch"], torch.__version__)
        model = next(line for line in rest if "model" in line)
        self.assertEqual((model["model"]["class"], model["model"]["parameters"]), ("Net", sum(p.numel() for p in make()[0].parameters())))
        self.assertEqual(model["seeds"]["torch"], 0)
        optimizer = next(line for line in rest if "optimizer" in line)["optimizer"]
        self.assertEqual((optimizer["class"], optimizer["settings"]["weight_decay"]), ("AdamW", 0.01))
        steps = [line for line in rest if "step" in line]
        self.assertEqual([step["step"] for step in steps], [1, 2, 3, 4])
        for step, loss in zip(steps, printed):
            self.assertAlmostEqual(step["loss"], loss, places=6)
            self.assertEqual((step["batches"], step["calls"]), (1, 1))
            self.assertEqual(step["shapes"], [[[4, 3, 8, 8], [4]]])
            self.assertLessEqual(step["grad_norm"], 0.1001)
            self.assertGreater(step["grad_norm_before_clip"][0], 0.1)
            self.assertGreater(step["ms"], 0)
            self.assertGreater(step["memory"], 1 << 20)
        self.assertEqual([step["lr"] for step in steps], [[0.01], [0.005], [0.0025], [0.00125]])
        layers = lines(self.folder / "a" / "rank0" / "layers" / "rank0" / "index.jsonl")
        self.assertEqual({line["step"] for line in layers if "step" in line}, {1, 2, 3})

    def test_the_same_script_gives_the_same_and_another_seed_another(self):
        def told(lines_of_run):
            return [{key: step[key] for key in ("loss", "data", "order", "grad_norm")} for step in lines_of_run if "step" in step]
        first, second, third = (self.record(name, [seed], layers="")[1] for name, seed in (("a", "0"), ("b", "0"), ("c", "5")))
        self.assertEqual(told(first), told(second))
        for key in ("loss", "data", "order"):
            self.assertNotEqual([s[key] for s in told(first)], [s[key] for s in told(third)])

    def test_accumulation_scaler_metrics_and_validation(self):
        net, optimizer = make()
        scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
        raw = []
        with godwit.baseline(self.folder, layers=""):
            for _ in range(2):
                for _ in range(2):
                    loss = nn.functional.cross_entropy(net(torch.randn(4, 3, 8, 8)), torch.arange(4))
                    raw.append(loss.item())
                    scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
                net.eval()
                with torch.no_grad():
                    net(torch.randn(1, 3, 8, 8))
                net.train()
                godwit.metric("accuracy", 0.5)
        steps = [line for line in lines(self.folder / "rank0" / "steps.jsonl") if "step" in line]
        self.assertEqual(len(steps), 2)
        torch.testing.assert_close([x for step in steps for x in step["losses"]], raw)
        self.assertEqual([step["metrics"] for step in steps], [{"accuracy": 0.5}] * 2)
        self.assertEqual([step["calls"] for step in steps], [2, 2])

    def test_losses_that_are_no_numbers(self):
        net, optimizer = make()
        with godwit.baseline(self.folder, layers=""):
            (net(torch.randn(4, 3, 8, 8)).sum() * float("nan")).backward()
            optimizer.step()
        steps = [line for line in lines(self.folder / "rank0" / "steps.jsonl") if "step" in line]
        self.assertEqual((steps[0]["loss"], steps[0]["grad_norm"]), ("nan", "nan"))

    def test_a_script_that_fails(self):
        folder = self.folder / "a"
        self.run_script(SCRIPT.replace("scheduler.step()", "raise SystemExit(7)"),
                        {"GODWIT_BASELINE": json.dumps({"folder": str(folder)})}, expect=7)
        header, *rest = lines(folder / "rank0" / "steps.jsonl")
        self.assertTrue([line for line in rest if "step" in line])

    def test_a_folder_that_cannot_be_written_does_not_stop_training(self):
        (self.folder / "file").write_text("")
        net, optimizer = make()
        expected = train(*make(), steps=2)
        with self.assertWarnsRegex(RuntimeWarning, "the baseline stopped"), \
                godwit.baseline(self.folder / "file" / "a", layers=""):
            self.assertEqual(train(net, optimizer, steps=2), expected)

    def test_seeds_are_set_before_the_script(self):
        script = "import torch, sys\nprint(torch.initial_seed(), torch.rand(1).item())\n"
        said = [self.run_script(script, {"GODWIT_BASELINE": json.dumps({"folder": str(self.folder / "a"), "seed": 11})}) for _ in range(2)]
        self.assertEqual(said[0], said[1])
        self.assertTrue(said[0].startswith("11 "))
        self.assertFalse((self.folder / "a").exists())

    def test_nothing_stays_behind(self):
        from torch.utils.data.dataloader import _BaseDataLoaderIter as Iterator
        before = torch.autograd.backward, Iterator.__next__, torch.nn.utils.clip_grad_norm_, nn.Module.__call__
        net, optimizer = make()
        expected = train(*make(), steps=3)
        with godwit.baseline(self.folder):
            self.assertEqual(train(net, optimizer, steps=3), expected)
        self.assertEqual(before, (torch.autograd.backward, Iterator.__next__, torch.nn.utils.clip_grad_norm_, nn.Module.__call__))


if __name__ == "__main__":
    unittest.main()
