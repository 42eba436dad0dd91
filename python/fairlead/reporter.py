"""The thread that sends reports, so that training never waits for the network."""

import atexit
import os
import threading
import time
import weakref
from typing import Callable, List, Optional

from fairlead.environment import say
from fairlead.gpu import GpuMemory
from fairlead.protocol import Away, Protocol, Refused, Rejected, Report

# Reports that wait for a server: an hour of epochs of a minute, and small beside any model.
WAITING_MAX = 64
# Points of metrics in one report; a script that logs every step while the server is away keeps the newest.
POINTS_MAX = 500
# Only the newest of these says anything; an older one that still waits is replaced.
NEWEST_ONLY = ("heartbeat", "checkpoint")
# Pauses between tries while the server is away: soon after a restart, seldom in a long outage.
RETRY_SECONDS_LEAST = 1.0
RETRY_SECONDS_MOST = 30.0
# How long a question may hold up training, and how long while the server is known to be away.
ASK_SECONDS = 2.0
ASK_AWAY_SECONDS = 0.25
# How long the end of the process waits for the last reports.
CLOSE_SECONDS = 2.0


class _Waiting:
    """A report that waits to be sent; when it is also a question, somebody waits for its answer."""

    def __init__(self, report: Report, asked: bool) -> None:
        self.report = report
        self.asked = asked
        self.stop: Optional[bool] = None


