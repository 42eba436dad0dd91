package fairlead.policy.fair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Samples;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Line;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;
import fairlead.policy.RandomCluster;
import fairlead.policy.Scenario;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

class TurnTest {
    private static final Instant NOON = Samples.NOON;

    private static Guest guest(String name, String owner, int priority, int gpus) {
        return new Guest(
                name,
                "lab",
                owner,
                priority,
                gpus,
                Optional.of("node-0"),
                "Running",
                NOON,
                Optional.of(NOON));
    }

    private static Guest pending(String name, String owner, int gpus) {
        return new Guest(
                name,
                "lab",
                owner,
                0,
                gpus,
                Optional.empty(),
                "Pending",
                NOON.minusSeconds(60),
                Optional.empty());
    }

    private static Job job(int number, String owner, int gpus) {
        return Samples.job(number, owner, Samples.spec(Samples.role("main", 1, gpus)));
    }

    /** Each line is a name with the number of its owner's first GPU. */
    private static List<String> lines(View view) {
        return Turn.all(view).stream()
                .map(
                        turn ->
                                switch (turn.work()) {
                                    case Turn.Ours(Job job) ->
                                            job.owner() + " job " + turn.ordinal();
                                    case Turn.Theirs(Guest guest) ->
                                            guest.name() + " " + turn.ordinal();
                                })
                .toList();
    }

    @Test
    void r42r43r45WorkStandsAtTheNumberOfItsOwnersFirstGpuWhoeverHasStartedIt() {
        var state = new ClusterState();
        state.change(Optional.empty(), Optional.of(job(1, "ann", 1)));
        state.change(Optional.empty(), Optional.of(job(2, "bob", 4)));
        state.change(Optional.empty(), Optional.of(job(3, "bob", 1)));
        state.change(Optional.empty(), Optional.of(job(4, "cat", 0)));
        state.guests(
                List.of(
                        guest("anns-notebook", "ann", 0, 2),
                        guest("dans-second", "dan", -1, 1),
                        guest("dans-first", "dan", 0, 1),
                        guest("eves-shell", "eve", 0, 0)));
        assertEquals(
                List.of(
                        "eves-shell 0",
                        "cat job 0",
                        "anns-notebook 1",
                        "dans-first 1",
                        "bob job 1",
                        "dans-second 2",
                        "ann job 3",
                        "bob job 5"),
                lines(state.view(NOON)));
    }

    @Test
    void aGuestThatWaitsStandsAmongItsOwnersWaitingWork() {
        var state = new ClusterState();
        state.change(Optional.empty(), Optional.of(job(1, "ann", 1)));
        state.guests(List.of(pending("older", "ann", 1), guest("runs", "ann", -5, 1)));
        assertEquals(List.of("runs 1", "older 2", "ann job 3"), lines(state.view(NOON)));
    }

    @Test
    void r44AmongAnOwnersOwnInteractiveWorkGoesFirstThenPriorityThenAgeThenName() {
        var state =
                ClusterState.of(
                        Scenario.parse(
                                        List.of(
                                                "node node-0 gpus=1",
                                                "wait plain ann gpus=1",
                                                "wait shell ann gpus=1 interactive",
                                                "wait dear ann gpus=1 priority=2"))
                                .view());
        state.guests(
                List.of(
                        guest("z-notebook", "ann", 1, 1),
                        guest("b-notebook", "ann", 0, 1),
                        guest("a-notebook", "ann", 0, 1),
                        pending("older", "ann", 1),
                        pending("a-older", "ann", 1)));
        List<Turn> all = Turn.all(state.view(NOON.plusSeconds(60)));
        assertEquals(
                List.of("z-notebook", "a-notebook", "b-notebook"),
                all.subList(0, 3).stream().map(turn -> turn.work().name()).toList());
        assertEquals(
                List.of(true, false, false, false, false),
                all.subList(3, 8).stream().map(turn -> turn.work().isInteractive()).toList());
        assertEquals(
                List.of(0, 2, 0, 0, 0),
                all.subList(3, 8).stream().map(turn -> turn.work().priority()).toList());
        assertEquals(
                List.of("a-older", "older"),
                all.subList(5, 7).stream().map(turn -> turn.work().name()).toList());
    }

