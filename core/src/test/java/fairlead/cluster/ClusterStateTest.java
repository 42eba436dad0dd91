package fairlead.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.Placement;
import fairlead.job.Samples;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class ClusterStateTest {
    private static final Instant NOW = Samples.NOON.plusSeconds(1_000);
    private static final Node A = node("a");
    private static final Node B = node("b");

    private final ClusterState state = new ClusterState();

    @Test
    void theVersionGrowsWithEveryChangeAndWithNothingElse() {
        assertGrows(state::touch);
        assertGrows(() -> state.nodes(List.of(A)));
        assertStays(() -> state.nodes(List.of(A)));
        assertGrows(() -> state.nodes(List.of(A, B)));
        assertGrows(() -> state.guests(List.of(guest("y", "ann"), guest("x", "ann"))));
        assertStays(() -> state.guests(List.of(guest("x", "ann"), guest("y", "ann"))));
        var rules = new Rules(Map.of(), Duration.ofMinutes(1));
        assertGrows(() -> state.rules(rules));
        assertStays(() -> state.rules(new Rules(Map.of(), Duration.ofMinutes(1))));
        assertEquals(rules, state.rules());
        assertGrows(() -> add(gpuJob(1)));
        assertGrows(state::clearJobs);
    }

    private void assertGrows(Runnable change) {
        long before = state.version();
        change.run();
        assertTrue(state.version() > before);
    }

    private void assertStays(Runnable change) {
        long before = state.version();
        change.run();
        assertEquals(before, state.version());
    }

    @Test
    void aNodeThatIsGoneHoldsNothingAndOneThatComesBackHoldsItsTasksAgain() {
        state.nodes(List.of(A, B));
        add(started(gpuJob(1), "a"));
        assertEquals(List.of(1), free("a"));
        state.nodes(List.of(B));
        assertEquals(List.of(B), state.nodes());
        state.nodes(List.of(A, B));
        assertEquals(List.of(A, B), state.nodes());
        assertEquals(List.of(1), free("a"));
        assertEquals(List.of(0, 1), free("b"));
    }

    @Test
    void nothingIsLeftOfJobsThatAreCleared() {
        state.nodes(List.of(A));
        View empty = state.view(NOW);
        add(started(gpuJob(1), "a"));
        add(gpuJob(2));
        state.clearJobs();
        assertEquals(empty, state.view(NOW));
        add(gpuJob(2));
        assertEquals(0, queue("ann").milliGpusHeld());
    }

    @Test
    void anOwnersQueueCountsWhatJobsAndGuestsHold() {
        state.nodes(List.of(A));
        add(gpuJob(1));
        add(cpuJob(2));
        assertEquals(0, queue("ann").milliGpusHeld());
        Job gpu = started(gpuJob(3), "a");
        Job cpu = started(cpuJob(4), "a");
        add(gpu);
        add(cpu);
        state.guests(List.of(guest("x", "ann"), guest("y", "bob")));
        assertEquals(2_000, queue("ann").milliGpusHeld());
        assertEquals(1, queue("ann").cpuJobsHeld());
        assertEquals(List.of(gpuJob(1)), queue("ann").gpuJobs());
        assertEquals(List.of(cpuJob(2)), queue("ann").cpuJobs());
        state.guests(List.of(guest("y", "bob")));
        assertEquals(1_000, queue("ann").milliGpusHeld(), "her guest is gone");
        state.guests(List.of(guest("z", "ann")));
        assertEquals(2_000, queue("ann").milliGpusHeld());
        end(cpu, 10);
        assertEquals(0, queue("ann").cpuJobsHeld());
        assertEquals(Instant.EPOCH, queue("ann").gpuJobEnded(), "that was work without GPUs");
        end(gpu, 20);
        assertEquals(1_000, queue("ann").milliGpusHeld());
        assertEquals(NOW.plusSeconds(20), queue("ann").gpuJobEnded());
        assertEquals(List.of(), state.active());
    }

    @Test
    void onlyWhoWaitsHasAQueueInTheView() {
        state.nodes(List.of(A));
        add(started(gpuJob(1), "a"));
        assertEquals(List.of(), state.view(NOW).queues());
        add(cpuJob(2));
        assertEquals(List.of(cpuJob(2)), queue("ann").cpuJobs());
        remove(cpuJob(2));
        add(gpuJob(3));
        assertEquals(List.of(gpuJob(3)), queue("ann").gpuJobs());
    }

    @Test
    void anOwnerIsRememberedAsLongAsAnythingIsLeft() {
        state.nodes(List.of(A));
        for (Job last : List.of(started(cpuJob(2), "a"), started(gpuJob(2), "a"))) {
            Job first = started(gpuJob(1), "a");
            add(first);
            add(last);
            end(first, 10);
            add(gpuJob(3));
            assertEquals(NOW.plusSeconds(10), queue("ann").gpuJobEnded());
            remove(gpuJob(3));
            remove(last);
            add(gpuJob(3));
            assertEquals(Instant.EPOCH, queue("ann").gpuJobEnded(), "nothing was left");
            remove(gpuJob(3));
        }
    }

    @Test
    void guestsAreToldInOrder() {
        state.guests(List.of(guest("y", "ann"), guest("x", "ann")));
        assertEquals(
                List.of("x", "y"), state.view(NOW).guests().stream().map(Guest::name).toList());
    }

    @Test
    void nobodyWaitsTwiceOrStopsWaitingTwice() {
        add(gpuJob(1));
        assertThrows(IllegalStateException.class, () -> add(gpuJob(1)));
        remove(gpuJob(1));
        assertThrows(IllegalStateException.class, () -> remove(gpuJob(1)));
    }

    @Test
    void aNeighbourIsWhoHoldsAPartOfTheSameGpu() {
        state.nodes(List.of(A, B));
        Job job = sharing(1, "a", 0);
        add(job);
        add(sharing(2, "a", 1));
        add(sharing(3, "b", 0));
        Instant before = NOW.minusSeconds(1);
        assertFalse(state.hasOtherNeighboursSince(job, before), "others are on other GPUs");
        end(sharing(2, "a", 1), 10);
        assertFalse(state.hasOtherNeighboursSince(job, before), "nor did they leave this one");
        Job neighbour = sharing(4, "a", 0);
        add(neighbour);
        assertTrue(state.hasOtherNeighboursSince(job, before));
        assertFalse(state.hasOtherNeighboursSince(job, NOW), "it has been there all the while");
        end(neighbour, 10);
        assertTrue(state.hasOtherNeighboursSince(job, NOW.plusSeconds(9)));
        assertFalse(state.hasOtherNeighboursSince(job, NOW.plusSeconds(10)));
        assertFalse(state.hasOtherNeighboursSince(gpuJob(5), before), "who waits has none");
        state.nodes(List.of(A));
        assertFalse(state.hasOtherNeighboursSince(job, before), "the GPUs may be others now");
    }

    @Test
    void aNeighbourThatIsToldToStopHasNotComeOnlyThen() {
        state.nodes(List.of(A));
        Job job = sharing(1, "a", 0);
        add(job);
        Job stopping =
                JobMachine.next(
                        sharing(2, "a", 0), new Event.CancelRequested(NOW.plusSeconds(60), "ann"));
        add(stopping);
        assertFalse(state.hasOtherNeighboursSince(job, NOW.plusSeconds(30)));
    }

    private void add(Job job) {
        state.change(Optional.empty(), Optional.of(job));
    }

    private void remove(Job job) {
        state.change(Optional.of(job), Optional.empty());
    }

    private void end(Job job, long seconds) {
        var end =
                new Event.AttemptEnded(
                        NOW.plusSeconds(seconds),
                        new AttemptId(job.id(), 1),
                        new Verdict.Succeeded());
        state.change(Optional.of(job), Optional.of(JobMachine.next(job, end)));
    }

    private OwnerQueue queue(String owner) {
        return state.view(NOW).queues().stream()
                .filter(queue -> queue.owner().equals(owner))
                .findFirst()
                .orElseThrow();
    }

    private List<Integer> free(String node) {
        return state.view(NOW).nodes().stream()
                .filter(each -> each.node().name().equals(node))
                .findFirst()
                .orElseThrow()
                .freeGpus();
    }

    private static Node node(String name) {
        return new Node(
                name, List.of(new Gpu(0, "declared", 0), new Gpu(1, "declared", 0)), 4, 0, true);
    }

    private static Guest guest(String name, String owner) {
        return new Guest(
                name, "space", owner, 0, 1, Optional.of("a"), "Running", NOW, Optional.of(NOW));
    }

    private static Job gpuJob(int number) {
        return Samples.job(number, "ann", Samples.spec(Samples.role("main", 1, 1)));
    }

    private static Job cpuJob(int number) {
        return Samples.job(number, "ann", Samples.spec(Samples.role("main", 1, 0)));
    }

    private static Job started(Job job, String node) {
        return started(job, Samples.attempt(job, node));
    }

    private static Job started(Job job, Attempt attempt) {
        Job placed = JobMachine.next(job, new Event.AttemptPlaced(NOW, attempt));
        return JobMachine.next(placed, new Event.AttemptStarted(NOW, attempt.id()));
    }

    /** Holds half of that GPU. */
    private static Job sharing(int number, String node, int gpu) {
        Job job = Samples.job(number, "ann", Samples.training(1, 10));
        var task = new TaskPlacement(new TaskId("main", 0), node, List.of(new Share(gpu, 500)));
        return started(job, new Attempt(new AttemptId(job.id(), 1), new Placement(List.of(task))));
    }
}
