#!/usr/bin/env python3
"""How each policy keeps the fair rule: the judge of `fairlead simulate --judge` on published workloads.

    bench/fairness.py                the 480-job Philly slice and the four Pollux workloads, dealt out to 8 people
    bench/fairness.py --people 3

Prints the table of docs/performance.md: the part of the time in which somebody waited unjustly for longer than the rule
allows, the longest such wait, stops for others for each job, and stops that were in vain or hit the wrong job of an owner.
"""
import argparse
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRACES = ROOT / "bench" / "traces"
POLICIES = "fair,elastic,las,srtf"
POLLUX = ["--trace", TRACES / "pollux_workloads.csv", "--profiles", TRACES / "pollux_fixed_batch_profiles.csv",
          "--nodes", "16", "--gpus-per-node", "4", "--round", "60s", "--restart-cost", "30s"]
WORKLOADS = {
    "Philly, 480 jobs": ["--trace", TRACES / "bench_philly_6c71a0_480.csv", "--nodes", "8", "--gpus-per-node", "8"],
    **{f"Pollux {n}": [*POLLUX, "--workload", f"pollux-1.0x-w{n}"] for n in (1, 2, 3, 4)},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=8)
    people = parser.parse_args().people
    print("| workload | policy | unjust time | longest beyond its bound | stops a job | faults | mean completion |")
    print("|---|---|---|---|---|---|---|")
    for name, asked in WORKLOADS.items():
        command = [ROOT / "fairlead", "simulate", *asked, "--policy", POLICIES, "--people", str(people), "--judge", "--json"]
        for row in json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout):
            print(f"| {name} | {row['policy']} | {100 * row['unjustTime']:.1f} % | {row['worstUnjustSeconds'] / 60:.0f} min "
                  f"| {row['stopsPerJob']:.2f} | {row['faults']} | {row['meanSeconds']:,.0f} s |", flush=True)


if __name__ == "__main__":
    main()
