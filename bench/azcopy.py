#!/usr/bin/env python3
"""How fast files go to Azure Blob Storage and back, beside azcopy 10 on the same Azurite.

    bench/azcopy.py                     3 rounds, about 10 minutes on two quiet cores
    bench/azcopy.py --rounds 5
    bench/azcopy.py --files 1000 --mebibytes 128     a quick try

Both move 10,000 files of 10 KiB and one file of 1 GiB, each in a process of its own, by the same SAS; they take turns, and
who goes first changes every round. A round has a container of its own, so nothing is there before. Prints the table of
docs/performance.md: medians of the wall clock, the processor time of the client alone, and the client's most memory.
Azurite and azcopy are installed by npm into .build/; azcopy needs Debian's libsecret-1-0.
"""
import argparse
import base64
import datetime
import filecmp
import hashlib
import hmac
import http.client
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
AZURITE = "azurite", "3.37.0", "node_modules/azurite/dist/src/blob/main.js"
AZCOPY = "@azure-tools/azcopy-linux", "10.32.2", "node_modules/@azure-tools/azcopy-linux/dist/bin/azcopy_linux_amd64"
# Every Azurite has this account; its key is public.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
FILE_BYTES = 10 * 1024


def installed(package, version, program):
    place = ROOT / ".build" / package.split("/")[-1]
    if not (place / program).exists():
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", place, "--no-package-lock", "--no-save", "--no-audit", "--no-fund",
                        "--silent", f"{package}@{version}"], check=True)
    return place / program


def sas():
    """A signature for the whole account, for a day."""
    end = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    version, permissions = "2021-12-02", "rwdlac"
    text = "\n".join([ACCOUNT, permissions, "b", "sco", "", end, "", "", version, "", ""])
    signature = hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()
    return urllib.parse.urlencode({"sv": version, "ss": "b", "srt": "sco", "sp": permissions, "se": end,
                                   "sig": base64.b64encode(signature).decode()})


