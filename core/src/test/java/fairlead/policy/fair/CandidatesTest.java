package fairlead.policy.fair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Guest;
import fairlead.job.Samples;
import fairlead.policy.Scenario;
import fairlead.policy.elastic.SharedCluster;
import fairlead.policy.fair.Candidates.Candidate;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Who gives first. */
class CandidatesTest {
    @Test
    void whoeverHoldsMostGivesFirstAndOfOnesJobsTheLeastPriorityThenTheLeastWork() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=8",
                                "active dear ann gpus=1 priority=1 ran=10 on n 0",
                                "active old ann gpus=1 ran=60 on n 1",
                                "active young ann gpus=1 ran=20 on n 2",
                                "active twice ann gpus=2 ran=40 on n 3,4",
                                "active bobs bob gpus=1 ran=30 on n 5"));
        var candidates = new Candidates(scenario.view());
        assertEquals(
                List.of("young 4000", "old 3000", "twice 1000", "dear 0", "bobs 0"),
                told(candidates, scenario),
                "ann's first has less to lose than bob's");
    }

    @Test
    void whatIsLostCountsItsGpus() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=8",
                                "active half ann gpu=500 ran=60 on n 0",
                                "active pair bob gpus=2 ran=60 on n 1,2"));
        List<Candidate> all = new Candidates(scenario.view()).all();
        long hour = Duration.ofHours(1).toMillis();
        assertEquals(List.of(hour * 500, hour * 2_000), all.stream().map(Candidate::lost).toList());
        assertEquals(List.of(500L, 2_000L), all.stream().map(Candidate::milliGpus).toList());
    }

    @Test
    void amongEqualsTheLaterSubmitGivesFirst() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=8",
                                "active early ann gpus=1 ran=60 on n 0",
                                "active middle bob gpus=1 ran=60 on n 1",
                                "active late cyd gpus=1 ran=60 on n 2"));
        assertEquals(
                List.of("late 0", "middle 0", "early 0"),
                told(new Candidates(scenario.view()), scenario));
    }

    @Test
    void whoRunsUndisturbedGivesLaterThanItsEqualsAndItIsKnownWhen() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=8",
                                "rule undisturbed=30",
                                "active young ann gpus=1 ran=10 on n 0",
                                "active younger bob gpus=1 ran=5 on n 1",
                                "active due cyd gpus=1 ran=30 on n 2"));
        var view = scenario.view();
        var candidates = new Candidates(view);
        assertEquals(List.of("due 0", "younger 0", "young 0"), told(candidates, scenario));
        assertTrue(candidates.all().getFirst().isDisturbable());
        assertFalse(candidates.all().get(1).isDisturbable());
        assertEquals(
                Optional.of(view.now().plus(Duration.ofMinutes(20))),
                candidates.next(),
                "the first of them");
    }

    @Test
    void r14r27InteractiveWorkThoseWhoStopAndWorkWithoutGpusGiveNothing() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=8",
                                "active shell ann gpus=1 interactive on n 0",
                                "active going ann gpus=1 stopping on n 1",
                                "active cpu ann on n",
                                "active train ann gpus=1 on n 2"));
        var candidates = new Candidates(scenario.view());
        assertEquals(
                List.of("train 1000"), told(candidates, scenario), "its owner keeps the shell");
        assertEquals(Optional.empty(), candidates.next());
    }

    @Test
    void guestsStandBeforeTheJobsOfTheirOwner() {
        var scenario = Scenario.parse(List.of("node n gpus=8", "active train ann gpus=1 on n 2"));
        var state = ClusterState.of(scenario.view());
        var noon = Samples.NOON;
        state.guests(
                List.of(
                        new Guest(
                                "pod",
                                "lab",
                                "ann",
                                0,
                                2,
                                Optional.of("n"),
                                "Running",
                                noon,
                                Optional.of(noon))));
        var candidates = new Candidates(state.view(scenario.view().now()));
        assertEquals(List.of("train 2000"), told(candidates, scenario));
    }

    @Test
    void eachKnowsItsPlaceItsOwnerItsProjectAndItsNode() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node m gpus=4",
                                "node n gpus=4",
                                "active a1 ann gpus=2 project=lab on n 0,1",
                                "active a2 ann gpus=1 project=own on m 0",
                                "active b1 bob gpus=1 project=lab on n 2"));
        var candidates = new Candidates(scenario.view());
        List<Candidate> all = candidates.all();
        for (int i = 0; i < all.size(); i++) {
            Candidate each = all.get(i);
            assertEquals(i, each.index());
            assertEquals(each.job().owner(), candidates.owners().get(each.owner()));
            assertEquals(each.job().spec().project(), candidates.projects().get(each.project()));
        }
        assertEquals(List.of("ann", "bob"), candidates.owners().stream().sorted().toList());
        assertEquals(List.of("lab", "own"), candidates.projects().stream().sorted().toList());
        assertEquals(
                List.of("m: a2 1", "n: b1 1 a1 2"),
                candidates.sites().stream().map(site -> told(site, scenario)).toList());
    }

    @Test
    void whoStopsAtItsCheckpointLosesTheRestOfItsEpoch() {
        var cluster = new SharedCluster(1);
        var ask = SharedCluster.Ask.of("ann", "train.py", 8);
        var job = cluster.alone(ask, 600).runningAlone(ask, "node-0", 0);
        var view = cluster.view();
        assertEquals(
                Duration.ofMinutes(6),
                Candidates.untilCheckpoint(job, Duration.ofMinutes(4), view));
        assertEquals(Duration.ZERO, Candidates.untilCheckpoint(job, Duration.ofMinutes(10), view));
        assertEquals(
                Duration.ofMinutes(11),
                Candidates.untilCheckpoint(job, Duration.ofMinutes(11), view),
                "the measure says nothing any more");
        var unmeasured = new SharedCluster(1);
        var other = unmeasured.runningAlone(ask, "node-0", 0);
        assertEquals(
                Duration.ofMinutes(4),
                Candidates.untilCheckpoint(other, Duration.ofMinutes(4), unmeasured.view()));
    }

    private static String told(Candidates.Site site, Scenario scenario) {
        var told = new StringBuilder(site.node() + ":");
        for (Candidates.Local local : site.locals()) {
            String name = scenario.name(local.candidate().job().id());
            told.append(" %s %d".formatted(name, local.gpus()));
        }
        return told.toString();
    }

    private static List<String> told(Candidates candidates, Scenario scenario) {
        return candidates.all().stream()
                .map(each -> scenario.name(each.job().id()) + " " + each.rank())
                .toList();
    }
}
