"""How the tasks of one job meet: over a port of each, with messages that only they can have written.

Task 0 asks the others whether their code is there, says in which way the ranks start, and at the end with which code.
With mpirun an agent of ours stands in for ssh: it hands the command line of mpirun's daemon to the other task. Every
message bears a code made with the job's token, which its tasks alone have.
"""

import hashlib
import hmac
import json
import os
import queue
import socket
import subprocess
import threading
import time
from typing import Any, Dict, List, Tuple

from processes import FAILED_GRACE_SECONDS, Stop, end_group, log, terminate_ranks

MESSAGE_BYTES_MAX = 1 << 20  # The longest is a command line of mpirun's daemon.
HANDSHAKE_SECONDS = 30.0
CONNECTIONS_MAX = 16  # Task 0 has two with each other task.
MEET_SECONDS = 24 * 3600.0  # The other task may have to fetch a lot of data before it listens.


class Team:
    """The tasks of the job, and this one among them."""

    def __init__(self, variables: Dict[str, str], nodes: int, per_node: int) -> None:
        self.index = int(variables.get("FAIRLEAD_TASK_INDEX", "0"))
        self.nodes = nodes
        self.per_node = per_node
        self.key = variables.get("FAIRLEAD_JOB_TOKEN", "").encode("utf-8")
        self.attempt = "%s/%s" % (variables.get("FAIRLEAD_JOB", ""), variables.get("FAIRLEAD_ATTEMPT", ""))
        tasks = sorted(json.loads(variables.get("FAIRLEAD_TASKS", "[]")), key=lambda task: task["index"])
        self.places: List[Tuple[str, int]] = [(task["host"], task["ports"]["act"][0]) for task in tasks]
        self.port = int(variables.get("FAIRLEAD_PORT_ACT", "0").split(",")[0])

    @property
    def size(self) -> int:
        return self.nodes * self.per_node

    @property
    def shares_machine(self) -> bool:
        return len({host for host, _ in self.places}) < len(self.places)

    def check(self) -> None:
        if self.nodes > 1 and (len(self.places) != self.nodes or not self.key):
            raise RuntimeError("the engine does not say where the %d tasks of this job are" % self.nodes)


class Channel:
    """One connection between two tasks. Each message has its number, and a code over it and both sides' dice."""

    def __init__(self, connection: socket.socket, team: Team, is_caller: bool) -> None:
        self._socket = connection
        self._file = connection.makefile("rb")
        self._key = team.key
        self._is_caller = is_caller
        self._sent = self._heard = 0
        ours = os.urandom(16).hex()
        connection.settimeout(HANDSHAKE_SECONDS)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.sendall(ours.encode("ascii") + b"\n")
        theirs = self._file.readline(64).strip().decode("ascii", "replace")
        self._session = "|".join([team.attempt] + ([ours, theirs] if is_caller else [theirs, ours]))
        self.send({"task": team.index})
        self.task = self.receive()["task"]
        connection.settimeout(None)

    def _code(self, from_caller: bool, number: int, body: bytes) -> bytes:
        head = "%s|%s|%d|" % (self._session, from_caller, number)
        return hmac.new(self._key, head.encode("utf-8") + body, hashlib.sha256).hexdigest().encode("ascii")

    def send(self, message: Dict[str, Any]) -> None:
        body = json.dumps(message).encode("utf-8")
        self._socket.sendall(self._code(self._is_caller, self._sent, body) + b" " + body + b"\n")
        self._sent += 1

    def receive(self) -> Dict[str, Any]:
        line = self._file.readline(MESSAGE_BYTES_MAX)
        if not line.endswith(b"\n"):
            raise ConnectionError("the other task has hung up")
        code, _, body = line.rstrip(b"\n").partition(b" ")
        if not hmac.compare_digest(code, self._code(not self._is_caller, self._heard, body)):
            raise ConnectionError("the other side does not know the job's token")
        self._heard += 1
        message: Dict[str, Any] = json.loads(body.decode("utf-8"))
        return message

    def close(self) -> None:
        # A reader in another thread would otherwise go on waiting.
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._file.close()
        self._socket.close()


def call(team: Team, index: int, patience: float) -> Channel:
    """Tries until the other task listens: its machine may be slower, and its name may not be known yet."""
    end = time.monotonic() + patience
    while True:
        try:
            return Channel(socket.create_connection(team.places[index], HANDSHAKE_SECONDS), team, True)
        except OSError as problem:
            if time.monotonic() > end:
                raise RuntimeError("task %d does not answer at %s:%d: %s" % ((index,) + team.places[index] + (problem,)))
            time.sleep(0.5)


class Peer:
    """A task that is not the first: it listens for what task 0 and mpirun's agent ask for, and ends when task 0 says."""

    def __init__(self, team: Team, environment: Dict[str, str], folder: str) -> None:
        self._team = team
        self._environment = environment
        self._folder = folder
        self._orders: "queue.Queue[Any]" = queue.Queue()
        self._daemons: List[subprocess.Popen] = []
        host = team.places[team.index][0]
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # A name or an address of a container need not be one that this side can bind to.
        self._listener.bind((host if host.startswith("127.") else "", team.port))
        self._listener.listen(CONNECTIONS_MAX)
        self._places = threading.BoundedSemaphore(CONNECTIONS_MAX)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self._places.acquire(blocking=False):
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
            else:
                connection.close()

    def _serve(self, connection: socket.socket) -> None:
        try:
            channel = Channel(connection, self._team, False)
            order = channel.receive()
            if order["do"] == "meet":
                self._meet(channel, order["way"])
            elif order["do"] == "run":
                self._run(channel, order["line"])
        except (OSError, ValueError, KeyError) as problem:
            log("a caller is turned away: %s" % problem)
        finally:
            connection.close()
            self._places.release()

    def _meet(self, channel: Channel, way: str) -> None:
        self._orders.put(way)
        code = 1
        try:
            channel.send({"state": "ready"})
            code = channel.receive()["code"]
        except (OSError, ValueError) as problem:
            log("task 0 is gone: %s" % problem)
        self._orders.put(code)

    def _run(self, channel: Channel, line: str) -> None:
        daemon = subprocess.Popen(["/bin/sh", "-c", line], cwd=self._folder, env=self._environment,
                                  stdin=subprocess.DEVNULL, start_new_session=True)
        self._daemons.append(daemon)
        threading.Thread(target=self._hung_up, args=(channel, daemon), daemon=True).start()
        code = daemon.wait()
        channel.send({"code": code})
        channel.close()

    @staticmethod
    def _hung_up(channel: Channel, daemon: subprocess.Popen) -> None:
        try:
            channel.receive()
        except (OSError, ValueError):
            end_group(daemon, FAILED_GRACE_SECONDS)

    def way(self) -> str:
        return str(self._orders.get())

    def stay(self, stop: Stop) -> int:
        """Until task 0 says with which code all ends. When asked to stop, the ranks of this node hear it at once."""
        stop.taker = lambda: terminate_ranks(self._daemons, stop)
        try:
            return int(self._orders.get())
        finally:
            for daemon in self._daemons:
                end_group(daemon, 0.0)
