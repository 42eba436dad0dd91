"""What holds for every source file of the library."""

import ast
import os
import re
import sys
import unittest
from typing import Iterator, Tuple

from support import EXAMPLES, LIBRARY

# The modules of the standard library that the library may use; what is not here needs a reason.
STANDARD = set(
    "atexit contextlib datetime glob hashlib http importlib json math operator os shutil socket ssl subprocess sys threading time typing "
    "urllib weakref".split()
)


def sources(*folders: str) -> Iterator[Tuple[str, str]]:
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in sorted(name for name in names if name.endswith(".py")):
                with open(os.path.join(root, name), encoding="utf-8") as file:
                    yield os.path.join(root, name), file.read()


class SourcesTest(unittest.TestCase):
    PACKAGES = (os.path.join(LIBRARY, "fairlead"), os.path.join(LIBRARY, "kubernetesdlprofile"))

    def test_python_3_8_can_read_every_file(self) -> None:
        files = list(sources(LIBRARY, EXAMPLES))
        self.assertGreater(len(files), 20)
        for path, text in files:
            ast.parse(text, path, feature_version=(3, 8))

    def test_the_library_needs_only_the_standard_library(self) -> None:
        for path, text in sources(*self.PACKAGES):
            for node in ast.walk(ast.parse(text)):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    names = [node.module or ""]
                for name in names:
                    self.assertIn(name.split(".")[0], STANDARD | {"fairlead", "kubernetesdlprofile"}, path)

    def test_annotations_hold_at_run_time_in_python_3_8(self) -> None:
        """`list[int]` and `int | None` are read by 3.8 and fail when they run."""
        newer = re.compile(r"(->|:)[^\"#']*(\b(list|dict|tuple|set|type)\[|\| None|None \|)")
        for path, text in sources(*self.PACKAGES):
            for line in text.splitlines():
                self.assertIsNone(newer.search(line), "%s: %s" % (path, line))

    def test_this_python_is_new_enough(self) -> None:
        self.assertGreaterEqual(sys.version_info, (3, 8))
