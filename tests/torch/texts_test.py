"""The texts of the Python side: both languages say each, with the same places; each is used, and none is missing."""
import os
import re
import string
import unittest
from unittest import mock

import program
from godwit import texts

PACKAGE = program.ROOT / "python/godwit"


def places(text):
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


class Texts(unittest.TestCase):
    def test_both_languages_have_the_same_places_and_lines(self):
        for key, (english, chinese) in texts.TEXTS.items():
            with self.subTest(key):
                self.assertEqual(places(english), places(chinese))
                self.assertEqual(english.count("\n"), chinese.count("\n"))
                self.assertRegex(english, r"^[ -~\n]+$")
                if re.search("[a-z]{3} [a-z]{3}", english):
                    self.assertRegex(chinese, "[\u4e00-\u9fff]")

    def test_each_is_used_and_none_is_missing(self):
        sources = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.glob("*.py") if path.name != "texts.py")
        in_cpp = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.glob("csrc/*.cc"))
        used = re.findall(r'(?<![.\w])text\("([a-z]+\.[a-z_]+)"', sources) + re.findall(r'say\("(device\.[a-z_]+)"', in_cpp)
        self.assertEqual(set(used), set(texts.TEXTS))

    def test_the_language(self):
        for variables, expected in (({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "zh_CN", "LC_ALL": "C"}, "en"),
                                    ({"GODWIT_LANG": "zh", "LC_ALL": "C"}, "zh")):
            with self.subTest(variables), mock.patch.dict(os.environ, variables, clear=True):
                self.assertEqual(texts.language(), expected)
                self.assertIn("export" if expected == "en" else "导出", texts.text("export.failed", reason=""))


if __name__ == "__main__":
    unittest.main()
