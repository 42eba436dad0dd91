#!/usr/bin/env python3
"""How much more work each GPU does when training jobs share it, by Gavel's measured pairs.

    bench/sharing.py [--seeds 1]      about 2 minutes for each seed on two cores

The real controller runs a queue of training jobs in virtual time twice, with and without sharing. Speeds are Gavel's
(bench/traces/README.md); a pair that did not fit on the GPU there fails the run if it is ever placed. Prints a table.
"""
import argparse
import csv
import io
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRACES = ROOT / "bench" / "traces"
SETTING = "--nodes 4 --gpus-per-node 4 --jobs 120 --epochs 70 --round 60s --restart-cost 30s".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    seeds = parser.parse_args().seeds
    subprocess.run([ROOT / "fairlead", "version"], check=True, capture_output=True, cwd=ROOT)
    subprocess.run(["mvn", "-q", "-B", "-pl", "simulator", "-am", "compile"], check=True, cwd=ROOT)
    java = pathlib.Path((ROOT / ".build" / "java").read_text().strip())
    java = java / "bin" / "java" if java.is_dir() else java
    print("| GPU | seed | work per GPU, alone | sharing | ratio | mean completion alone | sharing |")
    print("|---|---|---|---|---|---|---|")
    for seed in range(1, seeds + 1):
        command = [java, "-cp", "core/target/classes:simulator/target/classes", "fairlead.simulator.SimulatePairs"]
        command += ["--isolated", TRACES / "gavel_throughputs_isolated.csv"]
        command += ["--colocated", TRACES / "gavel_throughputs_colocated.csv"]
        command += ["--gpu-types", "k80,p100,v100", *SETTING, "--seed", str(seed)]
        output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
        for row in csv.DictReader(io.StringIO(output)):
            alone, sharing = float(row["mean_completion_s_alone"]), float(row["mean_completion_s_sharing"])
            print(
                f"| {row['gpu_type']} | {row['seed']} | {row['work_per_gpu_alone']} | {row['work_per_gpu_sharing']}"
                f" | {row['ratio']} | {alone:,.0f} s | {sharing:,.0f} s |"
            )


if __name__ == "__main__":
    main()
