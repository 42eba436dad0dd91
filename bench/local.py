#!/usr/bin/env python3
"""Measures a personal server against Slurm, task-spooler and kubectl on this machine, in one run.

    bench/local.py                  everything, about ten minutes; installs Slurm from Debian's packages (root)
    bench/local.py --no-peers       Fairlead alone
    bench/local.py array loop       only these measurements

Prints the tables of docs/performance.md. Compare only numbers of one run: peers and Fairlead take turns, and each
number is the median of its rounds. Names of measurements: array, loop, start, freed, waiting, memory, list, restart.
"""

import argparse
import http.client
import json
import os
import select
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(ROOT, "fairlead")
JOBS = 500
ROUNDS = 3


class Server:
    """A personal server with a home of its own, and one kept-open connection to it."""

    def __init__(self, gpus):
        self.home = tempfile.mkdtemp(prefix="fairlead-bench-")
        self.gpus = gpus
        self.start()

    def start(self):
        began = time.monotonic()
        self.command("server", "start", "--gpus", str(self.gpus))
        with open(os.path.join(self.home, "server.json"), encoding="utf-8") as file:
            facts = json.load(file)
        self.token, self.pid = facts["token"], facts["pid"]
        self.connection = http.client.HTTPConnection(urllib.parse.urlparse(facts["url"]).netloc, timeout=60)
        self.connection.connect()
        return time.monotonic() - began

    def command(self, *words):
        environment = dict(os.environ, FAIRLEAD_HOME=self.home)
        return subprocess.run([LAUNCHER, *words], env=environment, check=True, capture_output=True, text=True).stdout

    def call(self, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text) if text else None

    def submit(self, shell, array=None):
        spec = {"name": "bench", "command": ["sh", "-c", shell], "gpus": 1, "workdir": "/tmp"}
        return self.call("POST", "/v1/jobs", {"jobs": [spec], "array": array})

    def unfinished(self):
        jobs = self.call("GET", "/v1/stats")["jobs"]
        return sum(jobs.get(state, 0) for state in ("queued", "starting", "running", "stopping"))

    def drain(self):
        while self.unfinished():
            time.sleep(0.005)

    def resident_mib(self, key="VmRSS"):
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith(key):
                    return int(line.split()[1]) / 1024
        raise RuntimeError(key)

    def close(self):
        self.connection.close()
        self.command("server", "stop")
        shutil.rmtree(self.home, ignore_errors=True)


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def spread(values, unit="ms"):
    return f"{statistics.median(values):.1f} / {percentile(values, 0.99):.1f} {unit}"


def witness():
    handle, path = tempfile.mkstemp(prefix="fairlead-bench-")
    os.close(handle)
    return path


def wait_for_lines(path, count):
    while os.path.getsize(path) < 2 * count:
        time.sleep(0.002)


def throughput(server, jobs, one_by_one):
    """Jobs per second from the first request until the server has seen the last one end."""
    path = witness()
    shell = f"echo x >> {path}"
    began = time.monotonic()
    if one_by_one:
        for _ in range(jobs):
            server.submit(shell)
    else:
        server.submit(shell, {"from": 1, "to": jobs})
    wait_for_lines(path, jobs)
    server.drain()
    rate = jobs / (time.monotonic() - began)
    os.unlink(path)
    return rate


class Slurm:
    """Slurm 22.05 of Debian 12, tuned for many short jobs; see bench/slurm.sh."""

    script = os.path.join(ROOT, "bench", "slurm.sh")

    def __init__(self):
        subprocess.run([self.script, "install"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([self.script, "up"], check=True, stdout=subprocess.DEVNULL)

    def bench(self, name):
        out = subprocess.run([self.script, "bench", name], check=True, capture_output=True, text=True).stdout
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) | {"line": line}
                for line in out.splitlines()]

    def rate(self, name):
        return float(self.bench(name)[0]["jobs_per_s"])

    def close(self):
        subprocess.run([self.script, "down"], check=False, stdout=subprocess.DEVNULL)


