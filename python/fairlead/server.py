"""Which server the client talks to, found as the command `fairlead` finds it, and how it talks to it."""

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import time
from typing import Any, Dict, Iterator, NamedTuple, Optional, Tuple
from urllib.parse import urlencode, urlsplit

from fairlead import trust
from fairlead.environment import say, text
from fairlead.errors import UNREACHABLE, USAGE, FairleadError, refusal

CONNECT_SECONDS = 5.0
# A busy server takes seconds for much work.
ANSWER_SECONDS = 60.0
# Three of the server's heartbeats: after so long a silence the other end is taken for dead.
SILENCE_SECONDS = 45.0
# Far above the largest piece of a log that a server sends in one event.
LINE_BYTES_MAX = 16 * 1024 * 1024
# With the pauses between them, time enough for a personal server to restart.
TRIES_MAX = 6
PAUSE_SECONDS_FIRST = 0.1
# The first use of a checkout builds it, on a slow machine for minutes.
START_SECONDS_MAX = 600.0

Answer = Tuple[bytes, "http.client.HTTPMessage"]


class Endpoint(NamedTuple):
    """Where a server listens, and the token that opens it."""

    url: str
    token: str
    fingerprint: Optional[str] = None


class Event(NamedTuple):
    """One server-sent event; `id` is the server's name for the place after it."""

    kind: str
    id: Optional[str]
    data: str


class Silent(FairleadError):
    """No server answers where one should be. What was asked has not been sent."""


class Broken(FairleadError):
    """The connection ended before the answer. What was asked may be done."""


