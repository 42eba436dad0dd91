#!/usr/bin/env bash
# How fast the core decides: one plan on large clusters, a tick without news, gangs placed in a second.
# Builds, measures with JMH on two cores and 1 GiB of heap, and prints the table of docs/performance.md.
#
#   bench/plan.sh                          everything, about 8 minutes
#   bench/plan.sh PlanBenchmark.plan -p nodes=1000 -p waiting=10000      arguments are JMH's own
set -euo pipefail
cd "$(dirname "$0")/.."

./fairlead version >/dev/null
java=$(cat .build/java)/bin/java
[ -x "$java" ] || java=$(cat .build/java)
mvn -q -B -Pbench -pl bench/jmh -am package -DskipTests
mvn -q -B -Pbench -pl bench/jmh -am process-classes dependency:build-classpath \
    -Dmdep.outputFile="$PWD/.build/jmh.path" -Dmdep.includeScope=runtime >/dev/null
results=.build/plan.json
"$java" -cp "bench/jmh/target/classes:core/target/classes:$(cat .build/jmh.path)" org.openjdk.jmh.Main \
    -rf json -rff "$results" "$@" >&2

python3 - "$results" <<'PYTHON'
import json, sys

print("| what | nodes | waiting | cluster | median | p90 | p99 |")
print("|---|---|---|---|---|---|---|")
for run in json.load(open(sys.argv[1])):
    name = run["benchmark"].rsplit(".", 2)
    metric, params = run["primaryMetric"], run.get("params", {})
    unit = metric["scoreUnit"].split("/")[0]
    if run["mode"] == "sample":
        at = metric["scorePercentiles"]
        cells = [f"{at[p]:,.2f} {unit}" for p in ("50.0", "90.0", "99.0")]
    else:
        gangs = run["secondaryMetrics"]["gangs"]["score"]
        cells = [f"{gangs:,.0f} gangs/s", "", ""]
    row = [name[-1], params.get("nodes", ""), params.get("waiting", ""), params.get("cluster", "")] + cells
    print("| " + " | ".join(row) + " |")
PYTHON
