"""Runs the program that ACT's jobs have on their nodes, as the server hands it to a task."""

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
import zlib
from typing import Any, Callable, Dict, List, Optional, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = os.path.join(ROOT, "dialects/act/src/main/resources/fairlead/dialects/act")
# The order in which the server packs them.
with open(os.path.join(ROOT, "dialects/act/src/main/java/fairlead/dialects/act/NodeProgram.java"), encoding="utf-8") as java:
    PARTS = re.findall(r'"(\w+)"', java.read().split("PARTS =")[1].split(";")[0]) + ["boot"]
PATIENCE_SECONDS = 60.0

# The parts lie among the resources of a Java module, which are packed as they are.
sys.dont_write_bytecode = True


def source(part: str) -> str:
    with open(os.path.join(SOURCES, part + ".py"), encoding="utf-8") as file:
        return file.read()


def bundle() -> str:
    text = json.dumps({part: source(part) for part in PARTS})
    return base64.b64encode(zlib.compress(text.encode("utf-8"))).decode("ascii")


def free_ports(count: int) -> List[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


class NodeCase(unittest.TestCase):
    """A node with a folder for its temporary files and a zip with code that a test fills."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="act")
        self.addCleanup(holder.cleanup)
        self.home = os.path.realpath(holder.name)
        self.temporary = os.path.join(self.home, "tmp")
        os.mkdir(self.temporary)
        self.archive = os.path.join(self.home, "code.zip")
        self.job: Dict[str, Any] = {
            "config": "aml", "gpus": 1, "nodes": 1, "processesPerNode": 1, "mpi": False,
            "code": {"kind": "file", "path": self.archive}, "folders": {}, "compileArgs": "",
            "sleepIfFail": False, "sleepIfSucceed": False,
        }
        self.variables: Dict[str, str] = {}
        self.pack({"note.txt": "hello"})

    def pack(self, files: Dict[str, str], links: Optional[Dict[str, str]] = None) -> None:
        with zipfile.ZipFile(self.archive, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                entry = zipfile.ZipInfo(name)
                entry.external_attr = (0o100755 if name.endswith(".sh") else 0o100644) << 16
                archive.writestr(entry, text)
            for name, target in (links or {}).items():
                entry = zipfile.ZipInfo(name)
                entry.create_system = 3
                entry.external_attr = 0o120777 << 16
                archive.writestr(entry, target)

    def environment(self, index: int) -> Dict[str, str]:
        inherited = {name: text for name, text in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        own = dict(
            inherited,
            TMPDIR=self.temporary,
            FAIRLEAD_JOB="train_1_0000abcd",
            FAIRLEAD_ATTEMPT="1",
            FAIRLEAD_TASK_INDEX=str(index),
            FAIRLEAD_JOB_TOKEN="the job's token",
            FAIRLEAD_ACT_JOB=json.dumps(self.job),
            FAIRLEAD_ACT_RUNNER=bundle(),
        )
        own.update(self.variables)
        return own

    def start(self, *words: str, index: int = 0) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-c", source("boot"), "run"] + list(words), env=self.environment(index), cwd=self.home,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )
        self.addCleanup(self._end, process)
        return process

    @staticmethod
    def _end(process: subprocess.Popen) -> None:
        if process.poll() is None:
            process.kill()
        process.communicate()

    def run_job(self, *words: str) -> Tuple[int, str, str]:
        """The exit code, and what was written to both streams."""
        return self.ended(self.start(*words))

    @staticmethod
    def ended(process: subprocess.Popen) -> Tuple[int, str, str]:
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, out, err

    def over(self, nodes: int, each: int) -> None:
        """Makes the job one of MPI with so many tasks, all on this machine."""
        self.job.update(mpi=True, nodes=nodes, processesPerNode=each)
        ports = free_ports(nodes)
        self.places = [{"role": "main", "index": i, "host": "127.0.0.1", "ports": {"act": [ports[i]]}} for i in range(nodes)]
        self.variables.update(FAIRLEAD_TASKS=json.dumps(self.places), MASTER_ADDR="127.0.0.1")

    def start_all(self, *words: str) -> List[subprocess.Popen]:
        started = []
        for index, place in enumerate(self.places):
            self.variables["FAIRLEAD_PORT_ACT"] = str(place["ports"]["act"][0])
            started.append(self.start(*words, index=index))
        return started

    def path(self, name: str) -> str:
        return os.path.join(self.home, name)

    def read(self, name: str) -> str:
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def only(self, *programs: str) -> None:
        """A PATH with nothing but these."""
        folder = self.path("bin")
        os.makedirs(folder)
        for name in programs:
            found = shutil.which(name)
            assert found is not None, name
            os.symlink(found, os.path.join(folder, name))
        self.variables["PATH"] = folder

    def stand_in(self, name: str, script: str) -> None:
        """A program of this name, before all others."""
        folder = self.path("first")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(os.path.join(folder, name), 0o755)
        self.variables["PATH"] = folder + os.pathsep + os.environ["PATH"]

    def eventually(self, what: str, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def processes(self) -> List[int]:
        """Those that a job of this test has started: they inherit where its temporary files lie."""
        mark = ("TMPDIR=" + self.temporary).encode()
        found = []
        for name in os.listdir("/proc"):
            try:
                with open("/proc/%d/environ" % int(name), "rb") as file:
                    if mark in file.read().split(b"\0"):
                        found.append(int(name))
            except (OSError, ValueError):
                continue
        return found

    def leftovers(self) -> List[str]:
        """What the node still has of jobs."""
        found = []
        for name in os.listdir(self.temporary):
            base = os.path.join(self.temporary, name)
            found += [name + "/" + each for each in os.listdir(base) if each != "lock"]
        return found
