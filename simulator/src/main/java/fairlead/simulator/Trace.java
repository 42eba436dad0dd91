package fairlead.simulator;

import fairlead.job.Setup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Jobs to replay, in the order of their submit; those of one instant in the order of the file. */
public record Trace(List<TraceJob> jobs) {
    private static final String SUBMIT = "submit_s";

    /** The shape of the cluster that a trace is for: all nodes alike. */
    public record Shape(int nodes, int gpusPerNode) {
        public int gpus() {
            return nodes * gpusPerNode;
        }

        /** As few as can hold so many GPUs. */
        int nodesFor(int gpus) {
            return (gpus + gpusPerNode - 1) / gpusPerNode;
        }
    }

    public Trace {
        jobs = jobs.stream().sorted(Comparator.comparing(TraceJob::submit)).toList();
    }

    /** The same jobs, dealt out to so many people by their ids. */
    Trace dealtTo(int people) {
        return new Trace(
                jobs.stream()
                        .map(
                                job ->
                                        new TraceJob(
                                                job.id(),
                                                "person-"
                                                        + Math.floorMod(
                                                                job.id().hashCode(), people),
                                                job.submit(),
                                                job.gpus(),
                                                job.runTime(),
                                                job.curve()))
                        .toList());
    }

    /**
     * A plain trace: the columns job_id, submit_s, gpus and duration_s; the owner is in the column
     * user or vc, or there is only one.
     */
    public static Trace plain(Path file, Shape shape) throws TraceException {
        var table = new Table(file, List.of("job_id", SUBMIT, "gpus", "duration_s"));
        Optional<String> owner = List.of("user", "vc").stream().filter(table::has).findFirst();
        Set<String> ids = new HashSet<>();
        var jobs = new ArrayList<TraceJob>();
        for (Table.Row row : table.rows()) {
            jobs.add(
                    new TraceJob(
                            id(row, ids),
                            owner.isPresent() ? row.text(owner.get()) : "everyone",
                            row.seconds(SUBMIT),
                            row.count("gpus", shape.gpus()),
                            row.positiveSeconds("duration_s")));
        }
        return nonEmpty(jobs, file.toString());
    }

    /**
     * A workload whose jobs name a model, a batch size and GPUs; a table of profiles says how long
     * each of these runs on as few nodes as can hold it. A job without its row is an error: speed
     * is not monotone in GPUs, so a value between two rows would be invented.
     *
     * @param workload which of the file's workloads
     */
    public static Trace profiled(Path file, String workload, Path profiles, Shape shape)
            throws TraceException {
        Map<Script, TraceCurve> curves = curves(profiles);
        var table =
                new Table(
                        file,
                        List.of(
                                "workload",
                                "job_id",
                                SUBMIT,
                                "tuned_gpus",
                                "model",
                                "tuned_batch_size"));
        Set<String> ids = new HashSet<>();
        Set<String> known = new TreeSet<>();
        var jobs = new ArrayList<TraceJob>();
        for (Table.Row row : table.rows()) {
            known.add(row.text("workload"));
            if (!row.text("workload").equals(workload)) continue;
            int gpus = row.count("tuned_gpus", shape.gpus());
            var script =
                    new Script(row.text("model"), row.count("tuned_batch_size", Integer.MAX_VALUE));
            var setup = Setup.alone(shape.nodesFor(gpus), gpus);
            TraceCurve curve = curves.get(script);
            if (curve == null || !curve.epochSeconds().containsKey(setup)) {
                throw row.bad(
                        "model",
                        profiles
                                + " has no row for %s with batch size %d on %d GPUs of %d nodes"
                                        .formatted(
                                                script.model(),
                                                script.batchSize(),
                                                gpus,
                                                setup.tasks()));
            }
            jobs.add(
                    new TraceJob(
                            id(row, ids),
                            "everyone",
                            row.seconds(SUBMIT),
                            gpus,
                            Table.duration(curve.epochSeconds(setup) * curve.epochs()),
                            Optional.of(curve)));
        }
        if (jobs.isEmpty()) {
            throw new TraceException(
                    "no workload '" + workload + "' in " + file + "; there are " + known);
        }
        return new Trace(jobs);
    }

    private record Script(String model, int batchSize) {}

    private static Map<Script, TraceCurve> curves(Path file) throws TraceException {
        var table =
                new Table(
                        file,
                        List.of(
                                "model",
                                "batch_size",
                                "gpus",
                                "nodes",
                                "epochs_to_target",
                                "total_run_s"));
        var curves = new HashMap<Script, TraceCurve>();
        for (Table.Row row : table.rows()) {
            var script = new Script(row.text("model"), row.count("batch_size", Integer.MAX_VALUE));
            int gpus = row.count("gpus", Integer.MAX_VALUE);
            int nodes = row.count("nodes", Integer.MAX_VALUE);
            int epochs = row.count("epochs_to_target", Integer.MAX_VALUE);
            TraceCurve known =
                    curves.getOrDefault(
                            script,
                            new TraceCurve(script.model(), script.batchSize(), epochs, Map.of()));
            if (known.epochs() != epochs) {
                throw row.bad("epochs_to_target", "is " + epochs + ", but was " + known.epochs());
            }
            var seconds = new HashMap<>(known.epochSeconds());
            double epoch = Table.seconds(row.positiveSeconds("total_run_s")) / epochs;
            if (seconds.putIfAbsent(Setup.alone(nodes, gpus), epoch) != null) {
                throw row.bad("model", "a second row for the same batch size, GPUs and nodes");
            }
            curves.put(script, new TraceCurve(script.model(), script.batchSize(), epochs, seconds));
        }
        return curves;
    }

    private static String id(Table.Row row, Set<String> ids) throws TraceException {
        String id = row.text("job_id");
        if (!ids.add(id)) throw row.bad("job_id", "a second " + id);
        return id;
    }

    private static Trace nonEmpty(List<TraceJob> jobs, String source) throws TraceException {
        if (jobs.isEmpty()) throw new TraceException(source + " has no jobs");
        return new Trace(jobs);
    }
}
