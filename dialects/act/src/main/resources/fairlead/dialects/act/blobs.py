"""Folders of Azure Blob for a job: fetched before it starts, and stored again where it has changed something.

Speaks the REST interface with a shared access signature, by the standard library of Python 3.6 alone. The signature
stands in no message. Nothing remote is ever deleted.
"""

import base64
import concurrent.futures
import contextlib
import http.client
import json
import os
import shutil
import threading
import time
import urllib.parse
from typing import Any, Callable, Dict, IO, Iterator, List, NamedTuple, Optional, Tuple
from xml.etree import ElementTree

PARALLEL = 16  # More gains little on one node, and each holds a block in memory.
TRIES = 10  # As ACT has it for the code; the pauses between them add up to about two minutes.
PAUSE_SECONDS_MAX = 20.0
# Between two lines about a fetch. A storage may also take so long for an answer or a piece of it, not for a file; then
# it is asked again, and the log says so.
NEWS_SECONDS = 30.0
CHUNK_BYTES = 1 << 20
BLOCK_BYTES = 4 << 20
BLOCKS_MAX = 50_000  # Azure's limit for one blob.
NAMES_MAX = 5_000_000  # A list of more does not fit into the memory of a small node.
NO_SPACE = "not enough space on this node"  # 'fairlead query' looks for these words.
LEFT_OUT_SHOWN = 20  # More lines would hide the log of the command.
PART_SUFFIX = ".fairlead-part"
VERSION = "2019-12-12"
AGAIN = (408, 429, 500, 502, 503, 504)


class BlobError(Exception):
    """What the storage has refused or could not do, in words for the job's owner."""


class Listed(NamedTuple):
    name: str
    size: int
    etag: str


