"""What the tests share: a job's environment, and scripts in processes of their own."""

import contextlib
import io
import os
import threading
import subprocess
import sys
import tempfile
import textwrap
import unittest
from typing import Dict, Iterator, List, Optional

from fake_server import WAIT_SECONDS, FakeServer

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.dirname(HERE)
EXAMPLES = os.path.join(os.path.dirname(LIBRARY), "examples", "training")

# Every variable that the library reads: tests must not inherit one from a job that runs them.
VARIABLES = (
    "BATCH_SIZE EPOCHS_DONE EPOCHS_TO_BE_DONE FAIRLEAD_ATTEMPT FAIRLEAD_JOB FAIRLEAD_JOB_TOKEN FAIRLEAD_SERVER_FILE "
    "FAIRLEAD_SNAPSHOTS FAIRLEAD_URL HEARTBEAT_FREQ JOB_RESTARTED JOB_UUID LOCAL_RANK NODELIST NODE_RANK NUM_GPUS "
    "NUM_NODES RANK RESERVED_MEM TRAINING_SET_SIZE"
).split()


class TrainingTest(unittest.TestCase):
    """A test with a folder of its own, and with a server where it asks for one."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.snapshots = os.path.join(self.folder, "snapshots")

    def server(self) -> FakeServer:
        server = FakeServer()
        self.addCleanup(server.close)
        return server

    def job(self, server: Optional[FakeServer] = None, **variables: object) -> Dict[str, str]:
        """The variables of a job: 5 epochs of 4 steps, unless said otherwise."""
        job: Dict[str, object] = {
            "JOB_UUID": "job-1",
            "JOB_RESTARTED": "FALSE",
            "EPOCHS_DONE": 0,
            "EPOCHS_TO_BE_DONE": 5,
            "BATCH_SIZE": 2,
            "TRAINING_SET_SIZE": 8,
            "HEARTBEAT_FREQ": 1,
            "NODELIST": "node-a",
            "NUM_GPUS": 1,
            "NUM_NODES": 1,
            "NODE_RANK": 0,
            "RESERVED_MEM": 1000,
            "FAIRLEAD_SNAPSHOTS": self.snapshots,
        }
        if server is not None:
            job.update(FAIRLEAD_URL=server.url, FAIRLEAD_JOB_TOKEN=server.token, FAIRLEAD_JOB="job-1", FAIRLEAD_ATTEMPT=1)
        job.update(variables)
        return {name: str(value) for name, value in job.items() if value is not None}

    @contextlib.contextmanager
    def environment(self, variables: Dict[str, str]) -> Iterator["Log"]:
        """Runs the body with only these variables of the library; what it says to the log comes back."""
        before = dict(os.environ)
        for name in VARIABLES:
            os.environ.pop(name, None)
        os.environ.update(variables)
        log = Log()
        try:
            with contextlib.redirect_stderr(log):
                yield log
        finally:
            os.environ.clear()
            os.environ.update(before)

    def run_script(self, script: str, variables: Dict[str, str], *more: str, path: str = "") -> "Finished":
        """Runs a file, or a text with line breaks, with this Python and only these variables of the library."""
        environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        environment.update(variables)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (LIBRARY, path)))
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        command: List[str] = [sys.executable, script]
        if "\n" in script:
            command = [sys.executable, "-c", textwrap.dedent(script)]
        done = subprocess.run(
            command + list(more),
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=2 * WAIT_SECONDS,
        )
        return Finished(done.returncode, done.stdout, done.stderr)


class Log(io.StringIO):
    """What the library says in this process."""

    def __init__(self) -> None:
        super().__init__()
        self._written = threading.Condition()

    def write(self, text: str) -> int:
        with self._written:
            self._written.notify_all()
            return super().write(text)

    def said(self, words: str) -> int:
        """In how many lines these words stand."""
        return sum(words in line for line in self.getvalue().splitlines())

    def wait_for(self, words: str) -> None:
        with self._written:
            if not self._written.wait_for(lambda: words in self.getvalue(), WAIT_SECONDS):
                raise AssertionError("nobody said %r, only:\n%s" % (words, self.getvalue()))


class Finished:
    """How a script ended and what it wrote."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        self.said = [line for line in err.splitlines() if line.startswith("fairlead: ")]

    def __repr__(self) -> str:
        return "exit %d\n%s\n%s" % (self.code, self.out, self.err)
