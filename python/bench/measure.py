"""How long one call of measure() takes: without a job, with a server, and with a server that is away or hangs.

    python3 python/bench/measure.py [--steps 30000]

Each step works for 100 microseconds before it is measured, so that heartbeats (asked for at every step, sent at most
once in a second) fall into the run. The clock's own time is part of every figure, and is shown first.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from time import perf_counter_ns
from typing import Callable, Dict, Iterator

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "tests")]

from fairlead import Training  # noqa: E402

STEP_NANOSECONDS = 100_000
SERVER = """
import sys
from fake_server import FakeServer
server = FakeServer()
if sys.argv[1] == "hangs": server.hang()
if sys.argv[1] == "away": server.go_away()
print(server.url, flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def server(behaviour: str) -> Iterator[Dict[str, str]]:
    """The variables of a job whose server, a process of its own, answers, hangs or is away."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path[:2]))
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, behaviour],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        yield {"FAIRLEAD_URL": url, "FAIRLEAD_JOB": "bench", "FAIRLEAD_JOB_TOKEN": "secret", "HEARTBEAT_FREQ": "1"}
        process.communicate()


def times(call: Callable[[], None], steps: int) -> str:
    taken = []
    for _ in range(steps):
        began = perf_counter_ns()
        while perf_counter_ns() - began < STEP_NANOSECONDS:
            pass
        began = perf_counter_ns()
        call()
        taken.append(perf_counter_ns() - began)
    taken.sort()
    points = (taken[steps // 2], taken[steps * 99 // 100], taken[-1])
    return "  ".join("%9.2f" % (nanoseconds / 1000) for nanoseconds in points)


def main() -> None:
    parser = argparse.ArgumentParser(description="times Training.measure()")
    parser.add_argument("--steps", type=int, default=30000)
    steps = parser.parse_args().steps
    print("%-18s %9s  %9s  %9s   microseconds, Python %s" % ("", "median", "p99", "most", sys.version.split()[0]))
    print("%-18s %s" % ("clock alone", times(lambda: None, steps)))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FAIRLEAD_SNAPSHOTS"] = folder
        training = Training()
        training.start_epoch()
        print("%-18s %s" % ("no job", times(training.measure, steps)))
        for behaviour in ("answers", "away", "hangs"):
            with server(behaviour) as job:
                os.environ.update(job)
                with Training() as training:
                    training.start_epoch()
                    print("%-18s %s" % ("server " + behaviour, times(training.measure, steps)), flush=True)


if __name__ == "__main__":
    main()
