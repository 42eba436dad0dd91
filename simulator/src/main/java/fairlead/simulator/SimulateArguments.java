package fairlead.simulator;

import fairlead.policies.Policies;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the command line of a simulation asks for, checked.
 *
 * @param trace empty when the jobs come from elsewhere
 * @param policies in the order asked, each once
 * @param people to whom the jobs are dealt out; empty: as the trace says
 * @param workload together with {@code profiles}, for a trace that names models instead of times
 */
record SimulateArguments(
        Optional<Path> trace,
        Optional<String> workload,
        Optional<Path> profiles,
        List<String> policies,
        Replay.Setting setting,
        OptionalInt people,
        Optional<Path> csv,
        boolean json) {
    static final String USAGE =
            """
            usage: simulate --trace FILE --nodes N --gpus-per-node N [--policy NAME,NAME...] [--seed N]
                            [--workload NAME --profiles FILE] [--round 60s] [--restart-cost 30s]
                            [--checkpoints epoch|inside] [--people N] [--judge]
                            [--csv OUT] [--json]\
            """;

    /** Ten times the largest clusters that schedulers publish results for. */
    private static final int NODES_MAX = 100_000;

    private static final int GPUS_PER_NODE_MAX = 4_096;
    private static final int PEOPLE_MAX = 10_000;

    private static final Set<String> VALUED =
            Set.of(
                    "--trace",
                    "--nodes",
                    "--gpus-per-node",
                    "--policy",
                    "--seed",
                    "--workload",
                    "--profiles",
                    "--round",
                    "--restart-cost",
                    "--checkpoints",
                    "--people",
                    "--csv");

    private static final Map<Character, Integer> UNIT_SECONDS =
            Map.of('s', 1, 'm', 60, 'h', 3_600, 'd', 86_400);

    /**
     * @param needsTrace whether a file must be named
     */
    static SimulateArguments parse(List<String> arguments, boolean needsTrace) {
        var values = new HashMap<String, String>();
        boolean json = false;
        boolean isJudged = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--json")) {
                json = true;
                continue;
            }
            if (argument.equals("--judge")) {
                isJudged = true;
                continue;
            }
            int equals = argument.indexOf('=');
            String name = equals > 0 ? argument.substring(0, equals) : argument;
            if (!VALUED.contains(name)) throw wrong("unknown argument '" + argument + "'");
            if (equals < 0 && ++i == arguments.size()) throw wrong(name + " needs a value");
            String value = equals < 0 ? arguments.get(i) : argument.substring(equals + 1);
            if (values.put(name, value) != null) throw wrong(name + " is given twice");
        }
        Optional<String> workload = Optional.ofNullable(values.get("--workload"));
        Optional<Path> profiles = path(values, "--profiles");
        if (workload.isPresent() != profiles.isPresent()) {
            throw wrong("--workload and --profiles go together");
        }
        if (values.containsKey("--trace") != needsTrace || !needsTrace && workload.isPresent()) {
            throw wrong(
                    needsTrace
                            ? "--trace is missing"
                            : "--trace, --workload and --profiles do not go with --from-journal");
        }
        var shape =
                new Trace.Shape(
                        count(values, "--nodes", NODES_MAX),
                        count(values, "--gpus-per-node", GPUS_PER_NODE_MAX));
        return new SimulateArguments(
                path(values, "--trace"),
                workload,
                profiles,
                policies(values.getOrDefault("--policy", String.join(",", Policies.names()))),
                new Replay.Setting(
                        shape,
                        duration(values, "--round"),
                        duration(values, "--restart-cost"),
                        checkpoints(values.getOrDefault("--checkpoints", "inside")),
                        seed(values.getOrDefault("--seed", "0")),
                        isJudged),
                values.containsKey("--people")
                        ? OptionalInt.of(count(values, "--people", PEOPLE_MAX))
                        : OptionalInt.empty(),
                path(values, "--csv"),
                json);
    }

    private static Trainees.Checkpoints checkpoints(String text) {
        return switch (text) {
            case "epoch" -> Trainees.Checkpoints.EPOCH;
            case "inside" -> Trainees.Checkpoints.INSIDE;
            default -> throw wrong("--checkpoints must be epoch or inside, but is '" + text + "'");
        };
    }

    private static List<String> policies(String text) {
        var policies = new LinkedHashSet<String>();
        for (String name : text.split(",", -1)) {
            Policies.byName(name.strip());
            policies.add(name.strip());
        }
        return List.copyOf(policies);
    }

    private static Optional<Path> path(Map<String, String> values, String name) {
        try {
            return Optional.ofNullable(values.get(name)).map(Path::of);
        } catch (InvalidPathException bad) {
            throw wrong(name + " is not a path: '" + values.get(name) + "'");
        }
    }

    static int count(Map<String, String> values, String name, int max) {
        String text = values.get(name);
        if (text == null) throw wrong(name + " is missing");
        int count = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (count < 1 || count > max) {
            throw wrong(
                    name + " must be a whole number from 1 to " + max + ", but is '" + text + "'");
        }
        return count;
    }

    static long seed(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException bad) {
            throw wrong("--seed must be a whole number, but is '" + text + "'");
        }
    }

    /** None when it is not given. */
    static Duration duration(Map<String, String> values, String name) {
        String text = values.getOrDefault(name, "0");
        String number = text.matches(".*[smhd]") ? text.substring(0, text.length() - 1) : text;
        if (!number.matches("[0-9]{1,7}")) {
            throw wrong(name + " must be a time such as 60s or 5m, but is '" + text + "'");
        }
        int unit = UNIT_SECONDS.getOrDefault(text.charAt(text.length() - 1), 1);
        return Duration.ofSeconds(Long.parseLong(number) * unit);
    }

    private static IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException(problem + "\n" + USAGE);
    }
}
