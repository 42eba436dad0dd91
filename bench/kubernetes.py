#!/usr/bin/env python3
"""Measures the Kubernetes engine against fabric8's mock API server, whose test kubelet really runs the pods.

    bench/kubernetes.py                         1,000 jobs of one task on 100 nodes, three rounds, some minutes
    bench/kubernetes.py --jobs 200 --rounds 1   smaller

Prints the tables of docs/performance.md: the time from a submit to its pod (as another client of the API server sees it),
for jobs submitted at ten a second, as fast as one by one goes, and as one array; the calls to the API server and the processor
time for each job; the calls of some idle seconds; the time between the first and the last pod of a gang; and how long it takes until every
job runs again elsewhere when a fifth of the nodes is drained.
Jobs, server, API server, kubelets and this script share the machine.
"""

import argparse
import http.client
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(ROOT, "fairlead")
MODULE = os.path.join(ROOT, "engines", "kubernetes")
NODES = 100
GPUS = 8
IDLE_SECONDS = 20
GANG_TASKS = 32
DRAINED_NODES = 20
DRAINED_JOBS = 160
REMOVAL_SECONDS = 15


def java_and_path():
    """The JDK that the build has chosen, and the class path of the module's tests."""
    subprocess.run([LAUNCHER, "version"], check=True, capture_output=True)
    with open(os.path.join(ROOT, ".build", "java"), encoding="utf-8") as file:
        java = os.path.join(file.read().strip(), "bin", "java")
    path = os.path.join(ROOT, ".build", "kubernetes.path")
    subprocess.run(
        ["mvn", "-q", "-B", "-pl", "engines/kubernetes", "-am", "test-compile",
         "dependency:build-classpath", "-Dmdep.outputFile=" + path],
        cwd=ROOT, check=True)
    with open(path, encoding="utf-8") as file:
        others = file.read().strip()
    return java, ":".join([MODULE + "/target/classes", MODULE + "/target/test-classes", others])


