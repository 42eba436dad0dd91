package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Experience;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Profile;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Samples;
import fairlead.job.Setup;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;
import fairlead.job.Verdict;
import fairlead.policies.Policies;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;
import fairlead.policy.Policy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A small cluster whose training jobs share GPUs of 16 GiB, as the policy elastic sees it. Jobs
 * that run have run for an hour unless a test says otherwise.
 */
public final class SharedCluster {
    public static final Instant NOW = Samples.NOON.plus(Duration.ofHours(1));
    static final int EPOCHS = 100;
    private static final Policy ELASTIC = Policies.byName("elastic");
    private static final long GPU_BYTES = gibibytes(16);

    private final ClusterState state = new ClusterState(Experience.NONE);
    private int jobs;

    /**
     * @param gpus of each node
     */
    public SharedCluster(int... gpus) {
        this(GPU_BYTES, 64, gpus);
    }

    public SharedCluster(long gpuBytes, int cpus, int... gpus) {
        state.nodes(
                IntStream.range(0, gpus.length)
                        .mapToObj(
                                i ->
                                        new Node(
                                                "node-" + i,
                                                IntStream.range(0, gpus[i])
                                                        .mapToObj(k -> new Gpu(k, "big", gpuBytes))
                                                        .toList(),
                                                cpus,
                                                gibibytes(256),
                                                true))
                        .toList());
    }

    static long gibibytes(int count) {
        return (long) count << 30;
    }

    /** What an owner declares of a job on one GPU. */
    public record Ask(
            String owner, String script, boolean sharing, Optional<Integer> memory, int gpus) {
        public static Ask of(String owner, String script, int memory) {
            return new Ask(owner, script, true, Optional.of(memory), 1);
        }

        public Ask alone() {
            return new Ask(owner, script, false, memory, gpus);
        }

        Ask withoutMemory() {
            return new Ask(owner, script, sharing, Optional.empty(), gpus);
        }

        /** Needs so many GPUs, not one less. */
        Ask on(int more) {
            return new Ask(owner, script, sharing, memory, more);
        }

        JobSpec spec() {
            var training =
                    new Training(
                            EPOCHS,
                            32,
                            3_200,
                            gpus,
                            gpus,
                            gpus,
                            sharing,
                            memory.map(SharedCluster::gibibytes),
                            Optional.empty(),
                            Optional.empty());
            var spec = new JobSpec.Edit();
            spec.name = "sample";
            spec.cluster = "local";
            spec.project = Project.DEFAULT;
            spec.roles =
                    List.of(
                            new Role(
                                    "main",
                                    1,
                                    List.of("python", script),
                                    new Resources(gpus, 1, 0),
                                    OptionalInt.of(1),
                                    OptionalInt.empty()));
            spec.workingFolder = "/tmp";
            spec.training = Optional.of(training);
            return spec.spec();
        }
    }

    public Job waiting(Ask ask) {
        return waiting(ask.owner(), ask.spec());
    }

    public Job waiting(String owner, JobSpec spec) {
        Job job = Samples.job(++jobs, owner, spec);
        state.change(Optional.empty(), Optional.of(job));
        return job;
    }

    /** Holds as much of the GPU as it has declared, for an hour. */
    Job running(Ask ask, String node, int gpu) {
        return running(ask, node, gpu, NOW.minus(Duration.ofHours(1)));
    }

    Job running(Ask ask, String node, int gpu, Instant since) {
        var share = new Share(gpu, gibibytes(ask.memory().orElseThrow()));
        Job starting = placed(waiting(ask), node, share, since);
        Job running = become(starting, new Event.AttemptStarted(since, id(starting)));
        return become(running, new Event.TrainingJoined(since, id(running)));
    }

    /** Has the whole GPU, and its script does not report. */
    public Job silent(Ask ask, String node, int gpu, Instant since) {
        Job starting = placed(waiting(ask), node, Share.whole(gpu), since);
        return become(starting, new Event.AttemptStarted(since, id(starting)));
    }

    /** Has the whole GPU. */
    public Job runningAlone(Ask ask, String node, int gpu) {
        Instant since = NOW.minus(Duration.ofHours(1));
        Job starting = placed(waiting(ask), node, Share.whole(gpu), since);
        Job running = become(starting, new Event.AttemptStarted(since, id(starting)));
        return become(running, new Event.TrainingJoined(since, id(running)));
    }

    Job placed(Job job, String node, Share share, Instant at) {
        var task = new TaskPlacement(new TaskId("main", 0), node, List.of(share));
        var attempt =
                new Attempt(
                        new AttemptId(job.id(), job.attempts() + 1), new Placement(List.of(task)));
        return become(job, new Event.AttemptPlaced(at, attempt));
    }

    /** The owner's script has been seen to take so long for an epoch with nobody beside it. */
    public SharedCluster alone(Ask ask, double seconds) {
        return learn(ask, seconds, Setup.ALONE);
    }

    SharedCluster beside(Ask ask, Ask other, double seconds) {
        return learn(ask, seconds, other.spec().script());
    }

    private SharedCluster learn(Ask ask, double seconds, String beside) {
        var task = TaskPlacement.whole(new TaskId("main", 0), "node-0", List.of(0));
        Job job = Samples.job(0, ask.owner(), ask.spec());
        var attempt = new Attempt(new AttemptId(job.id(), 1), new Placement(List.of(task)));
        Job ran = JobMachine.next(job, new Event.AttemptPlaced(Samples.NOON, attempt));
        var epoch =
                new Profile.Epoch(1, OptionalDouble.of(seconds), OptionalDouble.empty(), 0, beside);
        state.learn(ran, new Event.EpochEnded(NOW, attempt.id(), epoch));
        return this;
    }

    Job uses(Job job, int memory) {
        return become(job, new Event.MemoryMeasured(NOW, id(job), gibibytes(memory)));
    }

    public Job epochEnded(Job job, int done, Instant at) {
        var epoch = new Profile.Epoch(done, OptionalDouble.empty(), OptionalDouble.empty(), 0);
        return become(job, new Event.EpochEnded(at, id(job), epoch));
    }

    Job stopped(Job job) {
        Job asked = become(job, new Event.PreemptRequested(NOW, id(job), job.id(), "test"));
        return become(
                asked, new Event.AttemptEnded(NOW, id(asked), new Verdict.Failed(143, "stopped")));
    }

    public View view() {
        return state.view(NOW);
    }

    /** A plan that keeps every promise, and is the same each time. */
    Plan plan() {
        Plan plan = ELASTIC.plan(view());
        assertEquals(Optional.empty(), PlanCheck.problem(plan, view(), this::find));
        assertEquals(plan, ELASTIC.plan(view()), "the same view gives the same plan");
        return plan;
    }

    private Optional<Job> find(JobId id) {
        View view = view();
        return Stream.concat(
                        view.active().stream(),
                        view.queues().stream().flatMap(queue -> queue.gpuJobs().stream()))
                .filter(job -> job.id().equals(id))
                .findFirst();
    }

    public Job become(Job job, Event event) {
        Job next = JobMachine.next(job, event);
        state.change(Optional.of(job), Optional.of(next));
        return next;
    }

    private static AttemptId id(Job job) {
        return ((JobState.Active) job.state()).attempt().id();
    }
}
