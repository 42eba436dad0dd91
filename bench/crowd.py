#!/usr/bin/env python3
"""Measures a server with as many unfinished jobs as it takes, and with one person who asks for too much.

    bench/crowd.py                  everything, some minutes
    bench/crowd.py abort hostile    only these measurements
    bench/crowd.py --memory 512M    with another heap

Prints the table "Many jobs" of docs/performance.md. Names of measurements: queue, abort, snapshot, restart, hostile.
"""

import argparse
import http.client
import json
import os
import signal
import statistics
import threading
import time
import urllib.parse

from local import Server

ARRAY = 10_000
JOBS = 200_000


class Crowd(Server):
    """A server whose jobs ask for more GPUs than there are, so that all of them wait."""

    def __init__(self, memory):
        self.memory = memory
        super().__init__(1)

    def start(self):
        began = time.monotonic()
        words = ["--memory", self.memory] if self.memory else []
        self.command("server", "start", "--gpus", "1", *words)
        self.connect()
        return time.monotonic() - began

    def connect(self):
        with open(os.path.join(self.home, "server.json"), encoding="utf-8") as file:
            facts = json.load(file)
        self.token, self.pid = facts["token"], facts["pid"]
        self.connection = http.client.HTTPConnection(urllib.parse.urlparse(facts["url"]).netloc, timeout=120)

    def array(self, environment=None):
        spec = {"name": "crowd", "command": ["sh", "-c", "sleep {i}"], "gpus": 8, "workdir": "/tmp", "env": environment or {}}
        return self.call("POST", "/v1/jobs", {"jobs": [spec], "array": {"from": 0, "to": ARRAY - 1}})["array"]

    def journal_bytes(self):
        return self.call("GET", "/v1/server")["journalBytes"]


def timed(action):
    began = time.monotonic()
    result = action()
    return time.monotonic() - began, result


def row(what, value):
    print(f"| {what} | {value} |", flush=True)


def queue(server):
    before = server.journal_bytes()
    times = []
    while server.unfinished() + ARRAY <= JOBS:
        times.append(timed(server.array)[0])
    jobs = server.unfinished()
    row(f"submit of {ARRAY:,} jobs, {len(times)} times: median, slowest", f"{statistics.median(times):.2f} s, {max(times):.2f} s")
    row(f"journal, for each of {jobs:,} jobs of arrays", f"{(server.journal_bytes() - before) / jobs:.0f} bytes")
    row(f"resident with {jobs:,} jobs waiting: now, at most", f"{server.resident_mib():.0f} MiB, {server.resident_mib('VmHWM'):.0f} MiB")


def snapshot(server):
    seconds, text = timed(lambda: server.call("GET", "/v1/snapshot"))
    row(f"snapshot of {len(text['jobs']):,} jobs", f"{seconds:.1f} s")


def restart(server):
    os.kill(server.pid, signal.SIGKILL)
    while os.path.exists(f"/proc/{server.pid}/fd/0"):
        time.sleep(0.01)
    seconds = server.start()
    row(f"start after SIGKILL with {server.unfinished():,} jobs", f"{seconds:.1f} s, {server.resident_mib():.0f} MiB")


def abort(server):
    array = server.call("GET", "/v1/jobs?state=active&limit=1")["jobs"]
    array = array[0]["array"] if array else server.array()
    waiting = server.unfinished()
    seconds, _ = timed(lambda: server.command("abort", array))
    row(f"`fairlead abort` of an array of {ARRAY:,} among {waiting:,} jobs", f"{seconds:.2f} s")


def hostile(server):
    """Three at once submit 0.9 MB of variables ten thousand times, while somebody else asks for a list."""
    large = {f"V{i}": "x" * 1_000 for i in range(900)}
    others = Crowd.__new__(Crowd)
    others.__dict__.update(server.__dict__)
    others.connect()
    answers, lists, over = [], [], threading.Event()

    def submit():
        mine = Crowd.__new__(Crowd)
        mine.__dict__.update(server.__dict__)
        mine.connect()
        try:
            answers.append(timed(lambda: mine.array(large))[0])
        except RuntimeError as refused:
            answers.append(str(refused))

    def watch():
        while not over.is_set():
            lists.append(timed(lambda: others.call("GET", "/v1/jobs?limit=10"))[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    senders = [threading.Thread(target=submit) for _ in range(3)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    over.set()
    watcher.join()
    told = ", ".join(answer if isinstance(answer, str) else f"{answer:.2f} s" for answer in answers)
    row(f"three arrays of {ARRAY:,} jobs with 0.9 MB of variables at once", told)
    row("meanwhile somebody else's list of 10 jobs: median, slowest", f"{statistics.median(lists) * 1000:.0f} ms, {max(lists) * 1000:.0f} ms")


MEASUREMENTS = [hostile, queue, snapshot, restart, abort]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="MEASUREMENT")
    parser.add_argument("--memory", help="the server's heap, such as 512M")
    arguments = parser.parse_args()
    known = {each.__name__: each for each in MEASUREMENTS}
    for name in arguments.names:
        if name not in known:
            parser.error(f"no measurement '{name}'; known: {', '.join(known)}")
    server = Crowd(arguments.memory)
    try:
        print("| Many jobs | |\n|---|---|")
        for each in MEASUREMENTS:
            if not arguments.names or each.__name__ in arguments.names:
                each(server)
    finally:
        server.close()


if __name__ == "__main__":
    main()
