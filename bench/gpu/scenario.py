"""Three PyTorch jobs on one GPU: two share it by memory, a third takes the place of one, all go on and finish.

bench/gpu/run.sh sets the server up and runs this. Standard library only.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any, Callable, Dict, List, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
MIB = 1 << 20

# What the owners say, rather too much, and what the scripts really fill, as parts of the GPU's memory: two fit, three
# do not.
ESTIMATED = 0.42
FILLED = 0.34
EPOCHS = 14
GUEST_EPOCHS = 6
STEPS = 120
# The guest comes when both hosts have ended so many epochs.
EPOCHS_BEFORE_GUEST = 2
# An epoch takes some 4 s, and PyTorch 10 to 20 s to start.
PATIENCE_SECONDS = 240


class Failed(Exception):
    """The scenario did not go as it should; the message says where."""


class Server:
    """The server under test, by its command line and its HTTP interface."""

    def __init__(self, program: str, home: str) -> None:
        self.program = program
        with open(os.path.join(home, "server.json"), encoding="utf-8") as file:
            told = json.load(file)
        self.url, self.token = told["url"], told["token"]

    def get(self, path: str) -> Any:
        request = urllib.request.Request(self.url + path, headers={"Authorization": "Bearer " + self.token})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            raise Failed("GET %s: %d %s" % (path, refusal.code, refusal.read().decode(errors="replace"))) from None

    def command(self, *words: str) -> str:
        ended = subprocess.run([self.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        if ended.returncode != 0:
            raise Failed("fairlead %s: %s" % (" ".join(words), ended.stderr.decode(errors="replace").strip()))
        return ended.stdout.decode().strip()

    def job(self, job: str) -> Dict[str, Any]:
        return self.get("/v1/jobs/" + job)


class Row:
    """One job and what was seen of it."""

    def __init__(self, name: str, job: str, estimated: int, began: float) -> None:
        self.name = name
        self.job = job
        self.estimated = estimated
        self.began = began
        self.ended: Optional[float] = None
        self.shares: Dict[int, int] = {}
        self.preempted_at: Optional[int] = None
        self.detail: Dict[str, Any] = {}
        self.own_epochs: Optional[int] = None

    def look(self, server: Server) -> None:
        self.detail = server.job(self.job)
        job = self.detail["job"]
        for task in self.detail.get("tasks") or []:
            if task.get("gpuMemoryBytes"):
                self.shares[job["attempts"]] = task["gpuMemoryBytes"]
        if job["state"] in ("succeeded", "failed", "cancelled") and self.ended is None:
            self.ended = time.monotonic()
        if job["state"] == "stopping" or (job["state"] == "queued" and job["attempts"] > 0):
            self.preempted_at = job.get("epochsDone")

    @property
    def state(self) -> str:
        return self.detail["job"]["state"]

    @property
    def epochs_done(self) -> int:
        return self.detail["job"].get("epochsDone") or 0

    @property
    def measured(self) -> Optional[int]:
        return (self.detail.get("progress") or {}).get("gpuMemoryBytes")


def main() -> None:
    program, home, work, python = sys.argv[1:5]
    server = Server(program, home)
    gpu = server.get("/v1/nodes")["nodes"][0]["devices"][0]
    memory = gpu.get("memoryBytes")
    if not memory:
        raise Failed("the driver does not tell the GPU's memory, so nothing can be shared by memory")
    print("GPU: %s, %d MiB" % (gpu["type"], memory // MIB), flush=True)
    began = time.monotonic()
    rows: List[Row] = []

    def submit(name: str, *options: str) -> Row:
        command = [python, os.path.join(HERE, "train.py"), "--steps", str(STEPS)]
        command += ["--hold-bytes", str(int(memory * FILLED))]
        environment = ["-e", "PYTHONPATH=" + os.environ["PYTHONPATH"]]
        if "PRETEND_BYTES" in os.environ:
            environment += ["-e", "PRETEND_BYTES=" + os.environ["PRETEND_BYTES"]]
        words = ["submit", "--name", name, "--workdir", work, *options, *environment]
        job = server.command(*words, "--", *command).split()[-1]
        say("%s submitted as %s" % (name, job))
        row = Row(name, job, int(memory * ESTIMATED), time.monotonic())
        rows.append(row)
        return row

    def say(line: str) -> None:
        print("%6.1f s  %s" % (time.monotonic() - began, line), flush=True)

    def wait(what: str, holds: Callable[[], bool]) -> None:
        while True:
            for row in rows:
                before = row.detail.get("job", {}).get("state")
                row.look(server)
                if row.state != before:
                    say("%s is %s%s" % (row.name, row.state, share(row)))
                if row.state in ("failed", "cancelled"):
                    raise Failed("%s %s: %s" % (row.name, row.state, row.detail["job"].get("reason")))
            if holds():
                say(what)
                return
            if time.monotonic() - began > PATIENCE_SECONDS:
                raise Failed("never, in %d s: %s" % (PATIENCE_SECONDS, what))
            time.sleep(0.5)

    def share(row: Row) -> str:
        held = row.shares.get(row.detail["job"]["attempts"])
        return " with %d MiB of the GPU" % (held // MIB) if held and row.state in ("starting", "running") else ""

    try:
        estimate = "%dM" % (memory * ESTIMATED // MIB)
        hosts = [
            submit(name, "-n", "1", "--epochs", str(EPOCHS), "--batch-size", "64", "--training-set-size", str(64 * STEPS),
                   "--estimated-memory", estimate)
            for name in ("first", "second")
        ]  # fmt: skip
        wait(
            "both share the GPU, their memory is measured, and each has ended %d epochs" % EPOCHS_BEFORE_GUEST,
            lambda: all(row.epochs_done >= EPOCHS_BEFORE_GUEST and row.measured for row in hosts),
        )
        for line in driver(program):
            say("the driver: " + line)
        guest = guest_job(submit, estimate)
        wait("the guest runs", lambda: guest.state in ("running", "succeeded"))
        if not any(row.preempted_at is not None for row in hosts):
            raise Failed("the guest runs, but nobody was preempted")
        wait("all have finished", lambda: all(row.state == "succeeded" for row in rows))
        check(server, rows, hosts)
        print("\n" + server.command("profile", hosts[-1].job))
    finally:
        for row in rows:
            if row.ended is None:
                subprocess.run([program, "abort", row.job], stdout=subprocess.DEVNULL, timeout=60, check=False)
        if rows and all(row.detail for row in rows):
            print_table(rows)
    print("ok: %.0f s" % (time.monotonic() - began))


def driver(program: str) -> List[str]:
    """What the engine's own code reads from the NVIDIA driver."""
    image = os.path.dirname(program)
    path = os.pathsep.join(os.path.join(image, "lib", part, "*") for part in ("cli", "server"))
    java = os.path.join(image, "runtime", "bin", "java")
    seen = subprocess.run(
        [java, "-cp", path, "fairlead.engines.local.GpuCheck"], stdout=subprocess.PIPE, timeout=60, check=False
    )
    return seen.stdout.decode(errors="replace").splitlines()