def spooler_rate():
    if not shutil.which("tsp"):
        return None
    out = subprocess.run([os.path.join(ROOT, "bench", "peers.sh"), "tsp_"], capture_output=True, text=True).stdout
    rates = [line.split("jobs_per_s=")[1].split()[0] for line in out.splitlines() if "loop" in line]
    return float(rates[0]) if rates else None


def measure_rate(name, slurm):
    ours, theirs = [], []
    server = Server(8)
    throughput(server, JOBS, False)  # Warms up the server, as a server that has run for a day is.
    for _ in range(ROUNDS):
        ours.append(throughput(server, JOBS, name == "loop"))
        if slurm:
            theirs.append(slurm.rate(name))
    server.close()
    print(f"\n### {JOBS} no-op jobs of 1 GPU on 8 declared GPUs, "
          + ("as one array" if name == "array" else "one by one over one connection"))
    print("| | jobs/s (median) | rounds |\n|---|---|---|")
    print(f"| Fairlead | {statistics.median(ours):.0f} | {', '.join(f'{r:.0f}' for r in ours)} |")
    if slurm:
        print(f"| Slurm, tuned | {statistics.median(theirs):.0f} | {', '.join(f'{r:.0f}' for r in theirs)} |")
        if name == "array":
            print(f"| task-spooler (no disk, no GPUs), submitted one by one | {spooler_rate() or 0:.0f} | |")
        print(f"| ratio to Slurm | {statistics.median(ours) / statistics.median(theirs):.1f} | |")


def measure_start(slurm):
    server = Server(8)
    throughput(server, JOBS, False)
    path = witness()
    times = []
    for _ in range(100):
        os.unlink(path) if os.path.exists(path) else None
        began = time.time_ns()
        server.submit(f"date +%s%N > {path}.new; mv {path}.new {path}")
        while not os.path.exists(path) or not os.path.getsize(path):
            time.sleep(0.001)
        with open(path, encoding="utf-8") as file:
            times.append((int(file.read()) - began) / 1e6)
        server.drain()
        time.sleep(0.05)
    server.close()
    print("\n### From a submit request to the process's start, idle server\n| | p50 / p99 |\n|---|---|")
    print(f"| Fairlead | {spread(times)} |")
    if slurm:
        for row in slurm.bench("srun"):
            print(f"| Slurm, {row['line'].split()[1]} | {row['p50_ms']} / {row['p99_ms']} ms |")


def measure_freed(_):
    server = Server(1)
    path = witness()
    server.submit(f"date +%s%N >> {path}; date +%s%N >> {path}", {"from": 1, "to": 200})
    server.drain()
    with open(path, encoding="utf-8") as file:
        stamps = [int(line) for line in file]
    gaps = [(stamps[i + 1] - stamps[i]) / 1e6 for i in range(1, len(stamps) - 1, 2)]
    server.close()
    print("\n### From a job's end to the start of the next on the same GPU\n| | p50 / p99 |\n|---|---|")
    print(f"| Fairlead | {spread(gaps[20:])} |")


def measure_waiting(_):
    server = Server(8)
    throughput(server, JOBS, False)
    few = [throughput(server, JOBS, False) for _ in range(ROUNDS)]
    many = [throughput(server, 10_000, False)]
    server.close()
    print("\n### Rate with many waiting jobs\n| waiting at first | jobs/s |\n|---|---|")
    print(f"| {JOBS} | {statistics.median(few):.0f} |\n| 10,000 | {many[0]:.0f} |")
    print(f"| ratio | {many[0] / statistics.median(few):.2f} |")


def measure_memory(_):
    server = Server(8)
    blockers = server.submit("sleep 600", {"from": 1, "to": 8})["ids"]
    waiting = server.submit("true", {"from": 1, "to": 10_000})["ids"]
    server.command("list", "--limit", "10000")
    print("\n### Memory of the server with 10,000 jobs waiting\n| resident | peak |\n|---|---|")
    print(f"| {server.resident_mib():.0f} MiB | {server.resident_mib('VmHWM'):.0f} MiB |")
    for job in waiting + blockers:
        server.call("POST", f"/v1/jobs/{job}/abort")
    server.drain()
    server.close()


