"""Runs every test of the library and writes the outcome as a JUnit report, which ./check counts.

    python3 python/tests/run.py [--report FILE] [WORD...]

With words, only tests with one of them in their name run.
"""

import argparse
import os
import sys
import time
import unittest
from typing import Any, Dict, List, Optional, Tuple
from xml.etree import ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]


class Outcomes(unittest.TextTestResult):
    """Keeps for each test how long it took and, unless it passed, what became of it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.seconds: Dict[str, float] = {}
        self._began = 0.0

    def startTest(self, test: unittest.TestCase) -> None:
        self._began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test: unittest.TestCase) -> None:
        self.seconds[test.id()] = time.monotonic() - self._began
        super().stopTest(test)

    def report(self) -> ElementTree.Element:
        # A class that cannot be set up has an outcome and no run; a test with subtests may have several.
        outcomes: Dict[str, List[Tuple[str, str]]] = {name: [] for name in self.seconds}
        for kind, tests in (("failure", self.failures), ("error", self.errors), ("skipped", self.skipped)):
            for test, text in tests:
                whole = getattr(test, "test_case", test)  # A subtest counts for the test that it is part of.
                outcomes.setdefault(whole.id(), []).append((kind, text))
        suite = ElementTree.Element("testsuite", name="python")
        counts = {"failure": 0, "error": 0, "skipped": 0}
        for name, found in outcomes.items():
            where, _, method = name.rpartition(".")
            seconds = "%.3f" % self.seconds.get(name, 0.0)
            case = ElementTree.SubElement(suite, "testcase", classname="python." + where, name=method, time=seconds)
            for kind, text in found[:1]:
                counts[kind] += 1
                ElementTree.SubElement(case, kind, message=text.strip().splitlines()[-1]).text = text
        suite.attrib.update(
            tests=str(len(outcomes)),
            failures=str(counts["failure"]),
            errors=str(counts["error"]),
            skipped=str(counts["skipped"]),
        )
        return suite


def main() -> int:
    parser = argparse.ArgumentParser(description="runs the tests of the training library")
    parser.add_argument("--report", help="where to write the JUnit report")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    if sys.version_info < (3, 8):
        print("the training library needs Python 3.8 or newer, this is %s" % sys.version.split()[0], file=sys.stderr)
        return 1
    loader = unittest.TestLoader()
    patterns: Optional[List[str]] = ["*%s*" % word for word in options.words] or None
    loader.testNamePatterns = patterns
    runner = unittest.TextTestRunner(resultclass=Outcomes, verbosity=2 if patterns else 1)
    result = runner.run(loader.discover(HERE))
    assert isinstance(result, Outcomes)
    if options.report:
        os.makedirs(os.path.dirname(os.path.abspath(options.report)), exist_ok=True)
        ElementTree.ElementTree(result.report()).write(options.report, encoding="utf-8", xml_declaration=True)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
