package fairlead.cli.verb;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Replays a trace, or a team's own past, under several policies. */
public final class Simulate implements Verb {
    private static final String PROGRAM = "fairlead.server.history.SimulateHistory";

    private static final Option TRACE =
            Option.valued("--trace", null, "FILE", "a CSV file with the jobs");
    private static final Option FROM_JOURNAL =
            Option.flag(
                    "--from-journal",
                    null,
                    "the finished jobs of a backup FILE, or of your own server");
    private static final Option NODES =
            Option.valued("--nodes", null, "N", "how many nodes the cluster has");
    private static final Option GPUS_PER_NODE =
            Option.valued("--gpus-per-node", null, "N", "how many GPUs each has");
    private static final Option POLICY =
            Option.valued("--policy", null, "NAMES", "with commas between; by default all");
    private static final Option SEED =
            Option.valued("--seed", null, "N", "for the random part of job ids; by default 0");
    private static final Option WORKLOAD =
            Option.valued("--workload", null, "NAME", "which of the file's workloads");
    private static final Option PROFILES =
            Option.valued("--profiles", null, "FILE", "how long each model runs, with --workload");
    private static final Option ROUND =
            Option.valued("--round", null, "T", "decide only at multiples of this, such as 60s");
    private static final Option RESTART_COST =
            Option.valued("--restart-cost", null, "T", "what each start costs a job, such as 30s");
    private static final Option CHECKPOINTS =
            Option.valued(
                    "--checkpoints",
                    null,
                    "WHEN",
                    "training jobs can stop at the end of an epoch, or inside one: epoch, inside");
    private static final Option PEOPLE =
            Option.valued("--people", null, "N", "how many people the jobs are dealt out to");
    private static final Option JUDGE =
            Option.flag("--judge", null, "hold every decision against the fair rule");
    private static final Option CSV = Option.valued("--csv", null, "OUT", "write a CSV file too");
    private static final Option JSON = Option.flag("--json", null, "print JSON");

    private static final List<Option> PASSED_ON =
            List.of(
                    TRACE,
                    NODES,
                    GPUS_PER_NODE,
                    POLICY,
                    SEED,
                    WORKLOAD,
                    PROFILES,
                    ROUND,
                    RESTART_COST,
                    CHECKPOINTS,
                    PEOPLE,
                    CSV);

    @Override
    public Usage usage() {
        var options = new ArrayList<>(PASSED_ON);
        options.add(1, FROM_JOURNAL);
        options.add(JUDGE);
        options.add(JSON);
        return new Usage(
                List.of("simulate"),
                "[FILE]",
                1,
                false,
                "replay jobs under other policies, in virtual time",
                "The real scheduler decides, and nothing runs; docs/simulator.md says what the"
                    + " columns mean.\n"
                    + "With --from-journal --nodes 4 --gpus-per-node 8 it replays the past of your"
                    + " own server.",
                options,
                List.of(
                        Example.of(
                                "fairlead simulate --trace bench/traces/bench_philly_6c71a0_480.csv"
                                        + " --nodes 1 --gpus-per-node 64 --policy fair,fifo",
                                "480 jobs of a public trace on one pool of 64 GPUs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var words = new ArrayList<String>();
        for (Option option : PASSED_ON) {
            arguments.text(option).ifPresent(value -> words.addAll(List.of(option.name(), value)));
        }
        if (arguments.has(JUDGE)) words.add(JUDGE.name());
        if (arguments.has(JSON)) words.add(JSON.name());
        if (!arguments.has(FROM_JOURNAL)) {
            if (!arguments.operands().isEmpty()) {
                throw new UsageException("a FILE goes with --from-journal; a trace with --trace");
            }
            return session.tool(PROGRAM, words);
        }
        words.add(FROM_JOURNAL.name());
        if (!arguments.operands().isEmpty()) {
            words.add(arguments.operands().getFirst());
            return session.tool(PROGRAM, words);
        }
        return ofOwnServer(words, session);
    }

    /** A copy is made and read, so that the server goes on undisturbed. */
    private static int ofOwnServer(List<String> words, Session session)
            throws UsageException, Failure, Refused, IOException {
        session.onlyPersonal("simulate --from-journal without a FILE");
        Path folder = Files.createTempDirectory("fairlead-simulate");
        Path copy = folder.resolve("journal.db");
        try {
            session.client().backup(copy.toString());
            words.add(copy.toString());
            return session.tool(PROGRAM, words);
        } finally {
            Files.deleteIfExists(copy);
            Files.delete(folder);
        }
    }
}
