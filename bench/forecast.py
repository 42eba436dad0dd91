#!/usr/bin/env python3
"""How well the starts of waiting jobs are predicted, and how wide the bands are.

    bench/forecast.py            the Philly slice and all Pollux workloads, about 15 minutes on two cores
    bench/forecast.py --quick    the Philly slice under `fair` alone, about 2 minutes

The real controller runs each trace in virtual time, and the code that a server uses tells every job that still waits two
seconds after its submit when it will start. Beside it stands the band of the queue's own past: from the tenth to the
ninetieth percentile of how long the last 100 jobs have waited; as it is, and widened until it holds as many starts as
ours, by an amount that is known only afterwards. Prints the table of docs/performance.md.
"""
import argparse
import concurrent.futures
import csv
import io
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRACES = ROOT / "bench" / "traces"
PHILLY = ["--trace", TRACES / "bench_philly_6c71a0_480.csv", "--nodes", "1", "--gpus-per-node", "64"]
POLLUX = ["--trace", TRACES / "pollux_workloads.csv", "--profiles", TRACES / "pollux_fixed_batch_profiles.csv"]
POLLUX += ["--nodes", "16", "--gpus-per-node", "4", "--restart-cost", "30s"]


def simulate(java, arguments):
    command = [java, "-cp", "core/target/classes:simulator/target/classes", "fairlead.simulator.SimulateForecasts"]
    output = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True, cwd=ROOT).stdout
    return next(csv.DictReader(io.StringIO(output)))


def row(name, figures):
    print(
        f"| {name} | `{figures['policy']}` | {figures['told']} of {figures['jobs']} | {int(figures['waited_s']):,} s"
        f" | {float(figures['inside']):.0%} | {int(figures['width_s']):,} s"
        f" | {float(figures['past_inside']):.0%} | {int(figures['past_width_s']):,} s"
        f" | {int(figures['past_as_sure_width_s']):,} s |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    subprocess.run([ROOT / "fairlead", "version"], check=True, capture_output=True, cwd=ROOT)
    subprocess.run(["mvn", "-q", "-B", "-pl", "simulator", "-am", "compile"], check=True, cwd=ROOT)
    java = pathlib.Path((ROOT / ".build" / "java").read_text().strip())
    java = java / "bin" / "java" if java.is_dir() else java
    runs = [("Philly, 480 jobs", [*PHILLY, "--policy", "fair"])]
    if not quick:
        for policy in ["fair", "elastic"]:
            for name in [f"{load}x-w{i}" for load in ["1.0", "0.5"] for i in range(1, 5)]:
                runs.append((f"Pollux {name}", [*POLLUX, "--workload", f"pollux-{name}", "--policy", policy]))
    print("| trace | policy | jobs that waited | median wait | in the band | median width", end="")
    print(" | in the past's band | its width | its width if as sure |")
    print("|---|---|---|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, figures in [(name, pool.submit(simulate, java, arguments)) for name, arguments in runs]:
            row(name, figures.result())


if __name__ == "__main__":
    main()
