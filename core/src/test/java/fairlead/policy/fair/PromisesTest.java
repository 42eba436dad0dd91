package fairlead.policy.fair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.JobState;
import fairlead.job.Samples;
import fairlead.job.Verdict;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class PromisesTest {
    private static final Instant NOON = Samples.NOON;

    private final Map<String, Job> jobs = new LinkedHashMap<>();

    @Test
    void aPlaceIsOwedFromTheAskUntilTheJobHasStarted() {
        waiting("victim", "ann");
        start("victim", 10);
        waiting("taker", "bob");
        waiting("bystander", "cyd");
        assertEquals(List.of(), kept());

        ask("victim", "taker", 20);
        assertEquals(List.of("taker"), kept(), "who stops knows for whom");
        end("victim", 30);
        assertEquals(List.of("taker"), kept(), "who has stopped waits with a receipt");

        start("victim", 35);
        assertEquals(List.of("taker"), kept(), "also once it runs again");

        start("taker", 40);
        assertEquals(List.of(), kept());
        end("taker", 50);
        assertEquals(List.of(), kept(), "it has had its place");
    }

    @Test
    void whoHasRunBeforeIsOwedAPlaceThatWasFreedSinceItWaits() {
        waiting("taker", "bob");
        start("taker", 5);
        end("taker", 10);
        waiting("victim", "ann");
        start("victim", 6);
        ask("victim", "taker", 10);
        assertEquals(List.of("taker"), kept(), "in the very tick in which it came");
        start("taker", 15);
        end("taker", 16);
        assertEquals(List.of(), kept(), "it has started since");
    }

    @Test
    void whoAskedLaterIsServedLaterAndAmongEqualsTheIdDecides() {
        for (String name : List.of("v1", "v2", "v3", "v4")) {
            waiting(name, "ann");
            start(name, 10);
        }
        for (String name : List.of("first", "second", "third")) waiting(name, "bob");
        ask("v1", "third", 20);
        ask("v2", "second", 20);
        ask("v3", "first", 20);
        assertEquals(List.of("first", "second", "third"), kept());
        ask("v4", "first", 30);
        assertEquals(List.of("second", "third", "first"), kept(), "the last ask counts");
        end("v3", 31);
        assertEquals(List.of("second", "third", "first"), kept(), "whoever stops first");
    }

    @Test
    void whatAnOwnersTrainingJobsHaveGivenEachOtherIsNotKeptForEver() {
        waiting("victim", "ann");
        start("victim", 10);
        jobs.put("taker", Samples.job(9, "ann", Samples.training(1, 10)));
        ask("victim", "taker", 20);
        assertEquals(List.of("taker"), kept(), "nobody slips in while it stops");
        end("victim", 30);
        assertEquals(List.of(), kept());

        waiting("other", "bob");
        start("other", 10);
        ask("other", "taker", 40);
        end("other", 50);
        assertEquals(List.of("taker"), kept(), "what others have given is");
    }

    @Test
    void whoStopsToComeBackWithAnotherSizeMakesNoRoom() {
        waiting("resized", "ann");
        start("resized", 10);
        assertFalse(Promises.makesRoom(jobs.get("resized")));
        ask("resized", "resized", 20);
        assertFalse(Promises.makesRoom(jobs.get("resized")));
        end("resized", 30);
        assertEquals(List.of(), kept(), "it has its place when it is its turn");
        waiting("cancelled", "ann");
        start("cancelled", 10);
        move("cancelled", new Event.CancelRequested(at(20), "ann"));
        assertFalse(Promises.makesRoom(jobs.get("cancelled")));
        waiting("victim", "ann");
        start("victim", 10);
        ask("victim", "resized", 20);
        assertTrue(Promises.makesRoom(jobs.get("victim")));
    }

    private static Instant at(int seconds) {
        return NOON.plusSeconds(seconds);
    }

    private void waiting(String name, String owner) {
        var spec = Samples.spec(0, 9, Optional.empty(), Samples.role("main", 1, 1));
        jobs.put(name, Samples.job(jobs.size() + 1, owner, spec));
    }

    private void start(String name, int second) {
        Attempt attempt = Samples.attempt(jobs.get(name), "n");
        move(name, new Event.AttemptPlaced(at(second), attempt));
        move(name, new Event.AttemptStarted(at(second), attempt.id()));
    }

    private void ask(String victim, String beneficiary, int second) {
        move(
                victim,
                new Event.PreemptRequested(
                        at(second), attempt(victim), jobs.get(beneficiary).id(), "its turn"));
    }

    private void end(String name, int second) {
        move(name, new Event.AttemptEnded(at(second), attempt(name), new Verdict.Lost("gone")));
    }

    private AttemptId attempt(String name) {
        return ((JobState.Active) jobs.get(name).state()).attempt().id();
    }

    private void move(String name, Event event) {
        jobs.compute(name, (_, job) -> JobMachine.next(job, event));
    }

    private Promises promises() {
        var state = new ClusterState();
        jobs.values().forEach(job -> state.change(Optional.empty(), Optional.of(job)));
        View view = state.view(at(60));
        return new Promises(view);
    }

    private List<String> kept() {
        return promises().kept().stream()
                .map(
                        kept ->
                                jobs.entrySet().stream()
                                        .filter(each -> each.getValue().id().equals(kept.id()))
                                        .findFirst()
                                        .orElseThrow()
                                        .getKey())
                .toList();
    }
}
