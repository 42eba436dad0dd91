#!/usr/bin/env python3
"""How long `fairlead init` takes on a tree of 10,000 files, beside the way of ACT: zip -uyrv and an upload of the whole.

    bench/init.py                     about three minutes on two cores
    bench/init.py --files 1000 --rounds 3      a quick try

Each store gets a first init, inits of the unchanged tree, and inits after one file has changed. The old way updates the
local zip and uploads all of it: with cp to the folder, and with azcopy to Azurite (an Azurite and an azcopy of npm, in
.build/). Prints the table of docs/performance.md: medians of the wall clock, the
processor time of the client, and the bytes that travel.
"""
import argparse
import os
import pathlib
import random
import re
import resource
import statistics
import subprocess
import tempfile
import time

import azcopy

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = "import def class return self model data loss torch value for in range if else lambda tensor size shape".split()


def grow(top, files):
    """Python code of 200 bytes to 20 KB, in 100 folders."""
    dice = random.Random(1)
    for i in range(files):
        folder = top / f"package{i % 100}"
        folder.mkdir(exist_ok=True)
        size, lines = dice.randrange(200, 20_000), []
        while size > 0:
            lines.append(" ".join(dice.choices(WORDS, k=8)) + f" {dice.randrange(10_000)}\n")
            size -= len(lines[-1])
        (folder / f"module{i}.py").write_text("".join(lines))


def timed(command, **more):
    """Wall clock and processor seconds, and what it printed."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, used, done.stdout


class Ours:
    def __init__(self, top, environment, cluster):
        self.top, self.environment, self.cluster = top, environment, cluster

    def run(self):
        seconds, used, said = timed([ROOT / "fairlead", "-c", self.cluster, "init"], cwd=self.top, env=self.environment)
        return seconds, used, re.search(r"; sent (.*) to ", said).group(1)


class Old:
    """As ACT does it; send gets the zip to the store."""

    def __init__(self, top, archive, send):
        self.top, self.archive, self.send = top, archive, send

    def run(self):
        # zip exits with 12 when there is nothing to do.
        command = f"zip -uyrv {self.archive} * >/dev/null; code=$?; [ $code = 0 ] || [ $code = 12 ]"
        seconds, used, _ = timed(["sh", "-c", command], cwd=self.top)
        more, sending, _ = timed(self.send)
        return seconds + more, used + sending, f"{os.path.getsize(self.archive) / 1e6:.0f} MB"


def change(top, count):
    with open(top / "package7" / "module7.py", "a") as file:
        file.write(f"changed = {count}\n")


def measure(name, way, top, rounds):
    first = way.run()
    # What is younger than two seconds is read again the next time.
    time.sleep(2)
    way.run()
    same = [way.run() for _ in range(rounds)]
    changed = []
    for i in range(rounds):
        change(top, time.monotonic_ns())
        changed.append(way.run())
    return f"| {name} | {median([first])} | {median(same)} | {median(changed)} |"


def median(runs):
    seconds = statistics.median(run[0] for run in runs)
    used = statistics.median(run[1] for run in runs)
    sent = sorted(run[2] for run in runs)[len(runs) // 2]
    return f"{seconds:.2f} s, {used:.2f} s, {sent}"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--files", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        top, store, blobs = place / "code", place / "store", place / "blobs"
        for each in top / "aux_data/aml", top / "aux_data/configs", store, blobs:
            each.mkdir(parents=True)
        grow(top, given.files)
        server = azcopy.Bench(blobs, 0, 0)
        environment = {**server.environment, "FAIRLEAD_HOME": str(place / "home")}
        try:
            server.call("PUT", "code")
            (top / "aux_data/configs/blob_account.yaml").write_text(
                f"account_name: {azcopy.ACCOUNT}\nsas_token: '?{server.sas}'\ncontainer_name: code\n"
                f"endpoint: http://127.0.0.1:{server.port}/{azcopy.ACCOUNT}\n")
            blob = "azure_blob_config_file: aux_data/configs/blob_account.yaml"
            for name, where in ("folder", f"storage: 'file:{store}'"), ("blob", blob):
                (top / f"aux_data/aml/{name}.yaml").write_text(
                    f"engine: local\nconfig_param:\n  code_path: {{{where}, path: code.zip}}\n")
            subprocess.run([ROOT / "fairlead", "--help"], check=True, capture_output=True, env=environment)
            azcopied = [server.azcopy, "copy", place / "b.zip", server.url("code", "old.zip"), "--from-to",
                        "LocalBlob", "--overwrite=true"]
            ways = [
                ("folder, fairlead", Ours(top, environment, "folder")),
                ("folder, zip and cp", Old(top, place / "a.zip", ["cp", place / "a.zip", store / "old.zip"])),
                ("Azurite, fairlead", Ours(top, environment, "blob")),
                ("Azurite, zip and azcopy", Old(top, place / "b.zip", azcopied)),
            ]
            print("| store and way | first | unchanged | one file changed |\n|---|---|---|---|")
            for name, way in ways:
                print(measure(name, way, top, given.rounds), flush=True)
        finally:
            server.azurite.terminate()
            server.azurite.wait()


if __name__ == "__main__":
    main()