class Cluster:
    """The mock, in a process of its own."""

    def __init__(self, java, path, folder):
        self.process = subprocess.Popen(
            [java, "-Xmx1g", "-cp", path, "fairlead.engines.kubernetes.MockClusterMain", folder, str(NODES), str(GPUS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        word, _, self.kubeconfig = self.process.stdout.readline().strip().partition(" ")
        if word != "ready":
            raise RuntimeError("the mock cluster did not start")

    def ask(self, question):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


class Server:
    """A server whose only cluster is the mock."""

    def __init__(self, kubeconfig):
        self.home = tempfile.mkdtemp(prefix="fairlead-bench-")
        with open(os.path.join(self.home, "settings"), "w", encoding="utf-8") as file:
            file.write(f"clusters = lab\nlab.engine = kubernetes\nlab.kubeconfig = {kubeconfig}\nlab.image = none\n")
        self.run("server", "start")
        with open(os.path.join(self.home, "server.json"), encoding="utf-8") as file:
            facts = json.load(file)
        self.token, self.pid = facts["token"], facts["pid"]
        self.connection = http.client.HTTPConnection(urllib.parse.urlparse(facts["url"]).netloc, timeout=60)

    def run(self, *words):
        subprocess.run([LAUNCHER, *words], env=dict(os.environ, FAIRLEAD_HOME=self.home), check=True, capture_output=True)

    def call(self, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text) if text else None

    def unfinished(self):
        return sum(count for state, count in self.call("GET", "/v1/stats")["jobs"].items()
                   if state in ("queued", "starting", "running", "stopping"))

    def await_all(self, patience=600):
        deadline = time.monotonic() + patience
        while self.unfinished() and time.monotonic() < deadline:
            time.sleep(0.2)

    def close(self):
        self.run("server", "stop")
        shutil.rmtree(self.home)


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def spec():
    return {"name": "bench", "command": ["true"], "gpus": 1}


def one_by_one(server, jobs):
    submitted = {}
    for _ in range(jobs):
        began = time.time() * 1000
        answer = server.call("POST", "/v1/jobs", {"jobs": [spec()]})
        submitted[answer["ids"][0]] = began
    return submitted


def paced(server, jobs):
    """Ten a second, so that the mock and its kubelets keep up."""
    submitted = {}
    for _ in range(jobs):
        submitted.update(one_by_one(server, 1))
        time.sleep(0.1)
    return submitted


def array(server, jobs):
    began = time.time() * 1000
    answer = server.call("POST", "/v1/jobs", {"jobs": [spec()] * jobs})
    return dict.fromkeys(answer["ids"], began)


# What is measured, and for the slow one with which part of the jobs.
MODES = (("ten a second", paced, 5), ("one by one", one_by_one, 1), ("one array", array, 1))


def gang(cluster, server):
    """Milliseconds from the submit to the first and to the last pod of a gang."""
    began = time.time() * 1000
    role = {"name": "worker", "count": GANG_TASKS, "command": ["true"], "gpus": 1}
    job = server.call("POST", "/v1/jobs", {"jobs": [{"name": "gang", "roles": [role]}]})["ids"][0]
    server.await_all()
    first, last = cluster.ask("gangs")[job]
    return first - began, last - began


def drain(cluster, server, jobs):
    """Seconds until every job of the drained nodes runs elsewhere, and how many these were."""
    sleeping = {"name": "bench", "command": ["sleep", "3600"], "gpus": 1}
    ids = server.call("POST", "/v1/jobs", {"jobs": [sleeping] * jobs})["ids"]
    deadline = time.monotonic() + 300
    while cluster.ask("running") < jobs and time.monotonic() < deadline:
        time.sleep(0.2)
    began = time.monotonic()
    moved = cluster.ask(f"drain {DRAINED_NODES}")
    while cluster.ask("running") < jobs and time.monotonic() < began + 300:
        time.sleep(0.1)
    seconds = time.monotonic() - began
    for job in ids:
        server.call("POST", f"/v1/jobs/{job}/abort", {})
    server.await_all()
    return seconds, moved


def measure(cluster, server, jobs, submit):
    cluster.ask("calls")
    pids = (server.pid, cluster.process.pid)
    spent = [cpu_seconds(pid) for pid in pids]
    began = time.monotonic()
    submitted = submit(server, jobs)
    server.await_all()
    seconds = time.monotonic() - began
    costs = [(cpu_seconds(pid) - before) * 1000 / jobs for pid, before in zip(pids, spent)]
    # The last pods are still being removed.
    time.sleep(REMOVAL_SECONDS)
    seen = cluster.ask("pods")
    waits = [seen[job] - at for job, at in submitted.items()]
    return waits, cluster.ask("calls"), jobs / seconds, costs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    java, path = java_and_path()
    folder = tempfile.mkdtemp(prefix="fairlead-mock-")
    cluster = Cluster(java, path, folder)
    server = Server(cluster.kubeconfig)
    try:
        one_by_one(server, 50)
        server.await_all()
        time.sleep(3)
        rows = []
        for _ in range(options.rounds):
            for name, submit, share in MODES:
                rows.append((name, *measure(cluster, server, options.jobs // share, submit)))
        print(f"{options.jobs} jobs of one task on {NODES} nodes, {options.rounds} rounds; medians\n")
        print("| submitted | to the pod, p50 ms | p99 ms | jobs/s | calls for a job | CPU ms for a job: server | API server and kubelets |")
        print("|---|---|---|---|---|---|---|")
        for name, _, share in MODES:
            own = [row for row in rows if row[0] == name]
            middle = lambda values: statistics.median(list(values))
            print("| {} | {:.0f} | {:.0f} | {:.0f} | {:.2f} | {:.1f} | {:.1f} |".format(
                name,
                middle(percentile(row[1], 0.50) for row in own),
                middle(percentile(row[1], 0.99) for row in own),
                middle(row[3] for row in own),
                middle(sum(row[2].values()) * share / options.jobs for row in own),
                middle(row[4][0] for row in own),
                middle(row[4][1] for row in own)))
        print("\nThe calls of the last round, by verb:")
        for verb, count in rows[-1][2].items():
            print(f"  {verb}: {count}")
        cluster.ask("calls")
        time.sleep(IDLE_SECONDS)
        print(f"\nCalls in {IDLE_SECONDS} idle seconds: {cluster.ask('calls') or 'none'}")
        gangs = [gang(cluster, server) for _ in range(options.rounds)]
        print("\nA gang of {}: first pod after {:.0f} ms, last after {:.0f} ms (medians)".format(
            GANG_TASKS, statistics.median(first for first, _ in gangs), statistics.median(last for _, last in gangs)))
        time.sleep(REMOVAL_SECONDS)
        seconds, moved = drain(cluster, server, min(options.jobs, 2 * DRAINED_JOBS))
        print(f"\n{DRAINED_NODES} of {NODES} nodes drained: {moved} jobs run again elsewhere after {seconds:.1f} s")
    finally:
        server.close()
        cluster.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
