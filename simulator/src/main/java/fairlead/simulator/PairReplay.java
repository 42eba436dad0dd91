package fairlead.simulator;

import fairlead.cluster.Experience;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.control.Message;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobSpec;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.Training;
import fairlead.journal.JournalException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A queue of training jobs that may share GPUs, run by the real controller in virtual time. Nobody
 * knows anything beforehand but the memory that owners declare. Each model has an owner of its own,
 * and all jobs are submitted at once. Used once.
 */
final class PairReplay implements Stage.Troupe {
    private static final String POLICY = "elastic";

    /** Only parts of it matter: what the owners declare is derived from which pairs fit. */
    private static final long GPU_BYTES = 16L << 30;

    /** Scripts end by themselves; how long that takes depends on their neighbours. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final PairTable table;
    private final List<PairJob> jobs;
    private final Setting setting;
    private final Map<String, Long> memory;
    private final Stage stage;
    private final PairScripts scripts;
    private int unfinished;
    private double completionSeconds;

    /**
     * What holds for all jobs of a comparison but for one thing.
     *
     * @param sharing whether owners allow that their jobs share a GPU
     */
    record Setting(
            Trace.Shape shape, Duration round, Duration restartCost, boolean sharing, long seed) {
        Setting withoutSharing() {
            return new Setting(shape, round, restartCost, false, seed);
        }

        int gpus() {
            return shape.nodes() * shape.gpusPerNode();
        }
    }

    /**
     * What came of the queue.
     *
     * @param workPerGpu work done on a GPU in a second while jobs waited, in seconds that it would
     *     have taken alone
     */
    record Result(double workPerGpu, double meanCompletionSeconds, int preemptions) {}

    PairReplay(PairTable table, List<PairJob> jobs, Setting setting) throws JournalException {
        if (jobs.size() <= setting.gpus()) {
            throw new IllegalArgumentException(
                    jobs.size() + " jobs do not queue for " + setting.gpus() + " GPUs");
        }
        this.table = table;
        this.jobs = List.copyOf(jobs);
        this.setting = setting;
        this.memory = PairMemory.declared(table, GPU_BYTES);
        this.unfinished = jobs.size();
        this.stage =
                new Stage(
                        new Stage.Setting(
                                POLICY,
                                Experience.NONE,
                                nodes(setting.shape()),
                                setting.round(),
                                setting.restartCost(),
                                setting.seed(),
                                Optional.empty()),
                        this);
        this.scripts = new PairScripts(table, this.jobs, setting.restartCost(), stage);
    }

    Result run() throws JournalException {
        for (int i = 0; i < jobs.size(); i++) submit(i);
        goOnWhile(true);
        double work = scripts.usefulSeconds() / Table.seconds(stage.now()) / setting.gpus();
        goOnWhile(false);
        return new Result(work, completionSeconds / jobs.size(), stage.preemptions());
    }

    /** Until the queue is empty, or else until all have ended. */
    private void goOnWhile(boolean jobsWait) throws JournalException {
        do {
            stage.step();
            if (stage.now().compareTo(FOR_EVER) >= 0) {
                throw new IllegalStateException(unfinished + " jobs never end");
            }
        } while (jobsWait ? !stage.view().queues().isEmpty() : unfinished > 0);
    }

    private void submit(int index) {
        stage.offer(
                new Message.Submit(
                        "owner-" + model(index),
                        List.of(spec(index)),
                        Optional.empty(),
                        OptionalInt.empty(),
                        List.of(),
                        new CompletableFuture<>()));
    }

    private int model(int index) {
        return table.models().indexOf(jobs.get(index).model());
    }

    @Override
    public void launched(Effect.Launch launch) {
        scripts.launched(launch, index(launch.job().spec()));
    }

    @Override
    public void asked(AttemptId attempt) {
        scripts.asked(attempt);
    }

    @Override
    public Duration runTime(JobSpec spec, TaskId task) {
        return FOR_EVER;
    }

    @Override
    public int exitCode(JobSpec spec, TaskId task) {
        return 0;
    }

    @Override
    public Duration obedience(JobSpec spec, TaskId task) {
        return Duration.ZERO;
    }

    @Override
    public void ran(JobSpec spec, TaskId task, Duration time) {
        if (!scripts.ended(index(spec))) return;
        unfinished--;
        completionSeconds += Table.seconds(stage.now());
    }

    /** The job's place in the queue, which its name carries. */
    private static int index(JobSpec spec) {
        return Integer.parseInt(spec.name());
    }

    private JobSpec spec(int index) {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("python", "train-" + model(index) + ".py"),
                        new Resources(1, 0, 0),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        var training =
                new Training(
                        jobs.get(index).epochs(),
                        1,
                        1,
                        1,
                        1,
                        1,
                        setting.sharing(),
                        Optional.of(memory.get(jobs.get(index).model())),
                        Optional.empty(),
                        Optional.empty());
        var spec = new JobSpec.Edit();
        spec.name = String.valueOf(index);
        spec.cluster = Stage.CLUSTER;
        spec.project = Project.DEFAULT;
        spec.roles = List.of(role);
        spec.workingFolder = "/";
        spec.training = Optional.of(training);
        return spec.spec();
    }

    private static List<Node> nodes(Trace.Shape shape) {
        List<Gpu> gpus =
                IntStream.range(0, shape.gpusPerNode())
                        .mapToObj(i -> new Gpu(i, "declared", GPU_BYTES))
                        .toList();
        return IntStream.range(0, shape.nodes())
                .mapToObj(i -> new Node("node-%05d".formatted(i), gpus, 0, 0, true))
                .toList();
    }
}