class Container:
    """A container and the name in it that a place says. Any thread; each has a connection of its own."""

    def __init__(self, url: str, sas: str, going_on: Callable[[], bool] = lambda: True,
                 log: Callable[[str], None] = lambda _text: None) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BlobError("%s is no address of a blob" % url)
        segments = [urllib.parse.unquote(each) for each in parts.path.strip("/").split("/")]
        # ACCOUNT.blob.core.windows.net/CONTAINER, but HOST:PORT/ACCOUNT/CONTAINER for Azurite and its like.
        self.hosted = parts.hostname.split(".")[1:2] == ["blob"]
        before = 1 if self.hosted else 2
        if len(segments) < before or not segments[before - 1]:
            raise BlobError("%s names no container" % url)
        self.account = parts.hostname.split(".")[0] if self.hosted else segments[0]
        self.container = segments[before - 1]
        self.name = "/".join(segments[before:])
        self.endpoint = "%s://%s%s" % (parts.scheme, parts.netloc, "" if self.hosted else "/" + quoted(segments[0]))
        self._scheme, self._netloc = parts.scheme, parts.netloc
        self._path = "/" + "/".join(quoted(each) for each in segments[:before])
        self._sas = sas.lstrip("?")
        self._going_on = going_on
        self._local = threading.local()
        self._log = log
        self._counting = threading.Lock()
        self._told = 0.0
        self.fetched_bytes = 0

    def where(self, name: str) -> str:
        return "%s/%s/%s" % (self.endpoint, self.container, name)

    def list(self, prefix: str) -> Iterator[Listed]:
        """All blobs whose name begins so; folders of a hierarchical account are left out."""
        marker = ""
        while True:
            query = {"restype": "container", "comp": "list", "include": "metadata", "prefix": prefix, "marker": marker}
            text = self._tried("list " + self.where(prefix), lambda: self._answer("GET", None, query))
            root = ElementTree.fromstring(text)
            for blob in root.iter("Blob"):
                if blob.findtext("Metadata/hdi_isfolder", "").lower() == "true":
                    continue
                if blob.findtext("Properties/ResourceType", "") == "directory":
                    continue
                size = int(blob.findtext("Properties/Content-Length", "0"))
                yield Listed(blob.findtext("Name", ""), size, blob.findtext("Properties/Etag", ""))
            marker = root.findtext("NextMarker") or ""
            if not marker:
                return

    def fetch(self, name: str, path: str, etag: str = "") -> None:
        """Into a file that has its name only once it is whole. A broken connection goes on where it was."""
        part = path + PART_SUFFIX
        seen = {"etag": etag}
        with open(part, "wb") as file:
            self._tried("read " + self.where(name), lambda: self._rest(name, file, seen))
        os.replace(part, path)

    def _rest(self, name: str, file: IO[bytes], seen: Dict[str, str]) -> bytes:
        headers = {}
        if file.tell() > 0:
            headers = {"Range": "bytes=%d-" % file.tell(), "If-Match": quoted_etag(seen["etag"])}
        response = self._begin("GET", name, {}, headers, None)
        seen["etag"] = response.getheader("ETag") or ""
        awaited = int(response.getheader("Content-Length") or 0)
        if file.tell() > 0 and response.status != 206:
            file.seek(0)
            file.truncate()
        while awaited > 0:
            chunk = response.read(min(CHUNK_BYTES, awaited))
            if not chunk:
                raise http.client.IncompleteRead(b"", awaited)
            file.write(chunk)
            awaited -= len(chunk)
            with self._counting:
                self.fetched_bytes += len(chunk)
            self._check()
        response.read()
        return b""

    def store(self, path: str, name: str) -> None:
        """Whole or not at all: a blob of blocks appears when its list of them does."""
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            if size <= BLOCK_BYTES:
                self._put(name, {}, file.read(), {"x-ms-blob-type": "BlockBlob"})
                return
            block_bytes = max(BLOCK_BYTES, -(-size // BLOCKS_MAX))
            ids: List[str] = []
            while True:
                block = file.read(block_bytes)
                if not block:
                    break
                ids.append(base64.b64encode(b"%08d" % len(ids)).decode("ascii"))
                self._put(name, {"comp": "block", "blockid": ids[-1]}, block, {})
        latest = "".join("<Latest>%s</Latest>" % each for each in ids)
        body = '<?xml version="1.0" encoding="utf-8"?><BlockList>%s</BlockList>' % latest
        self._put(name, {"comp": "blocklist"}, body.encode("ascii"), {})

    def _put(self, name: str, query: Dict[str, str], body: bytes, headers: Dict[str, str]) -> None:
        self._tried("write " + self.where(name), lambda: self._answer("PUT", name, query, headers, body))

    def _answer(self, method: str, name: Optional[str], query: Dict[str, str], headers: Optional[Dict[str, str]] = None,
                body: Optional[bytes] = None) -> bytes:
        return self._begin(method, name, query, headers or {}, body).read()

    def _begin(self, method: str, name: Optional[str], query: Dict[str, str], headers: Dict[str, str],
               body: Optional[bytes]) -> http.client.HTTPResponse:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self._scheme == "https" else http.client.HTTPConnection
            connection = self._local.connection = kind(self._netloc, timeout=NEWS_SECONDS)
        pairs = [urllib.parse.urlencode(query), self._sas]
        target = self._path if name is None else self._path + "/" + quoted(name)
        target += "?" + "&".join(each for each in pairs if each)
        connection.request(method, target, body, dict(headers, **{"x-ms-version": VERSION}))
        response = connection.getresponse()
        if response.status >= 300:
            code = response.getheader("x-ms-error-code") or response.reason
            response.read()
            raise Refused(response.status, "%d %s" % (response.status, code))
        return response

    def _tried(self, what: str, call: Callable[[], bytes]) -> bytes:
        for attempt in range(1, TRIES + 1):
            self._check()
            try:
                return call()
            except Refused as refusal:
                if refusal.status not in AGAIN or attempt == TRIES:
                    raise BlobError("cannot %s: %s" % (what, refusal))
                self._tell_trouble(what, refusal)
            except (OSError, http.client.HTTPException) as problem:
                self._local.connection = None
                # A full disk does not become empty by trying again.
                if attempt == TRIES or getattr(problem, "filename", None) is not None or is_full(problem):
                    raise BlobError("cannot %s: %s" % (what, problem or type(problem).__name__))
                self._tell_trouble(what, problem)
            pause(min(PAUSE_SECONDS_MAX, 0.2 * 2 ** attempt), self._going_on)
        raise AssertionError("the last try has answered or raised")

    def _tell_trouble(self, what: str, problem: Exception) -> None:
        """Once in a while for all threads: a job that seems to do nothing must say what it waits for."""
        with self._counting:
            now = time.monotonic()
            if self._told and now - self._told < NEWS_SECONDS:
                return
            self._told = now
        self._log("cannot %s, and tries again: %s" % (what, problem or type(problem).__name__))

    def _check(self) -> None:
        if not self._going_on():
            raise BlobError("the job is being stopped")


class Refused(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="/~")


def quoted_etag(etag: str) -> str:
    return etag if etag.startswith('"') else '"%s"' % etag


def sized(count: int) -> str:
    """A size as people read it."""
    number, unit = float(count), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if number < 1000:
            break
        number, unit = number / 1000, larger
    return "%d %s" % (number, unit) if unit == "bytes" or number >= 100 else "%.1f %s" % (number, unit)


def counted(count: int, noun: str) -> str:
    return "%d %s%s" % (count, noun, "" if count == 1 else "s")


def is_full(problem: Exception) -> bool:
    return getattr(problem, "errno", None) in (28, 122)  # ENOSPC, EDQUOT


def pause(seconds: float, going_on: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while going_on() and time.monotonic() < end:
        time.sleep(min(0.2, seconds))


class Copy:
    """A remote folder as files of this node, with what each looked like when both were the same.

    The record of that is a file, so that several processes of one node, one after the other, store a change once.
    """

    def __init__(self, place: Container, folder: str, record: str, log: Callable[[str], None],
                 read_only: bool = False) -> None:
        self._place = place
        self._prefix = place.name + "/" if place.name else ""
        self._folder = folder
        self._record = record
        self._log = log
        self.read_only = read_only

    def bring(self) -> None:
        os.makedirs(self._folder, exist_ok=True)
        listed: Dict[str, Listed] = {}
        for blob in self._place.list(self._prefix):
            if len(listed) >= NAMES_MAX:
                raise BlobError("%s has more than %d blobs" % (self._place.where(self._prefix), NAMES_MAX))
            listed[blob.name[len(self._prefix):]] = blob
        folders = {parent for name in listed for parent in parents(name)}
        for name in list(listed):
            if name.endswith("/") or (name in folders and listed[name].size == 0):
                del listed[name]  # Some programs mark a folder by an empty blob.
            elif name in folders or not is_inside(name):
                self._log("%s is left out: no file can have that name" % self._place.where(listed.pop(name).name))
        for folder in sorted(each for each in folders if is_inside(each)):
            os.makedirs(os.path.join(self._folder, folder), exist_ok=True)
        total = sum(blob.size for blob in listed.values())
        self._check_room(total)
        with self._news(total):
            self._each(listed, lambda name: self._place.fetch(listed[name].name, self._path(name), listed[name].etag))
        if self.read_only:
            for name in listed:
                os.chmod(self._path(name), 0o444)
        self._save({name: stamp(self._path(name)) for name in listed})
        self._log("fetched %s, %s of %s" % (
            counted(len(listed), "file"), counted(total, "byte"), self._place.where(self._prefix)))

    def _check_room(self, total: int) -> None:
        free = shutil.disk_usage(self._folder).free
        if total > free:
            raise BlobError("%s: %s has %s, but only %s are free at %s on this node, which has no blobfuse2 to mount it" % (
                NO_SPACE, self._place.where(self._prefix), sized(total), sized(free), self._folder))

    @contextlib.contextmanager
    def _news(self, total: int) -> Iterator[None]:
        """A line now and then: a fetch may take an hour."""
        before = self._place.fetched_bytes
        over = threading.Event()

        def tell() -> None:
            while not over.wait(NEWS_SECONDS):
                done = min(total, self._place.fetched_bytes - before)
                self._log("%s of %s fetched of %s" % (sized(done), sized(total), self._place.where(self._prefix)))

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        try:
            yield
        finally:
            over.set()
            teller.join()

    def give(self, quiet_seconds: float = 0.0) -> None:
        """Stores what is new or has changed since. What failed is tried with the next call.

        A file that was written to within the last quiet seconds may be half of one, and is left for later.
        """
        with open(self._record, encoding="utf-8") as file:
            known = {name: tuple(each) for name, each in json.load(file).items()}
        left_out: List[str] = []
        names = list(self._files(os.path.realpath(self._folder), "", (), left_out))
        changed = [name for name in names if stamp(self._path(name)) != known.get(name)]
        if quiet_seconds <= 0 and not self.read_only:
            self._tell_left_out(left_out)
        if quiet_seconds > 0:
            newest = time.time() - quiet_seconds
            changed = [name for name in changed if os.stat(self._path(name)).st_mtime <= newest]
        if not changed:
            return
        if self.read_only:
            self._log("%s new or changed in %s, which is read-only, so that nothing is stored there" % (
                counted(len(changed), "file"), self._place.where(self._prefix)))
            return

        def store(name: str) -> None:
            seen = stamp(self._path(name))
            self._place.store(self._path(name), self._prefix + name)
            known[name] = seen

        try:
            self._each(changed, store)
        finally:
            self._save(known)
        self._log("stored %s in %s" % (counted(len(changed), "file"), self._place.where(self._prefix)))

    def _files(self, top: str, below: str, above: Tuple[str, ...], left_out: List[str]) -> Iterator[str]:
        """A link counts as what it leads to inside the folder. Elsewhere are files of the node, which nobody asked for.

        `above` are the real folders that it is in: one that a link leads back to would have no end.
        """
        real = os.path.realpath(os.path.join(top, below))
        try:
            with os.scandir(real) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            return  # The command may remove a folder meanwhile.
        for entry in found:
            name = os.path.join(below, entry.name)
            target = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
            if entry.name.endswith(PART_SUFFIX):
                continue
            if not os.path.exists(target):
                # A file may go while the command runs; a link that leads nowhere stays.
                if entry.is_symlink():
                    left_out.append(name + " is not stored: the link leads nowhere")
            elif not (target + os.sep).startswith(top + os.sep):
                left_out.append(name + " is not stored: the link leads out of the folder")
            elif entry.is_file():
                yield name
            elif not entry.is_dir():
                left_out.append(name + " is not stored: it is no file and no folder")
            elif target in above + (real,):
                left_out.append(name + " is not stored: the link leads back to a folder that it is in")
            else:
                for each in self._files(top, name, above + (real,), left_out):
                    yield each

    def _tell_left_out(self, left_out: List[str]) -> None:
        where = self._place.where(self._prefix)
        for line in left_out[:LEFT_OUT_SHOWN]:
            self._log(where + line)
        if len(left_out) > LEFT_OUT_SHOWN:
            self._log("%d more of %s are not stored" % (len(left_out) - LEFT_OUT_SHOWN, where))

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _save(self, known: Dict[str, Any]) -> None:
        with open(self._record + ".new", "w", encoding="utf-8") as file:
            json.dump(known, file)
        os.replace(self._record + ".new", self._record)

    @staticmethod
    def _each(names: Any, work: Callable[[str], None]) -> None:
        """All of them, a few at a time; the first failure is reported, and those not yet begun are left."""
        pool = concurrent.futures.ThreadPoolExecutor(PARALLEL)
        running = [pool.submit(work, name) for name in names]
        is_broken_off = True
        try:
            for each in concurrent.futures.as_completed(running):
                each.result()
            is_broken_off = False
        except (BlobError, OSError):
            is_broken_off = False
            raise
        finally:
            for each in running:
                each.cancel()
            # What is under way comes to its end, unless the job must end.
            pool.shutdown(wait=not is_broken_off)


def parents(name: str) -> Iterator[str]:
    while "/" in name:
        name = name.rsplit("/", 1)[0]
        yield name


def is_inside(name: str) -> bool:
    return bool(name) and "\0" not in name and not any(part in ("", ".", "..") for part in name.split("/"))


def stamp(path: str) -> Tuple[int, int]:
    seen = os.stat(path)
    return seen.st_size, seen.st_mtime_ns
