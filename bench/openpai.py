#!/usr/bin/env python3
"""Measures the list of jobs of OpenPAI's interface on this machine, over a real server process.

    bench/openpai.py                5,000 finished and 5,000 waiting jobs, then 10,000 finished ones; a minute or two
    bench/openpai.py --calls 500    more calls for each number

Prints the table of docs/performance.md. Each call is GET /api/v1/jobs without a token over one open connection, and
its whole answer is read; what is counted is the time until the last byte.
"""

import argparse
import http.client
import json
import statistics
import time

from local import Server, percentile

JOBS = 10_000
BATCH = 1_000


def submit(server, jobs, shell, gpus):
    """Puts so many jobs of one person into the queue."""
    for _ in range(jobs // BATCH):
        spec = {"name": "bench", "command": ["sh", "-c", shell], "gpus": gpus, "cpus": 1, "workdir": "/tmp"}
        server.call("POST", "/v1/jobs", {"jobs": [spec], "array": {"from": 0, "to": BATCH - 1}})


def finish(server, jobs):
    """Makes so many finished jobs: they are cancelled while they wait, which is quicker than to run them."""
    before = len(listed(server))
    submit(server, jobs, "true", 64)
    for job in server.call("GET", f"/v1/jobs?state=queued&limit={jobs}")["jobs"]:
        server.call("POST", f"/v1/jobs/{job['id']}/abort")
    assert len(listed(server)) == before + jobs


def listed(server):
    connection = guest(server)
    connection.request("GET", "/api/v1/jobs")
    return json.loads(connection.getresponse().read())


def guest(server):
    connection = http.client.HTTPConnection(server.connection.host, server.connection.port, timeout=60)
    connection.connect()
    return connection


def measure(server, calls, target="/api/v1/jobs"):
    """The times of calls in milliseconds, and the size of the last answer in MiB."""
    connection = guest(server)
    times = []
    size = 0
    for _ in range(calls):
        began = time.monotonic()
        connection.request("GET", target)
        answer = connection.getresponse()
        size = len(answer.read())
        times.append(1_000 * (time.monotonic() - began))
        if answer.status != 200:
            raise RuntimeError(answer.status)
    return times, size / (1 << 20)


def row(label, server, calls, target="/api/v1/jobs"):
    first, _ = measure(server, 1, target)
    times, size = measure(server, calls, target)
    p50, p99 = statistics.median(times), percentile(times, 0.99)
    print(f"| {label} | {first[0]:.0f} | {p50:.1f} / {p99:.1f} | {size:.1f} MiB |", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--calls", type=int, default=200)
    calls = options.parse_args().calls
    server = Server(gpus=8)
    try:
        print("| jobs | first call, ms | p50 / p99, ms | answer |\n|---|---|---|---|")
        finish(server, JOBS // 2)
        submit(server, JOBS // 2, "true", 64)
        server.command("server", "stop")
        server.start()
        row("5,000 finished, 5,000 waiting", server, calls)
        row("the same, of somebody who has none", server, calls, "/api/v1/jobs?username=nobody")
        for job in server.call("GET", f"/v1/jobs?state=queued&limit={JOBS}")["jobs"]:
            server.call("POST", f"/v1/jobs/{job['id']}/abort")
        server.command("server", "stop")
        server.start()
        row("10,000 finished", server, calls)
    finally:
        server.close()


if __name__ == "__main__":
    main()
