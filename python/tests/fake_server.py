"""A server on loopback that behaves as a test tells it to."""

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

# How long a test waits for something that should come in milliseconds; long, because machines are shared.
WAIT_SECONDS = 30.0


class FakeServer:
    """The other end of the training library: takes reports, answers as a test says, hangs, goes away, comes back.

    `stop` is what it answers; `status` other than 200 refuses instead; `decide`, when set, answers one report.
    """

    def __init__(self, token: str = "secret") -> None:
        self.token = token
        self.stop = False
        self.status = 200
        self.decide: Optional[Callable[[Dict[str, Any]], bool]] = None
        self.published_stop = "0"
        self.requests: List[Tuple[str, str, Any]] = []
        self.wrong: List[str] = []
        self._changed = threading.Condition()
        self._hanging = threading.Event()
        self._hanging.set()
        self.connections_made = 0
        self._connections: Set[socket.socket] = set()
        self._port = 0
        self._http: Optional[ThreadingHTTPServer] = None
        self.come_back()

    @property
    def url(self) -> str:
        return "http://127.0.0.1:%d" % self._port

    @property
    def host(self) -> str:
        return "127.0.0.1:%d" % self._port

    @property
    def reports(self) -> List[Dict[str, Any]]:
        """The bodies of Fairlead's own reports, in the order of their arrival."""
        with self._changed:
            return [body for _, path, body in self.requests if path.startswith("/v1/")]

    def kinds(self) -> List[str]:
        return [report["kind"] for report in self.reports]

    def epochs_counted(self) -> int:
        """The highest number of epochs that was reported as done: what a restart begins from."""
        return max((report["epoch"] for report in self.reports if report["kind"] == "epoch-end"), default=0)

    def wait_for(self, condition: Callable[[], Any]) -> None:
        with self._changed:
            if not self._changed.wait_for(condition, WAIT_SECONDS):
                raise AssertionError("waited in vain; requests so far: %s" % self.requests)

    def hang(self) -> None:
        """From now on requests get no answer until go_on()."""
        self._hanging.clear()

    def go_on(self) -> None:
        self._hanging.set()

    def go_away(self) -> None:
        """Closes the port and every connection, as a killed process does."""
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()
        self.close_connections()
        self._http = None

    def close_connections(self) -> None:
        with self._changed:
            for connection in self._connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # The client was faster.
            self._connections.clear()

    def come_back(self, port: Optional[int] = None) -> None:
        """Listens again: at its old port, unless another is given (0: any)."""
        handler = type("Handler", (_Handler,), {"fake": self})
        self._http = _Http(("127.0.0.1", self._port if port is None else port), handler)
        self._port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.go_on()
        if self._http is not None:
            self.go_away()

    def _connected(self, connection: socket.socket) -> None:
        with self._changed:
            self._connections.add(connection)
            self.connections_made += 1

    def _answer(self, method: str, path: str, body: Any, authorization: Optional[str]) -> Tuple[int, bytes]:
        with self._changed:
            self.requests.append((method, path, body))
            if path.startswith("/v1/") and authorization != "Bearer " + self.token:
                self.wrong.append("authorization: %s" % authorization)
            self._changed.notify_all()
        self._hanging.wait(WAIT_SECONDS)
        if self.status != 200:
            return self.status, b'{"code": "refused", "message": "the fake says no"}'
        if path.startswith("/has_to_stop/"):
            return 200, self.published_stop.encode()
        stop = self.decide(body) if self.decide else self.stop
        return 200, json.dumps({"stop": stop}).encode()


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Connections that a test breaks off are no error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    fake: FakeServer

    def setup(self) -> None:
        super().setup()
        self.fake._connected(self.connection)

    def do_GET(self) -> None:
        self._reply(None)

    def do_POST(self) -> None:
        self._reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _reply(self, body: Any) -> None:
        status, content = self.fake._answer(self.command, self.path, body, self.headers.get("Authorization"))
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            pass  # The client did not wait.

    def log_message(self, *_: Any) -> None:
        pass
