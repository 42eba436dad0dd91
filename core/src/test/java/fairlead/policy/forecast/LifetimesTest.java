package fairlead.policy.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Foresight;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.policy.Scenario;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class LifetimesTest {
    private static final Scenario SCENE =
            Scenario.parse(
                    List.of(
                            "node n gpus=8",
                            "active ran ann gpus=1 ran=60 on n 0",
                            "active long ann gpus=1 ran=600 on n 1",
                            "active wide ann gpus=2 ran=6000 on n 2,3",
                            "active bobs bob gpus=1 ran=6000 on n 4",
                            "active going ann gpus=1 ran=6000 stopping on n 5",
                            "wait next ann gpus=1 limit=30",
                            "wait last ann gpus=1 limit=30",
                            "wait other bob gpus=1 limit=30"));

    private static final Job RAN = job("ran");

    @Test
    void whereARunTimeIsKnownTheRestOfItIsLeft() {
        View view = view(_ -> Optional.of(Duration.ofMinutes(100)));
        assertEquals(Duration.ofMinutes(40), new Lifetimes(view).middle().left(RAN, view));
        View later = view.at(view.now().plusSeconds(600));
        assertEquals(Duration.ofMinutes(30), new Lifetimes(view).middle().left(RAN, later));
    }

    @Test
    void whatIsKnownIsOffByAFactorAtMostInEachDrawAndTheSameWheneverItIsAsked() {
        View view = view(_ -> Optional.of(Duration.ofMinutes(1_000)));
        Set<Duration> drawn = new HashSet<>();
        int shorter = 0;
        for (int i = 0; i < 100; i++) {
            Duration left = new Lifetimes(view).draw(i).left(RAN, view);
            assertEquals(left, new Lifetimes(view).draw(i).left(RAN, view));
            double total = left.plus(RAN.served(view.now())).toMillis() / 6e4;
            assertTrue(total > 1_000 / 1.7 - 1 && total < 1_700 + 1, total + " minutes");
            if (total < 1_000) shorter++;
            drawn.add(left);
        }
        assertEquals(100, drawn.size(), "each draw is another one");
        assertTrue(shorter > 30 && shorter < 70, shorter + " of 100 are shorter");
    }

    @Test
    void aTimeLimitAndATimeThatIsOverSayNothing() {
        View unknown = view(_ -> Optional.empty());
        View limited = view(job -> job.spec().timeLimit());
        View over = view(_ -> Optional.of(Duration.ofMinutes(60)));
        Job next = job("next");
        assertEquals(middle(unknown, next), middle(limited, next));
        assertEquals(middle(unknown, RAN), middle(over, RAN));
    }

    @Test
    void otherwiseItRunsAsLongAsThoseLikeItThatEndedOrStillRun() {
        View view = view(_ -> Optional.empty());
        List<Duration> alike = List.of(Duration.ofMinutes(60), Duration.ofMinutes(600));
        assertEquals(
                new Survival(List.of(), alike).left(Duration.ofMinutes(60), 0.5),
                middle(view, RAN));
        List<Duration> ended = Collections.nCopies(9, Duration.ofMinutes(90));
        assertEquals(
                new Survival(ended, alike).left(Duration.ofMinutes(60), 0.5),
                middle(having(ended), RAN));
    }

    @Test
    void oneThatOthersHaveEndedLastedAtLeastSoLong() {
        List<Duration> cut = List.of(Duration.ofMinutes(61), Duration.ofMinutes(61));
        View view = having(List.of(), cut);
        List<Duration> atLeast =
                List.of(
                        Duration.ofMinutes(61),
                        Duration.ofMinutes(61),
                        Duration.ofMinutes(60),
                        Duration.ofMinutes(600));
        assertEquals(
                new Survival(List.of(), atLeast).left(Duration.ofMinutes(60), 0.5),
                middle(view, RAN));
        assertTrue(middle(view, RAN).compareTo(Duration.ofMinutes(10)) > 0, "no end at 61 minutes");
    }

    /** The long and the short ones of a line would otherwise even out, as if one knew the mean. */
    @Test
    void untilSomeHaveEndedJobsThatAreAlikeLastAlikeInEachDraw() {
        assertEquals(100, alikeOf100(view(_ -> Optional.empty()), "last"));
        assertTrue(alikeOf100(view(_ -> Optional.empty()), "other") < 60, "another's");
        List<Duration> three =
                List.of(Duration.ofMinutes(9), Duration.ofMinutes(99), Duration.ofMinutes(999));
        assertTrue(alikeOf100(having(three), "last") < 60, "how they differ is known");
    }

    private static int alikeOf100(View view, String other) {
        int alike = 0;
        for (int i = 0; i < 100; i++) {
            Playout.Lives lives = new Lifetimes(view).draw(i);
            if (lives.left(job("next"), view).equals(lives.left(job(other), view))) alike++;
        }
        return alike;
    }

    private static View having(List<Duration> ended) {
        return having(ended, List.of());
    }

    private static View having(List<Duration> ended, List<Duration> cutShort) {
        return view(
                new Foresight() {
                    @Override
                    public Optional<Duration> runTime(Job job) {
                        return Optional.empty();
                    }

                    @Override
                    public RunTimes runTimes(Job job) {
                        return new RunTimes(ended, cutShort);
                    }
                });
    }

    private static Duration middle(View view, Job job) {
        return new Lifetimes(view).middle().left(job, view);
    }

    private static View view(Foresight foresight) {
        View view = SCENE.view();
        var state = new ClusterState(foresight);
        state.nodes(view.nodes().stream().map(node -> node.node()).toList());
        SCENE.jobs().values().forEach(job -> state.change(Optional.empty(), Optional.of(job)));
        return state.view(view.now());
    }

    private static Job job(String name) {
        return SCENE.jobs().get(SCENE.id(name));
    }
}
