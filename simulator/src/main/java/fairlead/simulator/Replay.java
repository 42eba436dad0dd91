package fairlead.simulator;

import fairlead.cluster.Experience;
import fairlead.cluster.Foresight;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.control.Message;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.Training;
import fairlead.journal.JournalException;
import fairlead.justice.Judge;
import fairlead.policies.Knowledge;
import fairlead.policies.Policies;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A trace run by the real controller in virtual time: nothing fails, and every call takes no time.
 * A preempted job keeps its work and goes on where it was. Used once.
 */
public final class Replay implements Stage.Troupe {
    private final String policy;
    private final Trace trace;
    private final Setting setting;
    private final Stage stage;
    private final Trainees trainees;
    private final Optional<Judge> judge;
    private final Duration[] left;
    private final Duration[] finish;
    private int unfinished;
    private Duration busy = Duration.ZERO;

    /**
     * What holds for every policy of a comparison.
     *
     * @param round decisions are made only at its multiples; zero: whenever something happens
     * @param restartCost what each start adds to a job's run time, the first one too
     * @param checkpoints when the work of a training job is safe
     * @param isJudged whether every decision is held against the fair rule, which takes time
     */
    public record Setting(
            Trace.Shape shape,
            Duration round,
            Duration restartCost,
            Trainees.Checkpoints checkpoints,
            long seed,
            boolean isJudged) {
        public Setting(Trace.Shape shape, Duration round, Duration restartCost, long seed) {
            this(shape, round, restartCost, Trainees.Checkpoints.INSIDE, seed, false);
        }
    }

    /**
     * What became of the trace.
     *
     * @param finish for each job of the trace, counted from time zero
     * @param busy GPU-time held
     * @param fairness where it was judged
     */
    public record Result(
            List<Duration> finish,
            int preemptions,
            Duration busy,
            Optional<Judge.Summary> fairness) {
        public Result {
            finish = List.copyOf(finish);
        }

        /** Of a replay that nobody judged. */
        public Result(List<Duration> finish, int preemptions, Duration busy) {
            this(finish, preemptions, busy, Optional.empty());
        }
    }

    public Replay(String policy, Trace trace, Setting setting) throws JournalException {
        this.policy = policy;
        this.trace = trace;
        this.setting = setting;
        this.left = trace.jobs().stream().map(TraceJob::runTime).toArray(Duration[]::new);
        this.finish = new Duration[left.length];
        this.unfinished = left.length;
        boolean resizes = Policies.byName(policy).resizes();
        this.judge = setting.isJudged() ? Optional.of(new Judge(resizes)) : Optional.empty();
        this.stage =
                new Stage(
                        new Stage.Setting(
                                policy,
                                foresight(),
                                nodes(setting.shape()),
                                setting.round(),
                                setting.restartCost(),
                                setting.seed(),
                                judge),
                        this);
        this.trainees =
                new Trainees(
                        stage.agenda,
                        setting.restartCost(),
                        setting.checkpoints(),
                        stage.engine,
                        stage::offer);
    }

    public Result run() throws JournalException {
        for (int i = 0; i < trace.jobs().size(); i++) {
            int index = i;
            stage.agenda.after(trace.jobs().get(i).submit(), () -> submit(index));
        }
        while (unfinished > 0) {
            if (!stage.step()) {
                throw new IllegalStateException(unfinished + " jobs never end under " + policy);
            }
        }
        return new Result(
                List.of(finish),
                stage.preemptions(),
                busy,
                judge.map(each -> each.summary(stage.agenda.now())));
    }

    /** The same, and those who wait are told when they will start. */
    List<Foretelling.Told> runForetelling() throws JournalException {
        Foretelling foretelling = stage.foretell();
        run();
        return foretelling.told();
    }

    private void submit(int index) {
        TraceJob job = trace.jobs().get(index);
        stage.offer(
                new Message.Submit(
                        job.owner(),
                        List.of(spec(index)),
                        Optional.empty(),
                        OptionalInt.empty(),
                        List.of(),
                        new CompletableFuture<>()));
    }

    /** The whole truth for policies that may know it; for the others what jobs have shown. */
    private Foresight foresight() {
        if (Policies.knows(policy) != Knowledge.ORACLE) return Experience.NONE;
        return new Foresight() {
            @Override
            public Optional<Duration> runTime(Job job) {
                return Optional.of(totalRunTime(job));
            }

            @Override
            public Profile profile(Job job) {
                return trace.jobs()
                        .get(index(job.spec()))
                        .curve()
                        .map(TraceCurve::profile)
                        .orElse(Profile.NONE);
            }
        };
    }

