"""Makes the package that pip installs, with the standard library alone, so that `pip install ./python` needs no network.

    python3 pack.py FOLDER      writes the wheel there and prints its path

The functions are those that pip calls (PEP 517 and PEP 660). The same sources make the same bytes.
"""

import base64
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile
from typing import Any, Dict, List, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ("fairlead", "kubernetesdlprofile")
# The earliest that a zip archive can say.
TIME = (1980, 1, 1, 0, 0, 0)
FILE_MODE = 0o100644


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    return _write_wheel(wheel_directory, _sources())


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    return _write_wheel(wheel_directory, {"fairlead.pth": (HERE + "\n").encode()})


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    base = "%s-%s" % (_field("name"), _field("version"))
    files = _sources()
    files.update({name: _read(name) for name in ("pack.py", "pyproject.toml")})
    files.update({"LICENSE": _license(), "PKG-INFO": _metadata()})
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz") as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(base + "/" + name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return base + ".tar.gz"


def _write_wheel(folder: str, files: Dict[str, bytes]) -> str:
    base = "%s-%s" % (_field("name"), _field("version"))
    info = base + ".dist-info/"
    files = dict(files)
    files[info + "METADATA"] = _metadata()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: pack.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[info + "licenses/LICENSE"] = _license()
    record = ["%s,sha256=%s,%d\n" % (name, _digest(files[name]), len(files[name])) for name in sorted(files)]
    files[info + "RECORD"] = ("".join(record) + info + "RECORD,,\n").encode()
    wheel = base + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = FILE_MODE << 16
            archive.writestr(entry, content)
    return wheel


def _sources() -> Dict[str, bytes]:
    names: List[str] = []
    for package in PACKAGES:
        names += [package + "/" + name for name in os.listdir(os.path.join(HERE, package)) if _belongs(name)]
    return {name: _read(name) for name in sorted(names)}


def _belongs(name: str) -> bool:
    return name.endswith(".py") or name == "py.typed"


def _metadata() -> bytes:
    lines = (
        "Metadata-Version: 2.1",
        "Name: " + _field("name"),
        "Version: " + _field("version"),
        "Summary: " + _field("description"),
        "License: Apache-2.0",
        "Requires-Python: " + _field("requires-python"),
    )
    return ("\n".join(lines) + "\n").encode()


def _field(name: str) -> str:
    """A field of pyproject.toml, which Python can read by itself only from 3.11 on."""
    found = re.search(r'^%s = "([^"]*)"$' % name, _read("pyproject.toml").decode(), re.MULTILINE)
    if found is None:
        raise ValueError("pyproject.toml has no %s" % name)
    return found.group(1)


def _license() -> bytes:
    """In a checkout it lies above this folder, in an archive of the sources beside it."""
    above = os.path.join("..", "LICENSE")
    return _read(above if os.path.exists(os.path.join(HERE, above)) else "LICENSE")


def _read(name: str) -> bytes:
    with open(os.path.join(HERE, name), "rb") as file:
        return file.read()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("usage: pack.py FOLDER")
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
