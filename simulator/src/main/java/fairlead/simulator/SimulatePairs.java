package fairlead.simulator;

import fairlead.journal.JournalException;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Runs the same queue of training jobs with and without GPU sharing, and prints what each GPU got
 * done, as CSV. Meant for {@code bench/sharing.py}.
 */
public final class SimulatePairs {
    private static final int JOBS_MAX = 100_000;
    private static final int NODES_MAX = 10_000;
    private static final int EPOCHS_MAX = 10_000;

    private static final String USAGE =
            "usage: SimulatePairs --isolated FILE --colocated FILE --gpu-types TYPE,TYPE... --nodes"
                    + " N --gpus-per-node N --jobs N --epochs N [--seed N] [--round 60s]"
                    + " [--restart-cost 30s]";

    private static final Set<String> REQUIRED =
            Set.of(
                    "--isolated",
                    "--colocated",
                    "--gpu-types",
                    "--nodes",
                    "--gpus-per-node",
                    "--jobs",
                    "--epochs");

    private static final Set<String> OPTIONAL = Set.of("--seed", "--round", "--restart-cost");

    private SimulatePairs() {}

    public static void main(String[] arguments) {
        Program.main(arguments, SimulatePairs::run);
    }

    /** The exit code: 0, or 2 when an argument or a file is wrong. */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        return Program.run("SimulatePairs", err, () -> compare(parse(arguments), out));
    }

    private static Map<String, String> parse(List<String> arguments) {
        var values = new HashMap<String, String>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!REQUIRED.contains(name) && !OPTIONAL.contains(name)) {
                throw new IllegalArgumentException("unknown argument '" + name + "'\n" + USAGE);
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value\n" + USAGE);
            }
            values.put(name, arguments.get(i + 1));
        }
        if (!values.keySet().containsAll(REQUIRED)) throw new IllegalArgumentException(USAGE);
        return values;
    }

    private static void compare(Map<String, String> asked, PrintStream out)
            throws TraceException, JournalException {
        var shape =
                new Trace.Shape(
                        SimulateArguments.count(asked, "--nodes", NODES_MAX),
                        SimulateArguments.count(asked, "--gpus-per-node", NODES_MAX));
        int count = SimulateArguments.count(asked, "--jobs", JOBS_MAX);
        int epochs = SimulateArguments.count(asked, "--epochs", EPOCHS_MAX);
        long seed = SimulateArguments.seed(asked.getOrDefault("--seed", "0"));
        out.println(
                "gpu_type,seed,work_per_gpu_alone,work_per_gpu_sharing,ratio,mean_completion_s_alone,"
                    + "mean_completion_s_sharing,preempted_alone,preempted_sharing");
        PairReplay.Result alone = null;
        for (String type : asked.get("--gpu-types").split(",", -1)) {
            PairTable table =
                    PairTable.read(
                            Path.of(asked.get("--isolated")),
                            Path.of(asked.get("--colocated")),
                            type);
            List<PairJob> jobs = PairJob.draw(table, count, epochs, seed);
            var setting =
                    new PairReplay.Setting(
                            shape,
                            SimulateArguments.duration(asked, "--round"),
                            SimulateArguments.duration(asked, "--restart-cost"),
                            true,
                            seed);
            // Jobs are drawn by how long they take alone, so alone they take as long on any type.
            if (alone == null) alone = new PairReplay(table, jobs, setting.withoutSharing()).run();
            PairReplay.Result sharing = new PairReplay(table, jobs, setting).run();
            out.printf(
                    Locale.ROOT,
                    "%s,%d,%.4f,%.4f,%.4f,%.0f,%.0f,%d,%d%n",
                    type,
                    seed,
                    alone.workPerGpu(),
                    sharing.workPerGpu(),
                    sharing.workPerGpu() / alone.workPerGpu(),
                    alone.meanCompletionSeconds(),
                    sharing.meanCompletionSeconds(),
                    alone.preemptions(),
                    sharing.preemptions());
            out.flush();
        }
    }
}
