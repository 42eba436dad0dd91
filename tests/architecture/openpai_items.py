"""Which of OpenPAI's behaviours, numbered O1 to O87, tests have just shown: python3 openpai_items.py REPORTS

The names of tests carry the numbers, such as o45AndO81TheReasonIsTold. What counts is the reports of a run: a test that
was deleted, has never run or failed shows nothing. An item whose tests were all skipped here is reported, as the reasons
for skipping are judged elsewhere; one that no test bears fails.
"""
import glob
import re
import sys
from xml.etree import ElementTree

ITEMS = range(1, 88)

shown, skipped = set(), set()
for report in glob.glob(sys.argv[1] + "/TEST-*.xml", recursive=True):
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        name = re.match(r"o\d+\w*", case.get("name") or "")
        if name is None or case.find("failure") is not None or case.find("error") is not None:
            continue
        items = {int(number) for number in re.findall(r"(?:^o|O|And)(\d+)", name.group())}
        (shown if case.find("skipped") is None else skipped).update(items)

missing = [item for item in ITEMS if item not in shown and item not in skipped]
only_skipped = [item for item in ITEMS if item in skipped and item not in shown]
for items, words in ((only_skipped, "whose tests were skipped here"), (missing, "that no test has shown")):
    if items:
        print(f"items of OpenPAI {words}: " + ", ".join(f"O{item}" for item in items))
sys.exit(1 if missing else 0)