def timed(line, environment):
    """Milliseconds on the wall and of the processors."""
    began = time.monotonic()
    process = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = (time.monotonic() - began) * 1000
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{line} ended with {process.returncode}")
    return wall, (used.ru_utime + used.ru_stime) * 1000


def command_parts():
    """What a command of the checkout is made of, each with all before it but the shell's."""
    build = os.path.join(ROOT, ".build")
    with open(os.path.join(build, "java"), encoding="utf-8") as java, open(os.path.join(build, "current"), encoding="utf-8") as current:
        java, dist = java.read().strip() + "/bin/java", current.read().strip()
    sources = subprocess.run(f"ls -d {ROOT}/pom.xml {ROOT}/*/pom.xml {ROOT}/*/*/pom.xml {ROOT}/build {ROOT}/*/src/main {ROOT}/*/*/src/main",
                             shell=True, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    options = ["@" + dist + "/cli.jvm"]
    return {
        "sh -c :": ["sh", "-c", ":"],
        "find, for newer sources": ["find", *sources, "-newer", build + "/stamp", "-print", "-quit"],
        "java with the cache, -version": [java, *options, "-version"],
        "java, fairlead help": [java, *options, "fairlead.cli.Main", "help"],
        "java, fairlead list": [java, *options, "fairlead.cli.Main", "list"],
    }


def phases(server, line):
    """Milliseconds from a command's start until it connects, has sent its last request, has the last answer, has printed, has ended."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        url = "http://127.0.0.1:%d" % door.getsockname()[1]
        environment = dict(os.environ, FAIRLEAD_HOME=server.home, FAIRLEAD_SERVER=url, FAIRLEAD_TOKEN=server.token)
        began = time.monotonic()
        moments = dict.fromkeys(("connected", "asked", "answered", "printed"), began)
        process = subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        other_side = {}
        watched = [door, process.stdout]
        while process.stdout in watched:
            for ready in select.select(watched, [], [])[0]:
                now = time.monotonic()
                if ready is door:
                    pair = door.accept()[0], socket.create_connection((server.connection.host, server.connection.port))
                    other_side.update(zip(pair, reversed(pair)))
                    watched += pair
                    moments["connected"] = now
                    continue
                data = os.read(ready.fileno(), 65536)
                if not data:
                    watched.remove(ready)
                elif ready is process.stdout:
                    moments["printed"] = now
                else:
                    is_question = other_side[ready].getpeername()[1] == server.connection.port
                    moments["asked" if is_question else "answered"] = now
                    other_side[ready].sendall(data)
        process.wait()
        for each in other_side:
            each.close()
    return [(moment - began) * 1000 for moment in (*moments.values(), time.monotonic())]


def print_phases(server, lines):
    """The same command from its start on, by a relay before the server, which costs a millisecond or two itself."""
    seen = {name: [] for name in lines}
    for _ in range(20):
        for name, line in lines.items():
            seen[name].append(phases(server, line))
    print("\n| median ms since the start until it has | connected | asked | its answer | printed | ended |\n|---|---|---|---|---|---|")
    for name, rows in seen.items():
        print(f"| `{name}` | {' | '.join(f'{statistics.median(column):.1f}' for column in zip(*rows))} |")


def measure_list(_):
    server = Server(8)
    throughput(server, 50, False)
    environment = dict(os.environ, FAIRLEAD_HOME=server.home)
    lines = {"fairlead list": [LAUNCHER, "list"]}
    image = os.path.join(ROOT, ".build/image/fairlead/fairlead")
    if os.path.exists(image):
        lines["fairlead list, image"] = [image, "list"]
    if shutil.which("kubectl"):
        lines["kubectl version --client"] = ["kubectl", "version", "--client"]
    lines["python3 -c 'import json, http.client'"] = [sys.executable, "-c", "import json, http.client"]
    lines.update(command_parts())
    times = {name: [] for name in lines}
    for _ in range(40):
        for name, line in lines.items():
            times[name].append(timed(line, environment))
    print("\n### A command's time, taking turns\n| | wall p50 / p99 | processors, p50 |\n|---|---|---|")
    for name, values in times.items():
        print(f"| `{name}` | {spread([wall for wall, _ in values])} | {statistics.median(used for _, used in values):.0f} ms |")
    for name, other in (("fairlead list", "kubectl version --client"), ("fairlead list, image", "fairlead list")):
        if name in times and other in times:
            ratios = [statistics.median(row[of] for row in times[name]) / statistics.median(row[of] for row in times[other]) for of in (0, 1)]
            print(f"| `{name}` / `{other}` | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    print_phases(server, {name: line for name, line in lines.items() if line[-1] == "list"})
    server.close()


def measure_restart(_):
    """Start-up and rate with 100,000 finished jobs, copies of real rows under other ids, beside a server with few."""
    servers = {"2,000": Server(8), "100,000": Server(8)}
    for server in servers.values():
        for _ in range(3):
            throughput(server, JOBS, False)
        server.connection.close()
        server.command("server", "stop")
    multiply(os.path.join(servers["100,000"].home, "journal.db"), 100_000)
    starts = {name: [] for name in servers}
    for _ in range(5):
        for name, server in servers.items():
            starts[name].append(restart(server))
    rates = {name: [] for name in servers}
    for server in servers.values():
        server.start()
        throughput(server, JOBS, False)
    for _ in range(2 * ROUNDS):
        for name, server in servers.items():
            rates[name].append(throughput(server, JOBS, False))
    for server in servers.values():
        server.close()
    print("\n### With 100,000 finished jobs in the journal\n| finished | `server start` | jobs/s |\n|---|---|---|")
    for name in servers:
        print(f"| {name} | {statistics.median(starts[name]):.2f} s | {statistics.median(rates[name]):.0f} |")


def restart(server):
    took = server.start()
    server.connection.close()
    server.command("server", "stop")
    return took


def multiply(path, count):
    database = sqlite3.connect(path)
    columns = [row[1] for row in database.execute("pragma table_info(job)")]
    where = {name: number for number, name in enumerate(columns)}
    rows = database.execute("select * from job where finished is not null limit 100").fetchall()
    spec = database.execute("select body from array_spec limit 1").fetchone()[0]
    last, have = database.execute("select max(seq), count(*) from job").fetchone()
    jobs, specs = [], []
    for number in range(count - have):
        row = list(rows[number % len(rows)])
        row[where["seq"]] = last + 1 + number
        row[where["id"]] = f"old_{1_700_000_000 + number}_{number:08x}"
        row[where["reversed"]] = row[where["id"]][::-1]
        row[where["request"]] = row[where["array_id"]] = row[where["array_index"]] = None
        jobs.append(row)
        specs.append((row[where["seq"]], spec))
    database.executemany(f"insert into job values ({','.join('?' * len(columns))})", jobs)
    database.executemany("insert into spec values (?, ?)", specs)
    database.commit()
    database.close()


MEASUREMENTS = {
    "array": lambda slurm: measure_rate("array", slurm),
    "loop": lambda slurm: measure_rate("loop", slurm),
    "start": measure_start,
    "freed": measure_freed,
    "waiting": measure_waiting,
    "memory": measure_memory,
    "list": measure_list,
    "restart": measure_restart,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*MEASUREMENTS, []], help="which measurements; default all")
    parser.add_argument("--no-peers", action="store_true", help="Fairlead alone")
    arguments = parser.parse_args()
    names = arguments.names or list(MEASUREMENTS)
    slurm = None if arguments.no_peers or not {"array", "loop", "start"} & set(names) else Slurm()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown")
        print(f"{os.cpu_count()} cores, {model}; {time.strftime('%Y-%m-%d')}")
        for name in names:
            MEASUREMENTS[name](slurm)
    finally:
        if slurm:
            slurm.close()


if __name__ == "__main__":
    main()
