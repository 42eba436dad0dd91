package fairlead.simulator;

import fairlead.cluster.Experience;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.control.Message;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.GpuPart;
import fairlead.job.JobSpec;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Setup;
import fairlead.job.TaskId;
import fairlead.job.Training;
import fairlead.journal.JournalException;
import fairlead.justice.Judge;
import fairlead.policies.Policies;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A few people with a few nodes for two days, from a seed: quotas or none, jobs of every kind and
 * size that come in bursts or one by one, and a judge who watches.
 */
final class Lab implements Stage.Troupe {
    private static final List<String> TYPES = List.of("a100", "v100");
    private static final Duration TWO_DAYS = Duration.ofDays(2);
    private static final Duration RESTART = Duration.ofSeconds(30);

    private final SplittableRandom dice;
    private final Stage stage;
    private final Trainees trainees;
    private final List<Node> nodes;
    private final int gpus;
    private final List<String> projects;
    private final List<JobSpec> specs = new ArrayList<>();
    private final List<Duration> left = new ArrayList<>();
    private final Map<Integer, TraceCurve> curves = new TreeMap<>();
    final Judge judge;

    /**
     * By which policy they are served, and how many of their jobs are for training.
     *
     * @param isFull whether everyone finds a node full with one training job that can be smaller
     */
    record Kind(String policy, int trainingPercent, boolean isFull) {
        Kind(String policy, int trainingPercent) {
            this(policy, trainingPercent, false);
        }
    }

    Lab(long seed, Kind kind) throws JournalException {
        dice = new SplittableRandom(seed);
        judge = new Judge(Policies.byName(kind.policy).resizes());
        nodes = IntStream.range(0, 1 + dice.nextInt(3)).mapToObj(this::node).toList();
        gpus = nodes.stream().mapToInt(node -> node.gpus().size()).sum();
        stage =
                new Stage(
                        new Stage.Setting(
                                kind.policy,
                                Experience.NONE,
                                nodes,
                                Duration.ZERO,
                                RESTART,
                                seed,
                                Optional.of(judge)),
                        this);
        var saves = dice.nextBoolean() ? Trainees.Checkpoints.EPOCH : Trainees.Checkpoints.INSIDE;
        trainees = new Trainees(stage.agenda, RESTART, saves, stage.engine, stage::offer);
        projects = projects();
        if (kind.isFull) oneComesFirst();
        peopleCome(kind);
    }

    /** Lets the two days pass; the time at their end. */
    Instant run() throws JournalException {
        while (stage.now().compareTo(TWO_DAYS) < 0 && stage.step()) {
            // Everything happens inside the step.
        }
        return stage.agenda.now();
    }

    private Node node(int number) {
        String type = TYPES.get(dice.nextInt(TYPES.size()));
        int count = 1 + dice.nextInt(8);
        List<Gpu> all = IntStream.range(0, count).mapToObj(i -> new Gpu(i, type, 0)).toList();
        return new Node("node-" + number, all, 64, 1L << 40, true);
    }

    private List<String> projects() {
        var names = new ArrayList<String>();
        names.add(Project.DEFAULT);
        if (dice.nextBoolean()) return names;
        for (int i = 0; i < 1 + dice.nextInt(3); i++) {
            String name = "lab-" + i;
            names.add(name);
            OptionalInt quota =
                    dice.nextInt(5) == 0
                            ? OptionalInt.empty()
                            : OptionalInt.of(1 + dice.nextInt(Math.max(1, gpus)));
            OptionalInt most =
                    dice.nextInt(4) == 0 ? OptionalInt.of(dice.nextInt(3)) : OptionalInt.empty();
            var project = new Project(name, quota, Set.of(), most, Project.INTERACTIVE_LIMIT);
            stage.offer(new Message.SetProject(project, new CompletableFuture<>()));
        }
        return names;
    }

    private void peopleCome(Kind kind) {
        int people = 2 + dice.nextInt(4);
        for (int person = 0; person < people; person++) {
            String owner = "owner-" + person;
            String home = projects.get(dice.nextInt(projects.size()));
            boolean isBurst = dice.nextInt(3) == 0;
            Duration comes = Duration.ofMinutes(dice.nextInt(360));
            int jobs = 1 + dice.nextInt(8);
            for (int i = 0; i < jobs; i++) {
                Duration at = isBurst ? comes : Duration.ofSeconds(dice.nextInt(36_000));
                String project =
                        dice.nextInt(4) == 0 ? projects.get(dice.nextInt(projects.size())) : home;
                submit(owner, project, at, dice.nextInt(100) < kind.trainingPercent);
            }
        }
    }

    /** With all GPUs of a node for most of the two days. */
    private void oneComesFirst() {
        int most = nodes.stream().mapToInt(node -> node.gpus().size()).max().orElseThrow();
        int seconds = dice.nextInt(60, 3_600);
        var size = new Size(most, 1 + dice.nextInt(2) * (most / 2), most + dice.nextInt(4));
        String project = projects.get(dice.nextInt(projects.size()));
        int index = specs.size();
        submit(
                "owner-first",
                training(index, project, size, seconds, 100_000 / seconds),
                Duration.ZERO);
    }

