"""Every template of tools/new gives files that compile, texts in both languages, and a complaint until they are written."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
KINDS = sorted(path.name for path in (ROOT / "tools/templates").iterdir())


class New(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        for folder in ("tools", "src", "data/messages", "docs"):
            shutil.copytree(ROOT / folder, self.root / folder)
        headers = next((ROOT / "build").glob("*/headers"))
        self.compile = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                        "-Wno-missing-field-initializers", f"-I{self.root}/src", f"-isystem{headers}",
                        f"-isystem{ROOT}/build/deps/tree-sitter/tree_sitter/core/lib/include"]

    def run_tool(self, *arguments):
        return subprocess.run([self.root / "tools" / arguments[0], *arguments[1:]], capture_output=True, text=True,
                              check=False)

    def test_every_kind_compiles(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                made = self.run_tool("new", kind, "fresh_thing")
                self.assertEqual(made.returncode, 0, made.stderr)
                for name in made.stdout.split():
                    if name.startswith("src/") and name.endswith(".cc"):
                        done = subprocess.run([*self.compile, self.root / name], capture_output=True, text=True, check=False)
                        self.assertEqual(done.returncode, 0, done.stderr)

    def test_texts_must_be_written(self):
        self.run_tool("new", "doctor-check", "fresh_thing")
        checked = self.run_tool("check_docs")
        self.assertIn("is not written yet", checked.stdout)

    def test_a_name_that_is_taken_or_odd_is_refused(self):
        self.assertIn("already there", self.run_tool("new", "renderer", "text").stderr)
        self.assertIn("is not a name", self.run_tool("new", "renderer", "Text-2").stderr)


if __name__ == "__main__":
    unittest.main()