def guest_job(submit: Callable[..., Row], estimate: str) -> Row:
    """Somebody else's, inside a quota: the others live on what is idle, so one of them gives way."""
    words = ["--as", "bob", "--project", "urgent", "--gpu-memory", estimate, "-e", "EPOCHS_TO_BE_DONE=%d" % GUEST_EPOCHS]
    return submit("guest", *words)


def check(server: Server, rows: List[Row], hosts: List[Row]) -> None:
    """Nothing was lost and nothing repeated, by the scripts' own words."""
    for row in rows:
        log = "".join(
            server.command("logs", row.job, "--attempt", str(attempt + 1)) + "\n"
            for attempt in range(row.detail["job"]["attempts"])
        )
        done = [int(number) for number in re.findall(r"^epoch (\d+) of", log, re.MULTILINE)]
        row.own_epochs = len(done)
        wanted = EPOCHS if row in hosts else GUEST_EPOCHS
        if done != list(range(1, wanted + 1)):
            raise Failed("%s has done the epochs %s" % (row.name, done))
        if row.detail["job"]["attempts"] > 1 and "resumed after epoch" not in log:
            raise Failed("%s did not resume from its checkpoint" % row.name)


def print_table(rows: List[Row]) -> None:
    heads = ["JOB", "OWNER", "EPOCHS", "ATTEMPTS", "ESTIMATED", "MEASURED", "SHARES", "PREEMPTED AFTER", "LOST", "WALL TIME"]
    table = [heads]
    for row in rows:
        job = row.detail["job"]
        epochs = "%s of %s" % (job["epochsDone"], job["epochs"]) if job.get("epochs") else str(row.own_epochs or "-")
        setbacks = row.detail.get("setbacks") or {}
        lost = "%.1f s" % setbacks["lostSeconds"] if setbacks else "-"
        table.append(
            [
                row.name,
                job["owner"],
                epochs,
                str(job["attempts"]),
                "%d MiB" % (row.estimated // MIB),
                "%d MiB" % (row.measured // MIB) if row.measured else "-",
                ", ".join("%d" % (row.shares[attempt] // MIB) for attempt in sorted(row.shares)),
                "epoch %d" % row.preempted_at if row.preempted_at is not None else "-",
                lost,
                "%.0f s" % (row.ended - row.began) if row.ended else job["state"],
            ]
        )
    widths = [max(len(line[column]) for line in table) for column in range(len(heads))]
    print()
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    print()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except Failed as problem:
        print("FAILED: %s" % problem, flush=True)
        sys.exit(1)
