"""The bundled projects, taken to two cards by `godwit port --cards 2` and run from their changed launch lines.

Two processes run each; torch_npu is a stand-in (standin/torch_npu.py) whose "hccl" is gloo without broadcast, reduce
and scatter, as HCCL of Ascend 310P. Held against: the original with three seeds, and the same training written by hand
with DistributedDataParallel (references.py).
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "tests" / "torch"
GODWIT = Path(os.environ.get("GODWIT", ROOT / "build" / "godwit"))
SEEDS = (0, 1, 2)
PROJECTS = {  # launch line, program, option of the seed
    "11_classifier": ("sh run.sh", "train.py", "--seed"),
    "12_detector": ("make train", "train.py", "--seed"),
    "13_language_model": ("bash train.sh", "train.py", "--seed="),
    "14_gan": ("sh run.sh", "gan.py", "--manualSeed"),
    "15_trainer": ("sh train.sh", "main.py", "--seed"),
}
LOSS = re.compile(r"epoch (\d+) loss ([\d.]+)")


def environment(**more):
    paths = [str(Path(sys.executable).parent), os.environ["PATH"]]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return dict(os.environ, PATH=os.pathsep.join(paths), PYTHONPATH=str(HERE / "standin"), OMP_NUM_THREADS="1",
                MASTER_PORT=str(port), PET_MASTER_PORT=str(port), PYTHONDONTWRITEBYTECODE="1", **more)


def run(command, folder, **more):
    done = subprocess.run(command, cwd=folder, shell=isinstance(command, str), env=environment(**more), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
    if done.returncode:
        raise AssertionError(f"{command} in {folder} ends with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def losses(output):
    return [float(loss) for _, loss in LOSS.findall(output)]


class Cards(unittest.TestCase):
    """One port and one run of each project, looked at from several sides."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.root = Path(cls.scratch.name)
        cls.output = {}
        for name, (launch, _, _) in PROJECTS.items():
            shutil.copytree(ROOT / "examples" / name / "project", cls.root / name)
            ported = cls.root / f"{name}_ported"
            subprocess.run([GODWIT, "port", cls.root / name, "--to", "ascend310p", "--cards", "2", "-o", ported],
                           stdout=subprocess.DEVNULL, check=False)
            cls.output[name] = run(launch, ported, GODWIT_LACKS="broadcast,reduce,scatter")
        tasks = [{"folder": str(cls.root / name), "program": program,
                  "runs": [[option + str(seed)] if option.endswith("=") else [option, str(seed)] for seed in SEEDS]}
                 for name, (_, program, option) in PROJECTS.items()]
        cls.originals = json.loads(run([sys.executable, str(HERE / "run_programs.py"), json.dumps(tasks)], cls.root)
                                   .splitlines()[-1])
        cls.references = json.loads(
            run(["torchrun", "--nproc_per_node=2", str(HERE / "references.py"), str(cls.root)], cls.root)
            .splitlines()[-1])

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_the_first_card_speaks_once(self):
        for name, output in self.output.items():
            epochs = [int(epoch) for epoch, _ in LOSS.findall(output)]
            self.assertEqual(epochs, list(range(len(epochs))), name)
            self.assertGreater(len(epochs), 2, name)

    def test_losses_are_those_of_a_training_written_by_hand(self):
        for name, expected in self.references.items():
            found = losses(self.output[name])
            self.assertEqual(len(found), len(expected), name)
            for one, other in zip(found, expected):
                self.assertAlmostEqual(one, other, delta=2e-6, msg=name)

    def test_the_last_loss_lies_in_the_band_of_the_seeds(self):
        # Three seeds show a spread only roughly, and the first card prints the loss of its half of the data.
        for (name, output), runs in zip(self.output.items(), self.originals):
            ends = [losses(each)[-1] for each in runs]
            spread = max(max(ends) - min(ends), 0.15 * sum(ends) / len(ends))
            last = losses(output)[-1]
            self.assertGreaterEqual(last, min(ends) - spread, (name, ends))
            self.assertLessEqual(last, max(ends) + spread, (name, ends))

    def test_one_process_evaluates_the_checkpoint_to_the_same_predictions(self):
        places = {"11_classifier": "model.pt", "12_detector": "model.pt", "13_language_model": "out/model.pt",
                  "15_trainer": "output/model.pt"}
        tasks = []
        for name, place in places.items():
            path = str(self.root / f"{name}_ported" / place)
            option = [f"--evaluate={path}"] if name == "13_language_model" else ["--evaluate", path]
            tasks.append({"folder": str(self.root / name), "program": PROJECTS[name][1], "runs": [option]})
        run([sys.executable, str(HERE / "run_programs.py"), json.dumps(tasks)], self.root)
        for name in places:
            one = (self.root / name / "predictions.txt").read_text().split()
            several = (self.root / f"{name}_ported" / "predictions.txt").read_text().split()
            self.assertEqual(len(one), len(several), name)
            for left, right in zip(one, several):
                self.assertAlmostEqual(float(left), float(right), delta=2e-3, msg=name)

    def test_without_torchrun_it_is_a_program_of_one_card(self):
        folder = self.root / "15_trainer_ported"
        found = losses(run([sys.executable, "main.py"], folder))
        self.assertEqual(len(found), 4)

    def test_a_second_run_edits_nothing(self):
        for name in PROJECTS:
            again = subprocess.run([GODWIT, "port", self.root / f"{name}_ported", "--to", "ascend310p", "--cards", "2",
                                    "--diff"], stdout=subprocess.PIPE, text=True, check=False)
            self.assertEqual(again.stdout, "", name)


if __name__ == "__main__":
    unittest.main()
