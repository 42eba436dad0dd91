"""Processes of this node and their end: whoever starts one here answers for what it leaves behind."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

SIGKILL = signal.SIGKILL
FAILED_GRACE_SECONDS = 5.0  # For the ranks beside one that has failed.


def log(text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write("fairlead: %s\n" % text)
    sys.stderr.flush()


class Stopped(BaseException):
    """The job was asked to end before its command has started."""


class Stop:
    """The wish of the engine that this task ends. Until somebody takes it, it breaks off whatever the main thread does."""

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self.asked = False
        self.at = 0.0
        self.taker: Optional[Callable[[], None]] = None
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: Any) -> None:
        if self.asked:
            return
        self.asked = True
        self.at = time.monotonic()
        if self.taker is None:
            raise Stopped()
        self.taker()

    def is_time_left(self) -> bool:
        """A little before the end of the grace, so that the last words are still heard."""
        return not self.asked or time.monotonic() < self.at + 0.9 * self.grace

    def is_not_asked(self) -> bool:
        return not self.asked


def terminate_ranks(launchers: List[subprocess.Popen], stop: Stop) -> None:
    """The polite signal to the ranks themselves: mpirun would give them a second, and then kill them."""
    for launcher in launchers:
        for group in groups_below(launcher.pid):
            signal_group(group, signal.SIGTERM)

    def force() -> None:
        for group in [group for launcher in launchers for group in groups_below(launcher.pid)]:
            signal_group(group, signal.SIGKILL)
        # mpirun then ends by itself; a signal of its own while it does so makes it crash.
        end = time.monotonic() + stop.grace / 4
        for launcher in launchers:
            while launcher.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
            end_group(launcher, 0.0)

    later = threading.Timer(stop.grace / 2, force)
    later.daemon = True
    later.start()


def groups_below(pid: int) -> List[int]:
    """The process groups of the ranks: each has one of its own, unlike mpirun's daemon and agents."""
    above: Dict[int, Tuple[int, int]] = {}
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % int(name), encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            above[int(name)] = (int(fields[1]), int(fields[2]))
        except (OSError, ValueError, IndexError):
            continue
    family = {pid}
    grown = True
    while grown:
        children = {each for each, (parent, _) in above.items() if parent in family} - family
        family |= children
        grown = bool(children)
    return sorted({above[each][1] for each in family if each in above and above[each][1] == each} - {pid})


def signal_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def end_group(process: subprocess.Popen, grace: float) -> None:
    """Politely, then by force: with the ranks below it and all of its group."""
    if process.poll() is not None:
        return
    # Known before the end of their parent, after which nobody could tell whose they were.
    below = groups_below(process.pid)
    if grace > 0:
        signal_group(process.pid, signal.SIGTERM)
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            pass
    for group in below + [process.pid]:
        signal_group(group, signal.SIGKILL)


def exit_code(code: int) -> int:
    return code if code >= 0 else 128 - code


def refused(words: List[str], problem: OSError) -> int:
    log("cannot run %s: %s" % (words[0], problem.strerror))
    return 127 if isinstance(problem, FileNotFoundError) else 126


def run_step(words: List[str], folder: str, environment: Dict[str, str], stop: Stop) -> int:
    """Something before the command. A stop waits until the process is known, so that none escapes it."""
    stop.taker = lambda: None
    try:
        process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
        stop.taker = lambda: end_group(process, 0.0)
        if stop.asked:
            end_group(process, 0.0)
        code = process.wait()
    finally:
        stop.taker = None
    if stop.asked:
        raise Stopped()
    return code


def run_plain(words: List[str], folder: str, environment: Dict[str, str], stop: Stop) -> int:
    """One process that writes where this one does."""
    stop.taker = lambda: None
    try:
        process = subprocess.Popen(words, cwd=folder, env=environment, start_new_session=True)
    except OSError as problem:
        return refused(words, problem)
    return watched([process], stop)[0]


def watched(processes: List[subprocess.Popen], stop: Stop) -> Tuple[int, int]:
    """The code of the first that fails, after which the others have to end too, or 0; and which one that was."""
    ended: "queue.Queue[Tuple[int, int]]" = queue.Queue()
    for rank, process in enumerate(processes):
        wait = lambda rank=rank, process=process: ended.put((process.wait(), rank))
        threading.Thread(target=wait, daemon=True).start()

    def end_all(grace: float) -> None:
        for each in processes:
            threading.Thread(target=end_group, args=(each, grace), daemon=True).start()

    stop.taker = lambda: end_all(stop.grace / 2)
    if stop.asked:
        end_all(stop.grace / 2)
    first = (0, 0)
    for _ in processes:
        code, rank = ended.get()
        if code != 0 and first[0] == 0:
            first = (exit_code(code), rank)
            if not stop.asked:
                end_all(FAILED_GRACE_SECONDS)
    for process in processes:
        signal_group(process.pid, signal.SIGKILL)
    return first