class Server:
    """A server, as the environment names it at the moment. Safe for several threads: each call has its own connection."""

    def __init__(self) -> None:
        self._named: Optional[Endpoint] = None
        url = text("FAIRLEAD_SERVER")
        if url is not None:
            named = endpoint(url, text("FAIRLEAD_TOKEN") or "", "FAIRLEAD_SERVER is ")
            self._named = named._replace(fingerprint=text("FAIRLEAD_FINGERPRINT"))
            return
        self._home = home()
        login = os.path.join(self._home, "login.json")
        if os.path.exists(login):
            try:
                told = read_object(login)
                named = endpoint(str(told["url"]), str(told["token"]), "")
                self._named = named._replace(fingerprint=told.get("fingerprint"))
            except (OSError, ValueError, KeyError, FairleadError) as failure:
                raise FairleadError(
                    "%s cannot be read; 'fairlead logout' removes it (%s)" % (login, failure), USAGE
                ) from None

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of an answer; parameters that are None are left out."""
        return _json(self.request("GET", path, query)[0])

    def get_again(self, path: str) -> Any:
        """The same of a server that has been there: where it is away now, nobody starts it."""
        return _json(self._request("GET", path, {}, None)[0])

    def post(self, path: str, body: Any = None) -> Any:
        return _json(self.request("POST", path, {}, body)[0])

    def post_repeated(self, path: str, body: Any) -> Any:
        """A call that names itself, so that an answer that is lost or late is no reason to give up."""
        pause = PAUSE_SECONDS_FIRST
        for left in reversed(range(TRIES_MAX)):
            try:
                return self.post(path, body)
            except FairleadError as failure:
                if not left or not (isinstance(failure, Broken) or failure.code == "undecided"):
                    raise
            time.sleep(pause)
            pause *= 2
        raise AssertionError("the last try returns or raises")

    def request(self, method: str, path: str, query: Dict[str, Any], body: Any = None) -> Answer:
        """The content and the headers of a good answer. A personal server is started where none runs."""
        try:
            return self._request(method, path, query, body)
        except Silent:
            if self._named is not None:
                raise
            self._start()
        return self._request(method, path, query, body)

    def _request(self, method: str, path: str, query: Dict[str, Any], body: Any) -> Answer:
        with self._exchange(method, path, query, body, {}) as (answer, _):
            return answer.read(), answer.headers

    def events(
        self, path: str, query: Dict[str, Any], after: Optional[str] = None, deadline: float = float("inf")
    ) -> Iterator[Event]:
        """Events as they come, until the server ends the stream or the deadline, a time of the monotonic clock.

        Raises Silent or Broken when the server goes away, and starts none.
        """
        headers = {} if after is None else {"Last-Event-ID": after}
        with self._exchange("GET", path, query, None, headers) as (answer, connected):
            kind, place, data = "message", None, None
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    return
                connected.settimeout(min(left, SILENCE_SECONDS))
                try:
                    line = answer.readline(LINE_BYTES_MAX)
                except socket.timeout:
                    if time.monotonic() >= deadline:
                        return
                    raise
                if not line.endswith(b"\n"):
                    return  # Nothing, or a line that broke off.
                field, _, value = line.decode("utf-8").rstrip("\r\n").partition(":")
                value = value[1:] if value.startswith(" ") else value
                if field == "event":
                    kind = value
                elif field == "id":
                    place = value
                elif field == "data":
                    data = value if data is None else data + "\n" + value
                elif not field and not value and not line.startswith(b":"):
                    if data is not None:
                        yield Event(kind, place, data)
                    kind, place, data = "message", None, None

    @contextlib.contextmanager
    def _exchange(
        self, method: str, path: str, query: Dict[str, Any], body: Any, headers: Dict[str, str]
    ) -> Iterator[Tuple[http.client.HTTPResponse, socket.socket]]:
        """Sends one request; the answer's content is the caller's to read, inside. Raises what a bad answer says."""
        where = self._locate()
        parts = urlsplit(where.url)
        secure = parts.scheme == "https"
        connection = trust.connection(
            secure, parts.hostname or "", parts.port, CONNECT_SECONDS, where.fingerprint
        )
        try:
            try:
                connection.connect()
            except OSError as failure:
                raise Silent("no server answers at %s (%s)" % (where.url, failure), UNREACHABLE) from None
            # Kept here because the connection forgets it when the answer is the last one.
            connected: socket.socket = connection.sock
            connected.settimeout(ANSWER_SECONDS)
            try:
                payload = None if body is None else json.dumps(body).encode("utf-8")
                if payload is not None:
                    headers = dict(headers, **{"Content-Type": "application/json"})
                if where.token:
                    headers = dict(headers, Authorization="Bearer " + where.token)
                asked = urlencode({name: value for name, value in query.items() if value is not None})
                target = parts.path.rstrip("/") + path + ("?" + asked if asked else "")
                connection.request(method, target, payload, headers)
                answer = connection.getresponse()
                if answer.status >= 300:
                    raise refusal(answer.status, answer.read())
                yield answer, connected
            except (OSError, http.client.HTTPException) as failure:
                words = str(failure) or type(failure).__name__
                raise Broken("the connection to %s broke (%s)" % (where.url, words), UNREACHABLE) from None
        finally:
            connection.close()

    def _locate(self) -> Endpoint:
        """Asked before each connection, because a restarted server may have moved."""
        if self._named is not None:
            return self._named
        path = os.path.join(self._home, "server.json")
        try:
            told = read_object(path)
            found = endpoint(str(told["url"]), str(told["token"]), "")
            pid = int(told["pid"])
        except FileNotFoundError:
            raise Silent("no server is running for " + self._home, UNREACHABLE) from None
        except (OSError, ValueError, KeyError, FairleadError) as failure:
            raise Silent("%s cannot be read (%s)" % (path, failure), UNREACHABLE) from None
        # Its port may be somebody else's by now, who must not be shown the token.
        if not alive(pid):
            raise Silent("the server of %s is not running" % self._home, UNREACHABLE)
        return found

    def _start(self) -> None:
        """Lets the command start the server: it knows how, and that only one is started."""
        command = shutil.which("fairlead")
        if command is None:
            raise FairleadError(
                "no server is running for %s, and the command 'fairlead' is not on the PATH to start one.\n"
                "Put the folder that has it on the PATH, or name a server: 'fairlead login URL', or the variables "
                "FAIRLEAD_SERVER and FAIRLEAD_TOKEN." % self._home,
                UNREACHABLE,
            )
        variables = dict(os.environ)
        if text("FAIRLEAD_HOME") is not None:
            variables["FAIRLEAD_HOME"] = self._home  # The folder of this process may be another one by now.
        try:
            done = subprocess.run(
                [command, "server", "start"],
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
                timeout=START_SECONDS_MAX,
            )
        except (OSError, subprocess.TimeoutExpired) as failure:
            raise FairleadError("'%s server start' failed: %s" % (command, failure), UNREACHABLE) from None
        if done.returncode:
            raise FairleadError(done.stdout.strip() or "'%s server start' failed" % command, done.returncode)
        say("started the personal server of " + self._home)


def _json(content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8"))
    except ValueError:
        raise FairleadError("an answer that is not Fairlead's; is the address right?") from None


def home() -> str:
    """The folder of the personal server and of the login, looked for in the order of the command `fairlead`."""
    named, user = text("FAIRLEAD_HOME"), text("HOME")
    if named is not None:
        return os.path.abspath(named)
    if user is None:
        raise FairleadError("neither FAIRLEAD_HOME nor HOME is set", USAGE)
    old = os.path.join(user, ".fairlead")
    if os.path.exists(old):
        return old
    state = text("XDG_STATE_HOME") or ""
    if not os.path.isabs(state):  # By the specification a relative path counts as none.
        state = os.path.join(user, ".local", "state")
    return os.path.join(state, "fairlead")


def endpoint(url: str, token: str, subject: str) -> Endpoint:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good:
        raise FairleadError("%snot an http or https url: %s" % (subject, url), USAGE)
    if not (token.isascii() and token.isprintable()):
        raise FairleadError("the token for %s has a line feed or another character that no token has" % url, USAGE)
    return Endpoint(url, token)


def read_object(path: str) -> Dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def alive(pid: int) -> bool:
    """Whether this process runs."""
    if os.name != "posix":
        return False  # Where a personal server cannot run, and where os.kill() would end a process.
    try:
        with open("/proc/%d/stat" % pid, encoding="latin-1") as file:
            # One that has ended stays listed until its parent looks, which in a container may be never.
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        pass  # It is gone, or this system has no such file.
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
