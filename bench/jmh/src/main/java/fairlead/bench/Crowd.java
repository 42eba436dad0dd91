package fairlead.bench;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.policies.Policies;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A large cluster and its crowd, made from a seed: 100 owners in 10 projects with quotas, jobs of 1
 * to 8 GPUs, a tenth of them gangs of 2 to 8 tasks, another tenth parts of a GPU; half of all jobs
 * say how long they run.
 */
final class Crowd {
    static final String CLUSTER = "large";
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    /** The goal of docs/performance.md speaks of 5,000 running jobs on 1,000 nodes. */
    private static final int RUNNING_PER_NODE = 5;

    private static final int WAITING_PER_NODE = 10;
    private static final int OWNERS = 100;
    private static final int PROJECTS = 10;
    private static final int GPUS_PER_NODE = 8;
    private static final long GPU_BYTES = 80L << 30;

    private final SplittableRandom dice;
    private final List<Node> nodes;
    private final Map<String, Project> projects = new HashMap<>();
    private final Map<JobId, Job> jobs = new HashMap<>();
    private int labs = PROJECTS;
    private int made;

    Crowd(int nodes, long seed) {
        this.nodes = nodes(nodes);
        this.dice = new SplittableRandom(seed);
        // Three quarters are promised, as a careful admin does; the rest is lent from the start.
        int quota = Math.max(1, nodes * GPUS_PER_NODE * 3 / 4 / PROJECTS);
        for (int i = 0; i < PROJECTS; i++) {
            projects.put(
                    "lab-" + i,
                    new Project(
                            "lab-" + i,
                            OptionalInt.of(quota),
                            Set.of(),
                            OptionalInt.empty(),
                            Project.INTERACTIVE_LIMIT));
        }
    }

    /**
     * A view with so many waiting jobs for each node. In a {@code full} cluster nothing has ended;
     * in a {@code freed} one every hundredth job has just ended, and others start in its place; in
     * a {@code lent} one four of ten projects hold everything, and the owners of the rest want it
     * back.
     */
    static View view(String kind, int nodes, long seed) {
        var crowd = new Crowd(nodes, seed);
        if (kind.equals("lent")) crowd.onlyLabs(4);
        crowd.fill();
        crowd.allLabs();
        if (kind.equals("freed")) crowd.end(100);
        crowd.wait(WAITING_PER_NODE * nodes);
        return crowd.view();
    }

    static List<Node> nodes(int count) {
        List<Gpu> gpus =
                IntStream.range(0, GPUS_PER_NODE)
                        .mapToObj(gpu -> new Gpu(gpu, "A100-SXM4-80GB", GPU_BYTES))
                        .toList();
        return IntStream.range(0, count)
                .mapToObj(i -> new Node("node-%05d".formatted(i), gpus, 128, 1L << 40, true))
                .toList();
    }

    List<Node> nodes() {
        return nodes;
    }

    Rules rules() {
        return new Rules(projects, Rules.UNDISTURBED);
    }

    /** From now on only the owners of the first so many projects submit. */
    void onlyLabs(int first) {
        labs = first;
    }

    void allLabs() {
        labs = PROJECTS;
    }

    /** The crowd's next job, waiting. */
    Job next() {
        int shape = dice.nextInt(10);
        if (shape == 0) return job(gang(1 + dice.nextInt(8)));
        if (shape == 1) return job(part());
        return job(role(1, new Resources(1 << dice.nextInt(4), 4, 16L << 30)));
    }

    /** Smaller than the crowd's other jobs: about 1.5 GPUs on average, so that 5 share a node. */
    private Job small() {
        int shape = dice.nextInt(100);
        if (shape < 16) return job(part());
        if (shape < 18) return job(gang(2));
        int gpus = shape < 20 ? 8 : shape < 25 ? 4 : shape < 41 ? 2 : 1;
        return job(role(1, new Resources(gpus, 4, 16L << 30)));
    }

