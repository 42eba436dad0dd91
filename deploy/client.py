#!/usr/bin/env python3
"""Packs the command alone, for laptops of any system that have a Java: no server, no engine.

    deploy/client.py             .build/fairlead-client.zip, from the newest build; the same bytes for the same jars
"""

import os
import stat
import subprocess
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The oldest time that an archive can say, so that two builds of one source are alike.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def files(dist):
    client = os.path.join(ROOT, "deploy", "client")
    yield "fairlead", os.path.join(client, "fairlead"), 0o755
    yield "fairlead.cmd", os.path.join(client, "fairlead.cmd"), 0o644
    yield "LICENSE", os.path.join(ROOT, "LICENSE"), 0o644
    for part in ("cli", "transfer"):
        folder = os.path.join(dist, "lib", part)
        for name in sorted(os.listdir(folder)):
            yield f"lib/{part}/{name}", os.path.join(folder, name), 0o644


def main():
    subprocess.run([os.path.join(ROOT, "build")], check=True)
    with open(os.path.join(ROOT, ".build", "current"), encoding="utf-8") as file:
        dist = file.read().strip()
    archive = os.path.join(ROOT, ".build", "fairlead-client.zip")
    with zipfile.ZipFile(archive + ".new", "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path, mode in files(dist):
            entry = zipfile.ZipInfo("fairlead/" + name, LONG_AGO)
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with open(path, "rb") as file:
                packed.writestr(entry, file.read())
    os.replace(archive + ".new", archive)
    print(f"{os.path.relpath(archive)}: {os.path.getsize(archive) / 2**20:.1f} MiB")


if __name__ == "__main__":
    sys.exit(main())
