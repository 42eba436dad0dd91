#!/usr/bin/env bash
# How fast the core decides: one plan on large clusters with 5 running and 10 waiting jobs for each node, a tick
# without news, gangs placed in a second (by plans alone, and by whole ticks of the controller).
# Builds, measures with JMH on two cores and 1 GiB of heap, and prints the numbers of docs/performance.md.
#
#   bench/plan.sh                                         everything, about 20 minutes
#   bench/plan.sh PlanBenchmark.plan -p nodes=1000        arguments are JMH's own
#   bench/plan.sh Gang
#   bench/plan.sh cpu                                     processor time of one plan, for a machine that is not quiet
#   bench/plan.sh cpu 1000 lent 1 2 3                     nodes, cluster, seeds
set -euo pipefail
cd "$(dirname "$0")/.."

./fairlead version >/dev/null
# The JDK that the build has chosen: the one on the path may be too old.
JAVA_HOME=$(cat .build/java)
export JAVA_HOME
java=$JAVA_HOME/bin/java
mvn -q -B -Pbench -pl bench/jmh -am package -DskipTests
mvn -q -B -Pbench -pl bench/jmh -am process-classes dependency:build-classpath \
    -Dmdep.outputFile="$PWD/.build/jmh.path" -Dmdep.includeScope=runtime >/dev/null
classes="bench/jmh/target/classes:core/target/classes:$(cat .build/jmh.path)"

if [ "${1-}" = cpu ]; then
    shift
    cpu() { "$java" -Xmx1g -XX:ActiveProcessorCount=2 -cp "$classes" fairlead.bench.PlanCpuTime "$@"; }
    echo "| nodes | cluster | seed | starts | stops | median | p90 |"
    echo "|---|---|---|---|---|---|---|"
    if [ $# -gt 0 ]; then
        cpu "$@"
    else
        for cluster in full freed lent; do
            cpu 1000 "$cluster" 1 2 3 4 5 6
            cpu 10000 "$cluster" 1 2 3
        done
    fi
    exit
fi

results=.build/plan.json
"$java" -cp "$classes" org.openjdk.jmh.Main \
    -rf json -rff "$results" "$@" >&2

python3 - "$results" <<'PYTHON'
import json, statistics, sys

print("| what | nodes | cluster | seed | waiting | median | p90 | p99 |")
print("|---|---|---|---|---|---|---|---|")
for run in json.load(open(sys.argv[1])):
    params = run.get("params", {})
    if run["mode"] == "sample":
        metric = run["primaryMetric"]
        unit = metric["scoreUnit"].split("/")[0]
        at = metric["scorePercentiles"]
        cells = [f"{at[p]:,.3g} {unit}" for p in ("50.0", "90.0", "99.0")]
    else:
        rounds = [round for fork in run["secondaryMetrics"]["gangs"]["rawData"] for round in fork]
        cells = [f"{statistics.median(rounds):,.0f} gangs/s", "", ""]
    given = [params.get(name, "") for name in ("nodes", "cluster", "seed", "waiting")]
    print("| " + " | ".join([run["benchmark"].rsplit(".", 1)[-1], *given, *cells]) + " |")
PYTHON
