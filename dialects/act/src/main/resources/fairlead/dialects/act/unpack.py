"""A zip with somebody's code, unpacked so that nothing of it lands outside of its folder."""

import os
import shutil
import stat
import zipfile
import zlib
from typing import Callable, List, Tuple

try:
    from lzma import LZMAError
except ImportError:  # A Python without lzma does not read such archives either.
    LZMAError = zlib.error  # type: ignore

ENTRIES_MAX = 1_000_000
BYTES_MAX = 64 << 30  # Code with a model in it; a bomb has more.
LINK_BYTES_MAX = 4_096  # Linux knows no longer path.
CHUNK_BYTES = 1 << 20


class Unfit(Exception):
    """Why an archive is not unpacked, in words for its owner."""


def unpack(archive: str, folder: str, log: Callable[[str], None]) -> None:
    """Links come last, so no entry is written through one, and those that lead out are taken away again."""
    try:
        with zipfile.ZipFile(archive) as file:
            entries = file.infolist()
            check_size(entries, folder)
            refuse_behind_links(entries)
            links: List[Tuple[str, str]] = []
            for entry in entries:
                path = os.path.join(folder, checked(entry.filename))
                mode = entry.external_attr >> 16
                if entry.filename.endswith("/"):
                    os.makedirs(path, exist_ok=True)
                elif stat.S_ISLNK(mode):
                    with file.open(entry) as target:
                        links.append((path, os.fsdecode(target.read(LINK_BYTES_MAX))))
                elif stat.S_IFMT(mode) in (0, stat.S_IFREG):
                    write(file, entry, path)
                else:
                    raise Unfit("%r is neither a file, nor a folder, nor a link" % entry.filename)
        make(links, folder, log)
    except (zipfile.BadZipFile, zlib.error, LZMAError, NotImplementedError, RuntimeError, EOFError, ValueError) as problem:
        raise Unfit("it cannot be read as a zip: %s" % problem)
    except (FileExistsError, IsADirectoryError, NotADirectoryError) as problem:
        raise Unfit("two of its entries want to be the same: %s" % (problem.filename2 or problem.filename))
    except OSError as problem:
        raise Unfit("an entry cannot be written: %s" % problem)


def check_size(entries: List[zipfile.ZipInfo], folder: str) -> None:
    """By what the entries say of themselves: no more than that is read of any."""
    if len(entries) > ENTRIES_MAX:
        raise Unfit("it has more than %d entries" % ENTRIES_MAX)
    total = sum(entry.file_size for entry in entries)
    if total > BYTES_MAX:
        raise Unfit("it unpacks to %d bytes, and %d is the most" % (total, BYTES_MAX))
    free = shutil.disk_usage(folder).free
    if total > free:
        raise Unfit("not enough space on this node: it unpacks to %d bytes, and the disk of %s has room for %d" % (
            total, folder, free))


def checked(name: str) -> str:
    if name.startswith("/") or "\0" in name or ".." in name.split("/"):
        raise Unfit("its entry %r would land outside of the code's folder" % name)
    return name


def refuse_behind_links(entries: List[zipfile.ZipInfo]) -> None:
    """No folder of the archive is a link of the archive: what is made by way of one would be anywhere."""
    links = {steps(entry.filename) for entry in entries if stat.S_ISLNK(entry.external_attr >> 16)}
    for entry in entries:
        names = steps(checked(entry.filename))
        for count in range(1, len(names)):
            if names[:count] in links:
                raise Unfit("its entry %r lies behind its link %r" % ("/".join(names), "/".join(names[:count])))


def steps(name: str) -> Tuple[str, ...]:
    return tuple(step for step in name.split("/") if step not in ("", "."))


def write(file: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with file.open(entry) as source, open(path, "xb") as target:
        shutil.copyfileobj(source, target, CHUNK_BYTES)
    mode = entry.external_attr >> 16
    if mode:
        # Neither set-user-id nor the like: nobody packs that on purpose.
        os.chmod(path, mode & 0o777 | stat.S_IRUSR | stat.S_IWUSR)


def make(links: List[Tuple[str, str]], folder: str, log: Callable[[str], None]) -> None:
    for path, target in links:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(target, path)
    root = os.path.realpath(folder)
    for path, target in links:
        if not (os.path.realpath(path) + "/").startswith(root + "/"):
            os.remove(path)
            log("the link %s is left out: it leads to %s" % (os.path.relpath(path, folder), target))


def remove(path: str) -> None:
    """Whatever is there; links are not followed, and nothing that is mounted below is touched."""
    if os.path.islink(path) or os.path.isfile(path):
        os.remove(path)
    elif os.path.isdir(path):
        mounts = mounted_below(path)
        if mounts:
            raise OSError("something is still mounted at %s" % mounts[0])
        shutil.rmtree(path)


def mounted_below(path: str) -> List[str]:
    """Last mounted first, as the system lists them."""
    real = os.path.realpath(path)
    with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as file:
        points = [line.split(" ")[1].replace("\\040", " ") for line in file]
    return [each for each in reversed(points) if (each + "/").startswith(real + "/")]
