package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Project;
import fairlead.job.Samples;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;
import fairlead.policy.Obstacle;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** What becomes of jobs while their cluster cannot be looked at. */
class UnseenClusterTest {
    private static final Node ONE_GPU =
            new Node("node-a", List.of(new Gpu(0, "declared", 0)), 4, 1L << 33, true);
    private static final JobSpec SPEC = Samples.spec(Samples.role("main", 1, 1));
    private static final Message LOST = new Message.Unseen("local", "connection refused");

    private final MemoryJournal journal = new MemoryJournal();
    private Instant now = Samples.NOON;
    private Controller controller = start("local");

    private Controller start(String cluster) {
        try {
            return new Controller(
                    journal,
                    List.of(new Cluster(cluster, Policies.byName("fair"))),
                    Rules.NONE,
                    new SplittableRandom(1));
        } catch (JournalException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private Tick tick(Message... messages) throws JournalException {
        return controller.tick(now, List.of(messages));
    }

    private Message nodes() {
        return new Message.NodesSeen("local", List.of(ONE_GPU));
    }

    private Message look(Observation... seen) {
        return new Message.Observed("local", List.of(seen), Long.MAX_VALUE);
    }

    private Observation running(JobId job) {
        return new Observation(new AttemptId(job, 1), true, Map.of());
    }

    private JobId submit(String owner, JobSpec spec) throws Exception {
        var answer = new CompletableFuture<Message.Submitted>();
        tick(
                new Message.Submit(
                        owner,
                        List.of(spec),
                        Optional.empty(),
                        OptionalInt.empty(),
                        List.of(),
                        answer));
        return answer.get().jobs().getFirst();
    }

    private JobState state(JobId job) {
        return controller.unfinished(job).orElseThrow().state();
    }

    @Test
    void aJobForAClusterThatWasNeverSeenWaitsUntilItIs() throws Exception {
        tick(LOST);
        JobId job = submit("ann", SPEC);
        assertInstanceOf(JobState.Queued.class, state(job));
        assertEquals(
                "the cluster local cannot be reached: connection refused",
                controller.unreachable("local").map(Obstacle::words).orElseThrow());
        String words = "the cluster local cannot be reached: connection refused";
        tick(new Message.Unseen("local", words));
        assertEquals(words, controller.unreachable("local").map(Obstacle::words).orElseThrow());
        tick(nodes(), look());
        assertInstanceOf(JobState.Starting.class, state(job));
        assertTrue(controller.unreachable("local").isEmpty());
    }

    @Test
    void nothingIsPlacedOnAClusterThatIsOutOfSightAlthoughItHadRoom() throws Exception {
        tick(nodes(), look());
        tick(LOST);
        JobId job = submit("ann", SPEC);
        assertInstanceOf(JobState.Queued.class, state(job));
        tick(nodes());
        assertInstanceOf(JobState.Queued.class, state(job), "nodes alone are no look");
        tick(look());
        assertInstanceOf(JobState.Starting.class, state(job));
    }

    @Test
    void whatRunsIsLeftAloneAndNobodyIsStoppedForWhoeverWaits() throws Exception {
        tick(nodes(), look());
        JobId first = submit("ann", SPEC);
        tick(look(running(first)));
        // Bob's project owns the GPU, so a plan would take it back from ann.
        var quota =
                new Project(
                        "bobs",
                        OptionalInt.of(1),
                        Set.of(),
                        OptionalInt.empty(),
                        Project.INTERACTIVE_LIMIT);
        tick(new Message.SetProject(quota, new CompletableFuture<>()), LOST);
        JobId second = submit("bob", SPEC.inProject("bobs"));
        now = now.plusSeconds(3_600);
        tick();
        assertInstanceOf(JobState.Running.class, state(first));
        assertInstanceOf(JobState.Queued.class, state(second));
        tick(look(running(first)));
        assertInstanceOf(JobState.Stopping.class, state(first), "now the plan is made up for");
    }

    @Test
    void aPlanThatTimeMakesDueDoesNotWakeTheLoopWhileNothingCanBePlanned() throws Exception {
        tick(nodes(), look());
        JobId job = submit("ann", SPEC);
        tick(look(running(job)));
        submit("bob", SPEC);
        tick(LOST);
        now = now.plusSeconds(36_000);
        Tick late = tick();
        assertTrue(
                late.wake().filter(at -> !at.isAfter(now)).isEmpty(),
                "a time in the past would wake the loop for ever");
    }

    @Test
    void theTroubleOfAnAttemptIsKnownUntilItRuns() throws Exception {
        tick(nodes(), look());
        JobId job = submit("ann", SPEC);
        var pulling =
                new Observation(
                        new AttemptId(job, 1),
                        false,
                        Map.of(),
                        0,
                        Optional.of("image lab/torch:9 cannot be pulled: manifest unknown"),
                        Endpoints.NONE);
        tick(look(pulling));
        assertEquals(
                "image lab/torch:9 cannot be pulled: manifest unknown",
                controller.trouble(current(job)).orElseThrow());
        tick(look(running(job)));
        assertTrue(controller.trouble(current(job)).isEmpty());
    }

    private Job current(JobId job) {
        return controller.unfinished(job).orElseThrow();
    }

    @Test
    void aServerThatNoLongerHasTheClusterOfAJobSaysSo() throws Exception {
        tick(nodes(), look());
        submit("ann", SPEC);
        var refusal =
                assertThrows(
                        JournalException.class,
                        () ->
                                new Controller(
                                        journal,
                                        List.of(new Cluster("lab", Policies.byName("fair"))),
                                        Rules.NONE,
                                        new SplittableRandom(1)));
        assertTrue(
                refusal.getMessage().contains("on the cluster local, which is not configured"),
                refusal.getMessage());
    }
}