    private Duration totalRunTime(Job job) {
        boolean isPlaced =
                job.state() instanceof JobState.Starting || job.state() instanceof JobState.Running;
        int starts = isPlaced ? job.attempts() : job.attempts() + 1;
        return trace.jobs()
                .get(index(job.spec()))
                .runTime()
                .plus(setting.restartCost().multipliedBy(starts));
    }

    @Override
    public void launched(Effect.Launch launch) {
        if (launch.job().spec().training().isEmpty()) return;
        int index = index(launch.job().spec());
        trainees.launched(launch, index, curve(index));
    }

    @Override
    public void asked(AttemptId attempt) {
        trainees.asked(attempt);
    }

    private TraceCurve curve(int index) {
        return trace.jobs().get(index).curve().orElseThrow();
    }

    @Override
    public Duration runTime(JobSpec spec, TaskId task) {
        int index = index(spec);
        if (spec.training().isPresent()) return trainees.runTime(spec, index, curve(index));
        return setting.restartCost().plus(left[index(spec)]);
    }

    @Override
    public int exitCode(JobSpec spec, TaskId task) {
        return 0;
    }

    @Override
    public Duration obedience(JobSpec spec, TaskId task) {
        return Duration.ZERO;
    }

    /** Tasks of a job begin and end together, so its first one speaks for all. */
    @Override
    public void ran(JobSpec spec, TaskId task, Duration time) {
        if (!task.equals(new TaskId(spec.roles().getFirst().name(), 0))) return;
        int index = index(spec);
        busy = busy.plus(time.multipliedBy(spec.gpus()));
        Duration work = time.minus(setting.restartCost());
        if (spec.training().isEmpty() && work.isPositive()) left[index] = left[index].minus(work);
        if (spec.training().isPresent() ? trainees.ended(index) : left[index].isZero()) {
            finish[index] = stage.now();
            unfinished--;
        }
    }

    /** The job's place in the trace, which its name carries. */
    private static int index(JobSpec spec) {
        return Integer.parseInt(spec.name());
    }

    /** As few tasks as can hold the GPUs: full nodes, and one more for the rest. */
    private List<Role> rigid(int gpus) {
        int perNode = setting.shape().gpusPerNode();
        var roles = new ArrayList<Role>();
        if (gpus >= perNode) roles.add(role("full", gpus / perNode, perNode));
        if (gpus % perNode > 0) roles.add(role("rest", 1, gpus % perNode));
        return roles;
    }

    private JobSpec spec(int index) {
        TraceJob job = trace.jobs().get(index);
        Optional<TraceCurve> curve = job.curve().filter(_ -> Policies.byName(policy).resizes());
        List<Role> roles =
                curve.map(
                                each ->
                                        List.of(
                                                new Role(
                                                        Role.MAIN,
                                                        1,
                                                        List.of("python", each.script()),
                                                        new Resources(job.gpus(), 0, 0),
                                                        OptionalInt.of(1),
                                                        OptionalInt.empty())))
                        .orElseGet(() -> rigid(job.gpus()));
        var spec = new JobSpec.Edit();
        spec.name = String.valueOf(index);
        spec.cluster = Stage.CLUSTER;
        spec.project = Project.DEFAULT;
        spec.roles = roles;
        spec.workingFolder = "/";
        spec.training = curve.map(each -> training(job, each));
        return spec.spec();
    }

    /** What its owner would have declared: epochs, batch size, and the GPUs that were tuned. */
    private static Training training(TraceJob job, TraceCurve curve) {
        return new Training(
                curve.epochs(),
                curve.batchSize(),
                curve.batchSize(),
                job.gpus(),
                curve.gpusMin(),
                curve.gpusMax(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Role role(String name, int tasks, int gpusEach) {
        return new Role(
                name,
                tasks,
                List.of("true"),
                new Resources(gpusEach, 0, 0),
                OptionalInt.of(1),
                OptionalInt.empty());
    }

    private static List<Node> nodes(Trace.Shape shape) {
        List<Gpu> gpus =
                IntStream.range(0, shape.gpusPerNode())
                        .mapToObj(i -> new Gpu(i, "declared", 0))
                        .toList();
        return IntStream.range(0, shape.nodes())
                .mapToObj(i -> new Node("node-%05d".formatted(i), gpus, 0, 0, true))
                .toList();
    }
}
