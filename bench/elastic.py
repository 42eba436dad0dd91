#!/usr/bin/env python3
"""How long training jobs take under the policy `elastic`, beside published schedulers and a lower bound.

    bench/elastic.py                 the four full-load workloads, about 5 minutes on two cores
    bench/elastic.py --load 0.5      those at half load

Prints the tables of docs/performance.md. Our own numbers come from `fairlead simulate`; those of Pollux, Optimus+Oracle
and Tiresias from their authors' results on the same workloads, and the bounds from a linear program on the same curves
(bench/traces/README.md).
"""
import argparse
import concurrent.futures
import csv
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRACES = ROOT / "bench" / "traces"
SETTING = ["--nodes", "16", "--gpus-per-node", "4", "--round", "60s", "--restart-cost", "30s"]
FILES = ["--trace", TRACES / "pollux_workloads.csv", "--profiles", TRACES / "pollux_fixed_batch_profiles.csv"]
RUNS = {
    "elastic": ("elastic", "inside"),
    "elastic, stops at epoch ends only": ("elastic", "epoch"),
    "elastic with the true curves": ("elastic-oracle", "inside"),
    "las": ("las", "inside"),
    "srtf": ("srtf", "inside"),
}


def simulate(workload, policy, checkpoints):
    command = [ROOT / "fairlead", "simulate", *FILES, "--workload", workload, *SETTING]
    command += ["--policy", policy, "--checkpoints", checkpoints, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)[0]


def table(name):
    with open(TRACES / name, newline="") as file:
        return list(csv.DictReader(file))


def alone(workload):
    """The mean run time if each job had all GPUs that it can use from its submit on: a bound for workloads without a better one."""
    fastest = {}
    for profile in table("pollux_fixed_batch_profiles.csv"):
        kind = profile["model"], profile["batch_size"]
        fastest[kind] = min(fastest.get(kind, float("inf")), float(profile["total_run_s"]))
    jobs = [job for job in table("pollux_workloads.csv") if job["workload"] == workload]
    return sum(fastest[job["model"], job["tuned_batch_size"]] for job in jobs) / len(jobs)


def row(cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def means(label, knows, values, bounds):
    cells = [label, knows] + [f"{value:,.0f}" for value in values]
    mean = sum(values) / len(values)
    row(cells + [f"{mean:,.0f}", f"{mean * len(values) / sum(bounds):.3f}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--load", choices=["0.5", "1.0"], default="1.0")
    load = parser.parse_args().load
    workloads = [f"pollux-{load}x-w{i}" for i in range(1, 5)]
    bounds = [float(r["LP_elastic_fixed_batch_s"]) for r in table("lower_bounds_lp.csv") if r["workload"] in workloads]
    bound = "lower bound, elastic with fixed batch"
    if not bounds:
        bounds, bound = [alone(workload) for workload in workloads], "lower bound, each job alone at its fastest"
    published = {(r["policy"], r["workload"]): float(r["avg_jct_s"]) for r in table("pollux_published_summary.csv")}

    subprocess.run([ROOT / "fairlead", "version"], check=True, capture_output=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        reports = {
            label: [pool.submit(simulate, workload, *run) for workload in workloads] for label, run in RUNS.items()
        }
        reports = {label: [future.result() for future in futures] for label, futures in reports.items()}

    print("Mean completion time in seconds\n")
    row(["", "knows"] + [w.removeprefix("pollux-") for w in workloads] + ["mean", "/ bound"])
    row(["---"] * (len(workloads) + 4))
    means(bound, "everything", bounds, bounds)
    for label, runs in reports.items():
        means(f"`{label}`", runs[0]["knows"], [r["meanSeconds"] for r in runs], bounds)
    for policy, name in [("tiresias", "Tiresias"), ("optimus", "Optimus+Oracle"), ("pollux", "Pollux, adapts the batch")]:
        knows = {"tiresias": "nothing", "optimus": "oracle", "pollux": "profiled"}[policy]
        means(f"{name}, published", knows, [published[policy, w] for w in workloads], bounds)

    print("\nJobs that were treated unfairly, by Shockwave's measure / by Themis' / by both, and the worst by each\n")
    row([""] + [w.removeprefix("pollux-") for w in workloads])
    row(["---"] * (len(workloads) + 1))
    for label, runs in reports.items():
        row(
            [f"`{label}`"]
            + [
                f"{r['shockwaveUnfair']:.0%} / {r['themisUnfair']:.0%} / {r['bothUnfair']:.0%}"
                f" ({r['shockwaveWorst']:.1f}, {r['themisWorst']:.1f})"
                for r in runs
            ]
        )


if __name__ == "__main__":
    main()