    private Role gang(int gpus) {
        return role(2 + dice.nextInt(7), new Resources(gpus, 4, 16L << 30));
    }

    private Role part() {
        GpuPart part =
                dice.nextBoolean()
                        ? new GpuPart.Fraction(100 * (1 + dice.nextInt(5)))
                        : new GpuPart.Memory((long) (5 + dice.nextInt(30)) << 30);
        return role(1, new Resources(1, part, Optional.empty(), 2, 8L << 30));
    }

    static Role role(int count, Resources resources) {
        return new Role(
                Role.MAIN,
                count,
                List.of("python3", "train.py"),
                resources,
                OptionalInt.of(1),
                OptionalInt.empty());
    }

    private Job job(Role role) {
        int owner = dice.nextInt(OWNERS / PROJECTS) * PROJECTS + dice.nextInt(labs);
        Optional<Duration> limit =
                dice.nextBoolean()
                        ? Optional.of(Duration.ofMinutes(10 + dice.nextInt(2_000)))
                        : Optional.empty();
        var spec = spec("lab-" + owner % PROJECTS, role, limit);
        Instant submitted = NOON.minusSeconds(1_000_000).plusSeconds(made);
        return Job.submitted(
                JobId.of("train", submitted, made++),
                spec,
                "owner-" + owner,
                submitted,
                Optional.empty(),
                Optional.empty());
    }

    static JobSpec spec(String project, Role role, Optional<Duration> limit) {
        var spec = new JobSpec.Edit();
        spec.name = "train";
        spec.cluster = CLUSTER;
        spec.project = project;
        spec.roles = List.of(role);
        spec.timeLimit = limit;
        spec.workingFolder = "/tmp";
        return spec.spec();
    }

    void add(Job job) {
        jobs.put(job.id(), job);
    }

    /**
     * Fills the cluster with small jobs that run, placed first come, first served: at least {@link
     * #RUNNING_PER_NODE} for each node. Each has run between no time and two days.
     */
    void fill() {
        Policy packing = Policies.byName("backfill");
        var state = state();
        int least = RUNNING_PER_NODE * nodes.size();
        for (int i = 0; i < 2 * least; i++) {
            state.change(Optional.empty(), Optional.of(small()));
        }
        View view = state.view(NOON);
        Map<JobId, Job> waiting = new HashMap<>();
        view.queues().forEach(queue -> queue.gpuJobs().forEach(job -> waiting.put(job.id(), job)));
        for (Plan.Start start : packing.plan(view).starts()) {
            add(started(waiting.get(start.job()), start.placement()));
        }
        if (jobs.size() < least) {
            throw new IllegalStateException("only %d of %d run".formatted(jobs.size(), least));
        }
    }

    private Job started(Job job, Placement placement) {
        var attempt = new Attempt(new AttemptId(job.id(), 1), placement);
        Instant since = NOON.minusSeconds(dice.nextInt(172_800));
        return JobMachine.next(
                JobMachine.next(job, new Event.AttemptPlaced(since, attempt)),
                new Event.AttemptStarted(since, attempt.id()));
    }

    /** Lets so many more wait. */
    void wait(int count) {
        for (int i = 0; i < count; i++) add(next());
    }

    /** Lets every so many-th running job end. */
    void end(int everyNth) {
        var running = new ArrayList<>(jobs.values());
        running.removeIf(job -> job.state() instanceof JobState.Queued);
        running.sort(Comparator.comparing(Job::id));
        for (int i = 0; i < running.size(); i += everyNth) jobs.remove(running.get(i).id());
    }

    private ClusterState state() {
        var state = new ClusterState();
        state.nodes(nodes);
        state.rules(rules());
        return state;
    }

    List<Job> jobs() {
        return List.copyOf(jobs.values());
    }

    View view() {
        var state = state();
        jobs.values().forEach(job -> state.change(Optional.empty(), Optional.of(job)));
        return state.view(NOON);
    }
}