    private void submit(String owner, String project, Duration at, boolean isTraining) {
        int index = specs.size();
        submit(owner, isTraining ? training(index, project) : plain(index, project), at);
    }

    private void submit(String owner, JobSpec spec, Duration at) {
        int index = specs.size();
        specs.add(spec);
        left.add(Duration.ofSeconds(60 + dice.nextInt(dice.nextBoolean() ? 1_200 : 20_000)));
        stage.agenda.after(
                at,
                () ->
                        stage.offer(
                                new Message.Submit(
                                        owner,
                                        List.of(specs.get(index)),
                                        Optional.empty(),
                                        OptionalInt.empty(),
                                        List.of(),
                                        new CompletableFuture<>())));
    }

    private JobSpec plain(int index, String project) {
        Optional<String> type =
                dice.nextInt(8) == 0
                        ? Optional.of(TYPES.get(dice.nextInt(TYPES.size())))
                        : Optional.empty();
        int shape = dice.nextInt(12);
        Resources ask =
                shape < 2
                        ? new Resources(
                                1, new GpuPart.Fraction(250 * (1 + dice.nextInt(3))), type, 0, 0)
                        : new Resources(
                                shape < 9 ? 1 : 2 << dice.nextInt(2), GpuPart.WHOLE, type, 0, 0);
        int tasks = dice.nextInt(8) == 0 ? 2 + dice.nextInt(2) : 1;
        return spec(index, project, role(tasks, ask), dice.nextInt(12) == 0, Optional.empty());
    }

    private JobSpec training(int index, String project) {
        int asked = 1 + dice.nextInt(4);
        int least = dice.nextBoolean() ? asked : 1 + dice.nextInt(asked);
        int most = dice.nextBoolean() ? asked : asked + dice.nextInt(8);
        int seconds = dice.nextInt(5, dice.nextBoolean() ? 60 : 1_800);
        int epochs = 1 + dice.nextInt(Math.min(60, 10_000 / seconds));
        return training(index, project, new Size(asked, least, most), seconds, epochs);
    }

    /** GPUs of a training job. */
    private record Size(int asked, int least, int most) {}

    /**
     * @param seconds of an epoch on one GPU
     */
    private JobSpec training(int index, String project, Size size, int seconds, int epochs) {
        Map<Setup, Double> speeds = new TreeMap<>();
        for (int tasks = 1; tasks <= nodes.size(); tasks++) {
            for (int n = 1; n <= gpus; n++) {
                double efficiency = Math.pow(n, 0.8) / (1 + 0.1 * (tasks - 1));
                speeds.put(Setup.alone(tasks, n), seconds / efficiency);
            }
        }
        curves.put(index, new TraceCurve("train-" + index + ".py", 32, epochs, speeds));
        var declared =
                new Training(
                        epochs,
                        32,
                        3_200,
                        size.asked,
                        Math.min(size.least, size.asked),
                        size.most,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        Role role = role(1, new Resources(size.asked, 0, 0));
        return spec(index, project, role, false, Optional.of(declared));
    }

    private static Role role(int tasks, Resources ask) {
        return new Role(
                Role.MAIN, tasks, List.of("true"), ask, OptionalInt.of(1), OptionalInt.empty());
    }

    private JobSpec spec(
            int index,
            String project,
            Role role,
            boolean isInteractive,
            Optional<Training> training) {
        var spec = new JobSpec.Edit();
        spec.name = String.valueOf(index);
        spec.cluster = Stage.CLUSTER;
        spec.project = project;
        spec.priority = dice.nextInt(4) == 0 ? dice.nextInt(-2, 3) : 0;
        spec.roles = List.of(role);
        spec.workingFolder = "/";
        spec.interactive = isInteractive;
        spec.training = training;
        return spec.spec();
    }

    @Override
    public void launched(Effect.Launch launch) {
        if (launch.job().spec().training().isEmpty()) return;
        int index = index(launch.job().spec());
        trainees.launched(launch, index, curves.get(index));
    }

    @Override
    public void asked(AttemptId attempt) {
        trainees.asked(attempt);
    }

    @Override
    public Duration runTime(JobSpec spec, TaskId task) {
        int index = index(spec);
        TraceCurve curve = curves.get(index);
        return curve == null ? left.get(index) : trainees.runTime(spec, index, curve);
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
        if (!task.equals(new TaskId(Role.MAIN, 0))) return;
        int index = index(spec);
        if (spec.training().isPresent()) {
            trainees.ended(index);
            return;
        }
        Duration rest = left.get(index).minus(time);
        left.set(index, rest.isPositive() ? rest : Duration.ofSeconds(1));
    }

    private static int index(JobSpec spec) {
        return Integer.parseInt(spec.name());
    }
}
