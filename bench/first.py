#!/usr/bin/env python3
"""The first minutes of somebody new, with a stopwatch: each line is typed into a shell on a real terminal.

    bench/first.py              from a fresh clone of this checkout, which builds itself at the first command
    bench/first.py --image FILE from a release's archive, by deploy/install.sh

Prints how long each step took until the next prompt, and since the beginning. Where nothing is prepared (no JDK, no
packages in ~/.m2) the first step fetches that too, so compare only runs on machines of one kind. A line that fails ends
the run with its screen.
"""

import argparse
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROMPT = "ready> "
STEP_SECONDS_MAX = 900


class Terminal:
    """A shell behind a real terminal, in a home of its own."""

    def __init__(self, folder, home):
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("FAIRLEAD") and key != "PROMPT_COMMAND"
        }
        environment.update(FAIRLEAD_HOME=home, PS1=PROMPT, TERM="xterm")
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve("/bin/bash", ["bash", "--norc", "--noprofile", "-i"], environment)
        self.read()

    def read(self):
        """What comes until the next prompt."""
        text = ""
        until = time.monotonic() + STEP_SECONDS_MAX
        while not text.endswith(PROMPT):
            ready, _, _ = select.select([self.file], [], [], max(0, until - time.monotonic()))
            if not ready:
                sys.exit("no prompt within %d s:\n%s" % (STEP_SECONDS_MAX, text[-2000:]))
            text += os.read(self.file, 65536).decode("utf-8", "replace")
        return re.sub("\x1b\\[[?0-9;]*[a-zA-Z]", "", text).replace("\r", "")

    def type(self, line):
        """Its seconds and its screen; a line that fails ends the run."""
        began = time.monotonic()
        os.write(self.file, (line + "\n").encode())
        screen = self.read()
        took = time.monotonic() - began
        os.write(self.file, b"echo code=$?\n")
        code = re.search("code=(\\d+)", self.read().split("\n", 1)[1]).group(1)
        if code != "0":
            sys.exit("%s\nended with %s:\n%s" % (line, code, screen))
        return took, screen


def steps(launcher):
    """Name, what is typed, and whether a second person types it."""
    yield "first job, with its output", f"{launcher} run python3 examples/hello.py", False
    yield "four GPUs to try with", f"{launcher} server stop && {launcher} server start --gpus 4", False
    yield "a job that takes all", f"{launcher} -n 4 submit --name all sleep 600", False
    yield "one that waits", f"{launcher} submit --name waits true", False
    yield "first why", f"{launcher} why waits", False
    yield "first sweep, 20 jobs until the last has ended", f"{launcher} wait $({launcher} -n 0 submit --array 1-20 'echo part {{i}}')", False
    yield "a second person", f"{launcher} user create bea > bea.token", False
    yield "who logs in", f"{launcher} login ADDRESS --token-stdin < bea.token", True
    yield "and sees the queue", f"{launcher} queue", True


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--image", help="an archive that ./build --image made")
    options = options.parse_args()
    folder = tempfile.mkdtemp(prefix="fairlead-first-")
    homes = [os.path.join(folder, name) for name in ("home", "home-of-bea")]
    rows, total = [], 0.0
    clone = os.path.join(folder, "fairlead")
    began = time.monotonic()
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    if options.image:
        place = os.path.join(folder, "place")
        subprocess.run(["sh", os.path.join(ROOT, "deploy/install.sh"), os.path.abspath(options.image), place], check=True)
        launcher = os.path.join(place, "bin/fairlead")
    else:
        launcher = "./fairlead"
    rows.append(("install" if options.image else "git clone", time.monotonic() - began))
    terminal = Terminal(clone, homes[0])
    other = Terminal(clone, homes[1])
    try:
        address = ""
        for name, line, is_second in steps(launcher):
            took, screen = (other if is_second else terminal).type(line.replace("ADDRESS", address))
            rows.append((name, took))
            address = (re.findall("started at (http://[0-9.:]+)", screen) or [address])[-1]
    finally:
        terminal.type(f"{launcher} abort all waits; {launcher} server stop; true")
        shutil.rmtree(folder, ignore_errors=True)
    print("| step | seconds | since the beginning |\n|---|---|---|")
    for name, took in rows:
        total += took
        print(f"| {name} | {took:.1f} | {total:.1f} |")


if __name__ == "__main__":
    main()