    @Test
    void partsOfAGpuStandAtTheGpuInWhichTheyBegin() {
        View view =
                Scenario.parse(
                                List.of(
                                        "node n gpus=2",
                                        "wait a1 ann gpu=998",
                                        "wait a2 ann gpu=2",
                                        "wait a3 ann gpus=1"))
                        .view();
        assertEquals(List.of("ann job 1", "ann job 1", "ann job 2"), lines(view));
    }

    @Test
    void aGuestThatWaitsStandsBeforeTheFirstJobOfItsRankThatCameLater() {
        var state = new ClusterState();
        Job early = job(1, "ann", 1);
        Job late = job(90, "bob", 1);
        Job latest = job(99, "cyd", 1);
        for (Job job : List.of(early, late, latest))
            state.change(Optional.empty(), Optional.of(job));
        state.guests(
                List.of(
                        new Guest(
                                "dans",
                                "lab",
                                "dan",
                                0,
                                1,
                                Optional.empty(),
                                "Pending",
                                NOON.plusSeconds(50),
                                Optional.empty())));
        assertEquals(
                List.of("ann job 1", "dans 1", "bob job 1", "cyd job 1"),
                lines(state.view(NOON.plusSeconds(100))));
    }

    /** Goal: people see the order by which they are served. */
    @Seeds(300)
    void withoutGuestsThoseWhoWaitStandAsTheFairPolicyServesThem(long seed) {
        View view = new RandomCluster(seed).view();
        var point = new StartingPoint(view);
        assertEquals(served(point, view), waiting(view, true));
        assertEquals(ids(point.cpuLine()), waiting(view, false));
        Map<String, Long> first = new HashMap<>();
        for (Turn turn : Turn.all(view)) {
            if (turn.work().milliGpus() > 0 && !turn.work().holds())
                first.merge(turn.work().owner(), turn.rank(), Math::min);
        }
        for (OwnerQueue queue : view.queues()) {
            if (!queue.gpuJobs().isEmpty())
                assertEquals(queue.milliGpusHeld() + 1, first.get(queue.owner()));
        }
    }

    /** Goal: whoever has guests is served later for it, and nobody else is. */
    @Seeds(300)
    void whatSomebodyHoldsAsGuestsPutsTheirJobsBack(long seed) {
        var cluster = new RandomCluster(seed);
        View before = cluster.view();
        if (before.queues().isEmpty()) return;
        var dice = new SplittableRandom(seed);
        String owner = before.queues().get(dice.nextInt(before.queues().size())).owner();
        View after = cluster.viewWith(List.of(guest("pod", owner, 0, 1 + dice.nextInt(3))));
        List<JobId> plain = ids(new StartingPoint(before).gpuLine());
        List<JobId> shifted = ids(new StartingPoint(after).gpuLine());
        assertEquals(
                served(new StartingPoint(after), after),
                waiting(after, true),
                "both orders count the guest");
        assertEquals(others(plain, owner, before), others(shifted, owner, after));
        for (JobId id : plain) {
            if (cluster.jobs.get(id).owner().equals(owner))
                assertTrue(shifted.indexOf(id) >= plain.indexOf(id), id + " came forward");
        }
        assertTrue(
                PlanCheck.problem(
                                Policies.byName("fair").plan(after),
                                after,
                                id -> Optional.ofNullable(cluster.jobs.get(id)))
                        .isEmpty());
    }

    private static List<JobId> others(List<JobId> line, String owner, View view) {
        List<JobId> theirs =
                view.queues().stream()
                        .filter(queue -> queue.owner().equals(owner))
                        .flatMap(queue -> queue.gpuJobs().stream())
                        .map(Job::id)
                        .toList();
        return line.stream().filter(id -> !theirs.contains(id)).toList();
    }