class Reporter:
    """Sends reports in their order, from one daemon thread that starts with the first report.

    While the server is away reports are kept, at most WAITING_MAX; every try is followed by a longer pause. Any
    thread may call; no call waits for the network longer than its bound. A forked child begins with nothing: what
    waits is its parent's to send.
    """

    def __init__(self, protocol: Protocol) -> None:
        self.stop = False
        """Whether the newest answer asked the job to stop."""
        self.heard_at = float("-inf")
        """When the newest try ended, well or badly, by time.monotonic()."""
        self._protocol = protocol
        self._closed = False
        self._begin()
        _reporters.add(self)
        atexit.register(self.close)

    def _begin(self) -> None:
        self._changed = threading.Condition()
        self._thread: Optional[threading.Thread] = None
        self._waiting: List[_Waiting] = []
        self._sending: Optional[_Waiting] = None
        self._memory = GpuMemory()
        self._dropped = 0
        self._rejected = False
        self._retry_at = float("-inf")
        self._pause = 0.0  # 0 while the server is there
        self._hurry = False

    def put(self, report: Report) -> None:
        """Hands a report over. Never waits."""
        with self._changed:
            self._add(_Waiting(report, asked=False))

    def ask(self, report: Report) -> Optional[bool]:
        """Sends a report after those that wait, and returns whether to stop; None when no answer came in time."""
        question = _Waiting(report, asked=True)
        with self._changed:
            self._add(question)
            self._wait_while(lambda: question.asked, ASK_AWAY_SECONDS if self._pause else ASK_SECONDS)
            self._give_up(question)
            return question.stop

    def close(self) -> None:
        """Sends what waits, for at most CLOSE_SECONDS; drops the rest with one line. Later reports are ignored."""
        with self._changed:
            if self._closed:
                return
            self._hurry = True
            self._changed.notify_all()
            self._wait_while(lambda: self._hurry and bool(self._waiting or self._sending), CLOSE_SECONDS)
            left = len(self._waiting) + (self._sending is not None)
            if left and not self._closed:
                say("%s could not be reached; reports dropped: %d" % (self._protocol.where, left))
            self._fall_silent()

    def _wait_while(self, condition: Callable[[], bool], seconds: float) -> None:
        self._changed.wait_for(lambda: self._closed or not condition(), seconds)

    def _add(self, item: _Waiting) -> None:
        if self._closed:
            item.asked = False
            return
        kind = item.report.kind
        if kind in NEWEST_ONLY:
            self._waiting = [old for old in self._waiting if old.asked or old.report.kind != kind]
        if kind == "metrics" and self._joined(item.report):
            return
        if len(self._waiting) >= WAITING_MAX:
            heartbeats = [old for old in self._waiting if old.report.kind == "heartbeat"]
            self._waiting.remove((heartbeats or self._waiting)[0])
            self._dropped += 1
        self._waiting.append(item)
        if self._thread is None:
            self._start()
        self._changed.notify_all()

    def _joined(self, report: Report) -> bool:
        """Whether the points went into a report that waits already; of too many the oldest are dropped."""
        for old in self._waiting:
            if old.report.kind == "metrics":
                points = old.report.points + report.points
                self._dropped += max(0, len(points) - POINTS_MAX)
                old.report = old.report._replace(points=points[-POINTS_MAX:])
                return True
        return False

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="fairlead-reports", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as failure:  # No threads left, or the interpreter is ending.
            say("cannot report (%s); training goes on without" % failure)
            self._fall_silent()

    def _run(self) -> None:
        try:
            while self._send_one():
                pass
        except Exception as failure:  # A bug here must not cost a training, nor hide.
            say("reporting failed (%s: %s); training goes on without" % (type(failure).__name__, failure))
            with self._changed:
                self._fall_silent()
        self._protocol.close()

    def _send_one(self) -> bool:
        """Waits for a report and tries to send it; false when this reporter is closed."""
        with self._changed:
            while not self._closed and not self._due():
                self._changed.wait(max(0.0, self._retry_at - time.monotonic()) if self._waiting else None)
            if self._closed:
                return False
            item = self._sending = self._waiting.pop(0)
        report = item.report
        if report.kind not in ("hello", "epoch-start", "metrics"):
            report = report._replace(gpu_memory_bytes=self._memory.peak_bytes())
        stop: Optional[bool] = None
        failure: Optional[Exception] = None
        try:
            stop = self._protocol.send(report)
        except (Away, Refused, Rejected) as outcome:
            failure = outcome
        with self._changed:
            self._sending = None
            self._settle(item, stop, failure)
            self._changed.notify_all()
        return True

    def _due(self) -> bool:
        if not self._waiting:
            return False
        hurry = self._hurry or any(item.asked for item in self._waiting)
        return hurry or time.monotonic() >= self._retry_at

    def _settle(self, item: _Waiting, stop: Optional[bool], failure: Optional[Exception]) -> None:
        self.heard_at = time.monotonic()
        if isinstance(failure, Away):
            self._is_away(item, failure)
            return
        item.asked = False
        if isinstance(failure, Refused):
            say("%s takes no reports from here (%s); training goes on without" % (self._protocol.where, failure))
            self._fall_silent()
            return
        if self._pause:
            lost = "; old reports dropped: %d" % self._dropped if self._dropped else ""
            say("the server is back at %s%s" % (self._protocol.where, lost))
            self._pause = self._dropped = 0
            self._retry_at = float("-inf")
        if failure is not None and not self._rejected:
            self._rejected = True
            say("%s did not take a report of kind %s (%s)" % (self._protocol.where, item.report.kind, failure))
        if stop is not None:
            self.stop = item.stop = stop

    def _is_away(self, item: _Waiting, failure: Away) -> None:
        if not self._pause:
            say(
                "the server at %s cannot be reached (%s); training goes on, reports are sent later"
                % (self._protocol.where, failure)
            )
        self._pause = min(self._pause * 2 or RETRY_SECONDS_LEAST, RETRY_SECONDS_MOST)
        self._retry_at = time.monotonic() + self._pause
        self._hurry = False
        kind = item.report.kind
        if not (kind in NEWEST_ONLY and any(newer.report.kind == kind for newer in self._waiting)):
            self._waiting.insert(0, item)
        self._give_up(item)
        for question in [waiting for waiting in self._waiting if waiting.asked]:
            self._give_up(question)

    def _give_up(self, question: _Waiting) -> None:
        """Nobody waits for this answer any longer. The start of an epoch is news only while it starts."""
        question.asked = False
        if question.report.kind == "epoch-start" and question in self._waiting:
            self._waiting.remove(question)

    def _fall_silent(self) -> None:
        self._closed = True
        self._waiting = []
        self._changed.notify_all()

    def _after_fork(self) -> None:
        self._protocol.forget()
        self._begin()


_reporters: "weakref.WeakSet[Reporter]" = weakref.WeakSet()


def _forget_parents() -> None:
    for reporter in list(_reporters):
        reporter._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parents)