class Bench:
    def __init__(self, top, files, mebibytes):
        self.top = top
        self.files = files
        self.mebibytes = mebibytes
        self.sas = sas()
        self.azcopy = top / "azcopy"
        shutil.copy(installed(*AZCOPY), self.azcopy)
        self.azcopy.chmod(0o755)
        self.here = top / "here"
        (self.here / "aux_data/aml").mkdir(parents=True)
        (self.here / "aux_data/configs").mkdir()
        (self.here / "data").mkdir()
        self.environment = dict(os.environ, AZCOPY_LOG_LOCATION=str(top / "log"), FAIRLEAD_HOME=str(top / "home"),
                                AZCOPY_JOB_PLAN_LOCATION=str(top / "plan"), AZCOPY_DISABLE_SYSLOG="true")
        self.environment.pop("AML_CONFIG_PATH", None)
        self.start()
        self.fill()

    def start(self):
        command = ["node", installed(*AZURITE), "--skipApiVersionCheck", "--disableTelemetry", "--silent",
                   "--blobPort", "0", "--location", self.top / "blobs"]
        self.azurite = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in self.azurite.stdout:
            found = re.search(r"listens on http://[^:]+:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                return
        raise RuntimeError("Azurite did not start")

    def fill(self):
        small = self.here / "data/small"
        small.mkdir()
        for i in range(self.files):
            (small / f"file-{i:05d}").write_bytes(os.urandom(FILE_BYTES))
        with open(self.here / "data/large", "wb") as large:
            for _ in range(self.mebibytes):
                large.write(os.urandom(1 << 20))

    def call(self, method, container):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, f"/{ACCOUNT}/{container}?restype=container&{self.sas}",
                           headers={"x-ms-version": "2021-12-02", "Content-Length": "0"})
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {container}: {answer.status}")

    def configure(self, container):
        (self.here / "aux_data/configs/bench_account.yaml").write_text(
            f"account_name: {ACCOUNT}\nsas_token: '?{self.sas}'\ncontainer_name: {container}\n"
            f"endpoint: http://127.0.0.1:{self.port}/{ACCOUNT}\n")
        place = "{azure_blob_config_file: aux_data/configs/bench_account.yaml, path: %s}"
        (self.here / "aux_data/aml/aml.yaml").write_text(
            "engine: local\nconfig_param:\n"
            f"  code_path: {place % 'code.zip'}\n  data_folder: {place % 'fairlead'}\n")

    def url(self, container, path):
        return f"http://127.0.0.1:{self.port}/{ACCOUNT}/{container}/{path}?{self.sas}"

    def timed(self, command, cwd):
        """Wall clock and processor seconds, and the most memory of the process in MiB."""
        began = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], cwd=cwd, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{command[0]} failed: {said[-2000:]}")
        return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def fairlead(self, verb, name, container):
        folder = self.here
        if verb == "d":
            folder = self.top / "back"
            shutil.rmtree(folder, ignore_errors=True)
            (folder / "data").mkdir(parents=True)
            shutil.copytree(self.here / "aux_data", folder / "aux_data")
        times = self.timed([ROOT / "fairlead", verb, f"data/{name}"], folder)
        if verb == "d":
            self.check(folder / "data" / name, name)
        return times

    def with_azcopy(self, verb, name, container):
        more = ["--recursive"] if name == "small" else []
        more += ["--output-level", "quiet"]
        if verb == "u":
            target = "azcopy/" if name == "small" else "azcopy/large"
            return self.timed([self.azcopy, "copy", f"data/{name}", self.url(container, target), "--from-to", "LocalBlob",
                               *more], self.here)
        folder = self.top / "back"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        target = folder if name == "small" else folder / "large"
        times = self.timed([self.azcopy, "copy", self.url(container, f"azcopy/{name}"), target, "--from-to", "BlobLocal",
                            *more], self.here)
        self.check(folder / name, name)
        return times

    def check(self, back, name):
        """A transfer that lost something is no transfer."""
        source = self.here / "data" / name
        if source.is_file():
            if not filecmp.cmp(source, back, shallow=False):
                raise RuntimeError(f"{back} is not what was sent")
        elif sorted(os.listdir(source)) != sorted(os.listdir(back)):
            raise RuntimeError(f"{back} has {len(os.listdir(back))} files")

    def close(self):
        self.azurite.terminate()
        self.azurite.wait()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--files", type=int, default=10_000)
    options.add_argument("--mebibytes", type=int, default=1_024)
    options = options.parse_args()
    subprocess.run([ROOT / "fairlead", "version"], check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as top:
        bench = Bench(pathlib.Path(top), options.files, options.mebibytes)
        results = {}
        try:
            for number in range(options.rounds):
                container = f"round{number}"
                bench.call("PUT", container)
                bench.configure(container)
                order = [("fairlead", bench.fairlead), ("azcopy", bench.with_azcopy)]
                for verb, name in [("u", "small"), ("d", "small"), ("u", "large"), ("d", "large")]:
                    for who, move in order if number % 2 == 0 else order[::-1]:
                        times = move(verb, name, container)
                        results.setdefault((verb, name, who), []).append(times)
                        print(f"round {number}: {who} {verb} {name}: {times[0]:.1f} s", flush=True)
                bench.call("DELETE", container)
        finally:
            bench.close()
    labels = {"small": f"{options.files:,} files of 10 KiB", "large": f"one file of {options.mebibytes:,} MiB"}
    print("\n| | Fairlead, s | azcopy, s | azcopy / Fairlead | processor, s | memory, MiB |\n|---|---|---|---|---|---|")
    for verb, name in [("u", "small"), ("d", "small"), ("u", "large"), ("d", "large")]:
        ours, theirs = ([statistics.median(column) for column in zip(*results[verb, name, who])]
                        for who in ("fairlead", "azcopy"))
        print(f"| {'upload' if verb == 'u' else 'download'}, {labels[name]} | {ours[0]:.1f} | {theirs[0]:.1f} | "
              f"{theirs[0] / ours[0]:.2f} | {ours[1]:.1f} / {theirs[1]:.1f} | {ours[2]:.0f} / {theirs[2]:.0f} |")


if __name__ == "__main__":
    main()