    /** Those inside their project's quota, or with a part in it, before those that borrow. */
    private static List<JobId> served(StartingPoint point, View view) {
        Set<String> borrowers =
                Turn.all(view).stream()
                        .filter(Turn::borrows)
                        .map(turn -> turn.work().name())
                        .collect(Collectors.toSet());
        var inside = new ArrayList<JobId>();
        var borrowing = new ArrayList<JobId>();
        point.gpuLine()
                .forEachRemaining(
                        next ->
                                (borrowers.contains(next.job().id().text()) ? borrowing : inside)
                                        .add(next.job().id()));
        inside.addAll(borrowing);
        return inside;
    }

    @Test
    void thoseWhoBorrowStandBehindThoseInsideTheirQuota() {
        View view =
                Scenario.parse(
                                List.of(
                                        "node n gpus=3",
                                        "project a quota=2",
                                        "project b quota=1",
                                        "active a0 ann gpus=1 project=a on n 0",
                                        "active b0 bob gpus=1 project=b on n 1",
                                        "active b1 bob gpus=1 project=b on n 2",
                                        "wait c1 cyd gpus=1 project=b",
                                        "wait a1 ann gpus=1 project=a"))
                        .view();
        assertEquals(
                List.of("ann job 1", "bob job 1", "bob job 2", "ann job 2", "cyd job 1"),
                lines(view));
        assertEquals(
                Policies.byName("fair").explain(view).stream().map(Explanation::job).toList(),
                waiting(view, true),
                "as they are served");
    }

    /**
     * Bob and eve are of the lab, whose quota ann and dan hold. Ann gives one of her two to bob.
     */
    @Test
    void whoHasAPartInAFullQuotaDoesNotBorrow() {
        View view =
                Scenario.parse(
                                List.of(
                                        "node n gpus=4",
                                        "project lab quota=3",
                                        "project other quota=1",
                                        "active a0 ann gpus=1 project=lab on n 0",
                                        "active a1 ann gpus=1 project=lab on n 1",
                                        "active d0 dan gpus=1 project=lab on n 2",
                                        "active d1 dan gpus=1 project=other on n 3",
                                        "wait b1 bob gpus=1 project=lab",
                                        "wait b2 bob gpus=1 project=lab",
                                        "wait e1 eve gpus=3 project=lab"))
                        .view();
        assertEquals(
                List.of("bob 1", "bob 2 borrows", "eve 1 borrows"),
                Turn.all(view).stream()
                        .filter(turn -> !turn.work().holds())
                        .map(
                                turn ->
                                        turn.work().owner()
                                                + " "
                                                + turn.ordinal()
                                                + (turn.borrows() ? " borrows" : ""))
                        .sorted()
                        .toList());
    }

    private static List<JobId> ids(Iterator<Line.Standing> line) {
        var ids = new ArrayList<JobId>();
        line.forEachRemaining(standing -> ids.add(standing.job().id()));
        return ids;
    }

    private static List<JobId> waiting(View view, boolean gpus) {
        var ids = new ArrayList<JobId>();
        for (Turn turn : Turn.all(view)) {
            if (turn.work() instanceof Turn.Ours(Job job)
                    && !turn.work().holds()
                    && turn.work().milliGpus() > 0 == gpus) ids.add(job.id());
        }
        return ids;
    }

    @Test
    void whoeverHasAGuestComesAfterSomebodysFirstGpu() {
        var state = new ClusterState();
        state.nodes(
                List.of(new Node("node-0", List.of(new Gpu(0, "declared", 0)), 8, 1L << 33, true)));
        Job earlier = job(1, "ann", 1);
        Job later = job(2, "bob", 1);
        state.change(Optional.empty(), Optional.of(earlier));
        state.change(Optional.empty(), Optional.of(later));
        assertEquals(List.of(earlier.id()), started(state));
        state.guests(List.of(guest("anns-notebook", "ann", 0, 1)));
        assertEquals(List.of(later.id()), started(state));
    }

    private static List<JobId> started(ClusterState state) {
        return Policies.byName("fair").plan(state.view(NOON.plusSeconds(60))).starts().stream()
                .map(Plan.Start::job)
                .toList();
    }
}
