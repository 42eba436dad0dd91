"""Whole lines of many ranks in one stream, each under the tag that mpirun gives it: [1,RANK]<stdout>:"""

import os
import re
import threading
from typing import Dict, IO, Optional

TAG = re.compile(rb"\[\d+,\d+\]<[a-z]+>:")
TAG_BYTES_MAX = 40
LINE_BYTES_MAX = 1 << 16  # A longer line is passed on in pieces.
CHUNK_BYTES = 1 << 16
WRITING = threading.Lock()


class Lines:
    """Keeps what a rank has begun to write until its line is whole, so that lines of several ranks do not mix.

    A bar that moves by carriage returns becomes a line for each move. One thread feeds it; several may share a stream.
    """

    def __init__(self, to: IO[bytes]) -> None:
        self._to = to
        self._begun: Dict[bytes, bytes] = {}

    def add(self, tag: bytes, text: bytes) -> None:
        text = self._begun.pop(tag, b"") + text
        # The other half of a line's end may come with the next piece.
        held = b"\r" if text.endswith(b"\r") else b""
        *whole, rest = text[:len(text) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        if len(rest) > LINE_BYTES_MAX:
            whole.append(rest)
            rest = b""
        if rest or held:
            self._begun[tag] = rest + held
        self._write(b"".join(tag + line + b"\n" for line in whole))

    def end(self) -> None:
        for tag, rest in self._begun.items():
            self._write(tag + rest + b"\n")
        self._begun.clear()

    def _write(self, text: bytes) -> None:
        if text:
            with WRITING:
                self._to.write(text)
                self._to.flush()


def copy_tagged(stream: IO[bytes], tag: bytes, to: IO[bytes]) -> None:
    """From a rank of ours until it closes its stream."""
    lines = Lines(to)
    with stream:
        while True:
            chunk = os.read(stream.fileno(), CHUNK_BYTES)
            if not chunk:
                break
            lines.add(tag, chunk)
    lines.end()


def copy_untangled(stream: IO[bytes], to: IO[bytes]) -> None:
    """From mpirun, which tags every piece that it reads from a rank, in the middle of a line too."""
    lines = Lines(to)
    tag: bytes = b""
    carried = b""
    with stream:
        while True:
            chunk = os.read(stream.fileno(), CHUNK_BYTES)
            data = carried + chunk
            cut = beginning_of_tag(data) if chunk else len(data)
            carried = data[cut:]
            tag = untangle(data[:cut], tag, lines)
            if not chunk:
                break
    lines.end()


def beginning_of_tag(data: bytes) -> int:
    """Where a tag begins that is not whole yet; the end where there is none."""
    at = data.rfind(b"[", max(0, len(data) - TAG_BYTES_MAX))
    is_open = at >= 0 and re.match(rb"\[[\d,]*\]?<?[a-z]*>?$", data[at:])
    return at if is_open else len(data)


def untangle(data: bytes, tag: bytes, lines: Lines) -> bytes:
    """Answers whose line the next piece goes on with. After the end of a line it is mpirun's own, which has no tag."""
    at = 0
    while at < len(data):
        found: Optional["re.Match[bytes]"] = TAG.search(data, at)
        end = data.find(b"\n", at) + 1 or len(data)
        if found is not None and found.start() < end:
            if found.start() > at:
                lines.add(tag, data[at:found.start()])
            tag, at = found.group(), found.end()
        else:
            lines.add(tag, data[at:end])
            if data[end - 1:end] == b"\n":
                tag = b""
            at = end
    return tag
