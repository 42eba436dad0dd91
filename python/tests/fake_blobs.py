"""A storage account in memory that speaks as much of Azure's interface as the program of the node does.

It can be told to fail: to refuse for a while, or to hang up in the middle of an answer.
"""

import collections
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn
from typing import Any, Dict, List, Tuple
from xml.sax.saxutils import escape

PAGE = 3  # Small, so that lists have several.


class Server(ThreadingMixIn, HTTPServer):
    daemon_threads = True


class FakeBlobs:
    """One account, `acct`, with the container `box`; whoever shows `sig=good` may do everything."""

    def __init__(self) -> None:
        self.blobs: Dict[str, bytes] = {}
        self.blocks: Dict[Tuple[str, str], bytes] = {}
        self.calls: "collections.Counter[str]" = collections.Counter()
        self.refusals = 0
        self.stalled = threading.Event()
        self.is_stalling = False
        self.is_read_only = False
        self.hang_ups = 0
        self.closed = threading.Event()
        self.lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer.answer(self)

            do_PUT = do_DELETE = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = "http://127.0.0.1:%d/acct/box" % self._server.server_address[1]
        self.sas = "?sv=1&sig=good"

    def close(self) -> None:
        self.closed.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, call: Any) -> None:
        body = call.rfile.read(int(call.headers.get("Content-Length") or 0))
        parts = urllib.parse.urlsplit(call.path)
        query = {name: values[0] for name, values in urllib.parse.parse_qs(parts.query).items()}
        name = urllib.parse.unquote(parts.path)[len("/acct/box/"):]
        if self.is_stalling and name in self.blobs:
            self.stalled.set()
            self.closed.wait()
            return None
        with self.lock:
            self.calls[call.command] += 1
            if query.get("sig") != "good":
                return self.say(call, 403, b"", {"x-ms-error-code": "AuthenticationFailed"})
            if self.refusals > 0:
                self.refusals -= 1
                return self.say(call, 503, b"", {"x-ms-error-code": "ServerBusy"})
            if call.command == "PUT" and self.is_read_only:
                return self.say(call, 403, b"", {"x-ms-error-code": "AuthorizationPermissionMismatch"})
            if call.command == "PUT":
                return self.put(call, name, query, body)
            if query.get("comp") == "list":
                return self.say(call, 200, self.page(query), {})
            return self.get(call, name)

    def put(self, call: Any, name: str, query: Dict[str, str], body: bytes) -> None:
        if query.get("comp") == "block":
            self.blocks[name, query["blockid"]] = body
        elif query.get("comp") == "blocklist":
            ids = body.decode().split("<Latest>")[1:]
            self.blobs[name] = b"".join(self.blocks[name, each.split("<")[0]] for each in ids)
        else:
            self.blobs[name] = body
        self.say(call, 201, b"", {})

    def get(self, call: Any, name: str) -> None:
        if name not in self.blobs:
            return self.say(call, 404, b"", {"x-ms-error-code": "BlobNotFound"})
        content = self.blobs[name]
        span = call.headers.get("Range")
        begin = int(span[len("bytes="):-1]) if span else 0
        rest = content[begin:]
        if self.hang_ups > 0 and len(rest) > 1:
            self.hang_ups -= 1
            self.say(call, 206 if span else 200, rest[:len(rest) // 2], {"ETag": '"e"'}, len(rest))
            call.close_connection = True
            return None
        return self.say(call, 206 if span else 200, rest, {"ETag": '"e"'})

    def page(self, query: Dict[str, str]) -> bytes:
        names = sorted(name for name in self.blobs if name.startswith(query.get("prefix", "")))
        names = [name for name in names if name >= query.get("marker", "")]
        rows: List[str] = []
        for name in names[:PAGE]:
            size = len(self.blobs[name])
            properties = "<Properties><Etag>e</Etag><Content-Length>%d</Content-Length></Properties>" % size
            rows.append("<Blob><Name>%s</Name>%s</Blob>" % (escape(name), properties))
        more = names[PAGE] if len(names) > PAGE else ""
        text = "<EnumerationResults><Blobs>%s</Blobs><NextMarker>%s</NextMarker></EnumerationResults>"
        return (text % ("".join(rows), escape(more))).encode("utf-8")

    @staticmethod
    def say(call: Any, status: int, body: bytes, headers: Dict[str, str], length: int = -1) -> None:
        call.send_response(status)
        for name, value in headers.items():
            call.send_header(name, value)
        call.send_header("Content-Length", str(length if length >= 0 else len(body)))
        call.end_headers()
        call.wfile.write(body)
