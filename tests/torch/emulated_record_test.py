"""The recorders on the emulated device find what they find on the CPU."""
import json
import os
import sys
import unittest
from pathlib import Path

import program
from recorded import Case, lines

from godwit.dumping import read_index

SCRIPT = """
import sys
import torch
from torch import nn
import godwit, recorded
device, folder = sys.argv[1:]
data = [(torch.randn(3, 8, 8, generator=torch.Generator().manual_seed(index)), index % 4) for index in range(8)]
net = recorded.make()[0].to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)  # after the move, which gives the model other parameters
with godwit.dump(net, folder + "/dump", steps="1-2", parts="fwd,bwd,param,grad,optim"):
    for images, labels in torch.utils.data.DataLoader(data, batch_size=4):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(images.to(device)), labels.to(device)).backward()
        optimizer.step()
"""


class Recorders(Case):
    def record(self, device):
        """One run under all three: the folder that they wrote to."""
        folder = self.folder / device
        folder.mkdir()
        variables = {"GODWIT_TRACE": str(folder / "trace.jsonl"),
                     "GODWIT_BASELINE": json.dumps({"folder": str(folder / "baseline"), "layers": "", "seed": 3})}
        if device == "cpu":
            self.run_script(SCRIPT, variables, arguments=[device, str(folder)])
            return folder
        script = self.folder / "script.py"
        done = program.godwit("emulate", "--to", "ascend910b", "--numerics", "off", "--", sys.executable, str(script), device,
                              str(folder), env={**os.environ, **variables, "PYTHONPATH": str(Path(__file__).parent)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def test_all_three(self):
        cpu, npu = self.record("cpu"), self.record("npu")
        self.same_dump(cpu / "dump/rank0", npu / "dump/rank0")
        self.same_trace(cpu / "trace.jsonl", npu / "trace.jsonl")
        self.same_baseline(cpu / "baseline", npu / "baseline")

    def same_dump(self, cpu, npu):
        def places(folder):
            return {tuple(record.get(key) for key in ("step", "part", "name", "call", "io", "index")): record
                    for record in read_index(folder)[1]}
        expected, found = places(cpu), places(npu)
        self.assertEqual(read_index(npu)[0]["origin"]["device"], "npu")
        self.assertEqual(set(expected), set(found))
        self.assertEqual({place[1] for place in found}, {"fwd", "bwd", "param", "grad", "optim"})
        for place, record in expected.items():
            self.assertEqual(record["shape"], found[place]["shape"], place)
            self.assertAlmostEqual(record["norm"], found[place]["norm"], delta=1e-4 + 1e-3 * record["norm"], msg=place)

    def same_trace(self, cpu, npu):
        (_, *expected), (header, *found) = lines(cpu), lines(npu)
        self.assertEqual(header["origin"]["device"], "npu")

        def counts(records):
            return {(r["module"], r["direction"]): r["count"] for r in records
                    if r["operator"] == "aten::addmm" or (r["operator"], r["direction"]) == ("aten::mm", "backward")}
        self.assertTrue(counts(expected))
        self.assertEqual(counts(expected), counts(found))
        self.assertEqual({r.get("module") for r in expected}, {r.get("module") for r in found})

    def same_baseline(self, cpu, npu):
        header, *rest = lines(npu / "rank0/steps.jsonl")
        self.assertEqual(header["environment"]["device"], "npu")
        self.assertIn("Ascend910B", header["environment"]["device_name"])
        self.assertTrue(all(0 < line["memory"] < 1 << 28 for line in rest if "step" in line))
        done = program.godwit("baseline", "check", str(cpu), str(npu), "--format", "json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = json.loads(done.stdout)
        self.assertLessEqual({finding["code"] for finding in said["findings"]}, {"C105", "C108", "C112"})


if __name__ == "__main__":
    unittest.main()
