"""How reports travel to a Fairlead server."""

import http.client
import json
import socket
from typing import Any, Dict, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlsplit

from fairlead.trust import connection

# A healthy server answers in milliseconds. Connecting and each read are bounded by this.
REQUEST_SECONDS = 2.0
# Answers are one small object; whoever sends more is not our server.
ANSWER_BYTES_MAX = 64 * 1024
# Answers that no repetition changes: a wrong token, an unknown or ended job, an attempt that is over.
FINAL = (401, 403, 404, 410)
# Answers among the 4xx that ask for a later try.
LATER = (408, 429)


class Report(NamedTuple):
    """One fact about the training, at the time when it was true."""

    kind: str  # hello, heartbeat, epoch-start, epoch-end, checkpoint or metrics
    epoch: int
    step: int
    steps_in_all: int
    step_seconds: Optional[float] = None
    epoch_seconds: Optional[float] = None
    gpu_memory_bytes: Optional[int] = None
    points: Tuple[Dict[str, Any], ...] = ()  # of the kind metrics alone


class Away(Exception):
    """The server cannot be reached now; the same report may be sent later."""


class Refused(Exception):
    """The server does not want to hear from this process again."""


class Rejected(Exception):
    """The server does not take this one report."""


class Protocol:
    """How reports reach whoever listens. Only the reporting thread calls it."""

    where = ""
    """The address, for messages."""

    def send(self, report: Report) -> Optional[bool]:
        """Whether the job shall stop; None when the answer does not say. Raises Away, Refused or Rejected."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes every connection."""
        raise NotImplementedError

    def forget(self) -> None:
        """For a forked child: open connections are its parent's."""
        raise NotImplementedError


class Channel:
    """One HTTP connection that is kept open, to one server. Ignores proxies. Not thread-safe."""

    def __init__(self, url: str, fingerprint: Optional[str] = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("not an address like http://host:port: %r" % url[:200])
        secure = parts.scheme == "https"
        self.url = url.rstrip("/")
        self._secure = secure
        self._fingerprint = fingerprint
        self._address = (parts.hostname, parts.port or (443 if secure else 80))
        self._prefix = parts.path.rstrip("/")
        self._connection: Optional[http.client.HTTPConnection] = None

    def request(self, method: str, path: str, body: Any = None, token: str = "") -> Tuple[int, bytes]:
        """Status and text of the answer; raises Away. A connection that the server has closed is opened again."""
        payload = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if payload else {}
        if token:
            headers["Authorization"] = "Bearer " + token
        while True:
            reused = self._connection is not None
            if self._connection is None:
                self._connection = connection(self._secure, *self._address, REQUEST_SECONDS, self._fingerprint)
            try:
                self._connection.request(method, self._prefix + path, payload, headers)
                answer = self._connection.getresponse()
                content = answer.read(ANSWER_BYTES_MAX)
                if not answer.isclosed():
                    self.close()
                return answer.status, content
            except (OSError, http.client.HTTPException) as failure:
                self.close()
                if not reused or isinstance(failure, socket.timeout):
                    raise Away(str(failure) or type(failure).__name__)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def forget(self) -> None:
        """For a forked child: the connection is its parent's."""
        self._connection = None


class FairleadProtocol(Protocol):
    """Posts every report to the job's own address. Follows the server when it has moved."""

    def __init__(
        self,
        url: str,
        job: str,
        token: str,
        attempt: int,
        rank: int,
        server_file: Optional[str],
        fingerprint: Optional[str] = None,
    ) -> None:
        self._use(Channel(url, fingerprint))
        self._path = "/v1/jobs/%s/training" % quote(job, safe="")
        self._metrics = "/v1/jobs/%s/metrics" % quote(job, safe="")
        self._token = token
        self._sender = {"attempt": attempt, "rank": rank}
        self._server_file = server_file

    def _use(self, channel: Channel) -> None:
        self._channel = channel
        self.where = channel.url

    def send(self, report: Report) -> Optional[bool]:
        try:
            return self._post(report)
        except (Away, Refused):
            # A restarted server may have another port, and its old one may be somebody else's by now.
            if not self._moved():
                raise
        return self._post(report)

    def _post(self, report: Report) -> Optional[bool]:
        if report.kind == "metrics":
            checked(*self._channel.request("POST", self._metrics, {"points": list(report.points)}, self._token))
            return None
        body: Dict[str, Any] = dict(self._sender, kind=report.kind, epoch=report.epoch, step=report.step)
        measured = (
            ("stepSeconds", report.step_seconds),
            ("epochSeconds", report.epoch_seconds),
            ("gpuMemoryBytes", report.gpu_memory_bytes),
        )
        body.update((name, value) for name, value in measured if value is not None)
        content = checked(*self._channel.request("POST", self._path, body, self._token))
        answer = json_object(content)
        if not isinstance(answer.get("stop"), bool):
            raise Away("an answer that is not Fairlead's")
        return bool(answer["stop"])

    def _moved(self) -> bool:
        if not self._server_file:
            return False
        try:
            with open(self._server_file, "rb") as file:
                moved = Channel(str(json_object(file.read(ANSWER_BYTES_MAX)).get("url")))
        except (OSError, ValueError):
            return False
        if moved.url == self._channel.url:
            return False
        self._channel.close()
        self._use(moved)
        return True

    def close(self) -> None:
        self._channel.close()

    def forget(self) -> None:
        self._channel.forget()


def checked(status: int, content: bytes) -> bytes:
    """The text of a good answer; a bad one becomes what it means for the sender."""
    if 200 <= status < 300:
        return content
    message = ("%d %s" % (status, str(json_object(content).get("message", ""))[:200])).strip()
    if status in FINAL:
        raise Refused(message)
    if 400 <= status < 500 and status not in LATER:
        raise Rejected(message)
    raise Away(message)


def json_object(content: bytes) -> Dict[str, Any]:
    """A JSON object; an empty one when it is something else."""
    try:
        value = json.loads(content.decode("utf-8"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
