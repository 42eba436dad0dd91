package fairlead.policy.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.View;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Samples;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;
import fairlead.policy.Scenario;
import fairlead.policy.elastic.SharedCluster;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

class ForecastTest {
    private final SharedCluster training = new SharedCluster(1);

    private static final List<String> ANN_HOLDS_BOTH =
            List.of(
                    "node n gpus=2",
                    "rule undisturbed=63",
                    "active a1 ann gpus=1 ran=60 priority=1 on n 0",
                    "active a2 ann gpus=1 ran=60 on n 1",
                    "wait b1 bob gpus=1");

    @Test
    void nobodyWaitsLongerThanTheTimeLimitsOfThoseBeforeIt() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=1",
                                "active x0 xu gpus=1 limit=100 ran=60 on n 0",
                                "wait a1 ann gpus=1 limit=30",
                                "wait b1 bob gpus=1 limit=30"));
        Forecast forecast = forecast(scenario.view());
        assertEquals(40, high(forecast, scenario.id("a1")).toMinutes());
        assertEquals(70, high(forecast, scenario.id("b1")).toMinutes());
    }

    @Test
    void aStopToComeIsForeseenAndCountsDown() {
        var scenario = Scenario.parse(ANN_HOLDS_BOTH);
        JobId waiting = scenario.id("b1");
        View view = scenario.view();
        Duration first = middle(forecast(view), waiting);
        assertEquals(3, first.toMinutes(), "once a2 has had its undisturbed time");
        View later = view.at(view.now().plusSeconds(60));
        assertEquals(first.minusSeconds(60), middle(forecast(later), waiting));
    }

    @Test
    void oneThatDoesNotStopAtOnceTakesItsWholeGrace() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=1",
                                "active x0 xu gpus=1 ran=60 stopping on n 0",
                                "wait b1 bob gpus=1"));
        View view = scenario.view();
        Duration atOnce = middle(forecast(view), scenario.id("b1"));
        View later = view.at(view.now().plusSeconds(18));
        Duration afterAWhile = middle(forecast(later), scenario.id("b1"));
        assertEquals(Duration.ofSeconds(2), atOnce);
        assertEquals(Duration.ofSeconds(12), afterAWhile);
    }

    /** An epoch takes ten minutes, and four of them have passed since the last one ended. */
    @Test
    void oneThatStopsAtItsCheckpointTakesTheRestOfItsEpoch() {
        Job trains = training.epochEnded(trained(), 1, SharedCluster.NOW.minusSeconds(240));
        assertEquals(Duration.ofMinutes(6), stopsFor(trains));
    }

    @Test
    void oneThatSavesInsideItsEpochsTakesAsLongAgainAsSinceItSaved() {
        Job trains = trained();
        Instant saved = SharedCluster.NOW.minusSeconds(60);
        trains = training.become(trains, new Event.CheckpointSaved(saved, attempt(trains), 0.5));
        assertEquals(Duration.ofMinutes(1), stopsFor(trains));
    }

    /** Of a script that does not report nothing but its undisturbed time has to pass. */
    @Test
    void theStopOfATrainingJobThatIsSilentIsForeseenAndCountsDownToo() {
        var two = new SharedCluster(2);
        var ask = SharedCluster.Ask.of("ann", "train.py", 8).alone();
        Instant since = SharedCluster.NOW.minusSeconds(60);
        for (int gpu = 0; gpu < 2; gpu++) two.silent(ask, "node-0", gpu, since);
        JobId waiting = two.waiting(SharedCluster.Ask.of("bob", "other.py", 8).alone()).id();
        Policy elastic = Policies.byName("elastic");
        for (int seconds = 0; seconds < 60; seconds += 7) {
            View view = two.view().at(SharedCluster.NOW.plusSeconds(seconds));
            Forecast forecast = Forecast.of(view, elastic, elastic.explain(view));
            assertEquals(Duration.ofSeconds(242 - seconds), middle(forecast, waiting));
        }
    }

    private Job trained() {
        var ask = SharedCluster.Ask.of("ann", "train.py", 8).alone();
        return training.alone(ask, 600).runningAlone(ask, "node-0", 0);
    }

    /** How long the next job waits for it. */
    private Duration stopsFor(Job trains) {
        Job next = training.waiting("bob", Samples.spec(Samples.role("main", 1, 1)));
        training.become(
                trains,
                new Event.PreemptRequested(
                        SharedCluster.NOW, attempt(trains), next.id(), "its turn"));
        return middle(forecast(training.view()), next.id());
    }

    private static AttemptId attempt(Job job) {
        return ((JobState.Active) job.state()).attempt().id();
    }

    @Test
    void whoStandsInTheWayIsNamedWithWhatItWillDo() {
        var scenario = Scenario.parse(ANN_HOLDS_BOTH);
        View view = scenario.view();
        List<Holder> holders = forecast(view).holders(scenario.id("b1"));
        assertEquals(
                List.of(scenario.id("a2")), holders.stream().map(it -> it.job().id()).toList());
        Holder holder = holders.getFirst();
        assertEquals(1, holder.gpus());
        assertEquals(Optional.of(view.now().plus(Duration.ofMinutes(3))), holder.asked());
        assertEquals(Optional.of(scenario.id("b1")), holder.beneficiary());
    }

    @Test
    void theStartIsExpectedWhenWhoIsInTheWayIsExpectedToGo() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=4",
                                "active w1 win gpus=1 ran=1 on n 0",
                                "active x1 xu gpus=1 ran=1 on n 1",
                                "active y1 yo gpus=1 ran=1 on n 2",
                                "active z1 zoe gpus=1 ran=1 on n 3",
                                "wait b1 bob gpus=1"));
        Forecast forecast = forecast(scenario.view());
        JobId waiting = scenario.id("b1");
        assertEquals(
                forecast.holders(waiting).getFirst().gives(),
                forecast.band(waiting, Calibration.UNSEEN).map(Forecast.Band::expected));
    }

    @Test
    void whoStandsBehindAndIsExpectedToStartSoonerIsNamed() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=4",
                                "active x1 xu gpus=2 limit=100 ran=60 on n 0,1",
                                "wait b1 bob gpus=4",
                                "wait c1 cyd gpus=4",
                                "wait d1 dan gpus=2 limit=20"));
        Forecast forecast = forecast(scenario.view());
        Optional<JobId> small = Optional.of(scenario.id("d1"));
        assertEquals(small, forecast.passedBy(scenario.id("b1")).map(Job::id));
        assertEquals(Optional.empty(), forecast.passedBy(scenario.id("d1")));
    }

    @Test
    void ofTwoNewcomersEachIsShownWhoStopsForIt() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=4",
                                "active a1 ann gpus=1 ran=4 on n 0",
                                "active a2 ann gpus=1 ran=3 on n 1",
                                "active a3 ann gpus=1 ran=2 on n 2",
                                "active a4 ann gpus=1 ran=1 on n 3",
                                "wait b1 bob gpus=1",
                                "wait c1 cyd gpus=1"));
        Forecast forecast = forecast(scenario.view());
        for (String job : List.of("b1", "c1")) {
            JobId id = scenario.id(job);
            assertEquals(
                    List.of(Optional.of(id)),
                    forecast.holders(id).stream().map(Holder::beneficiary).toList());
        }
    }

    /** The other half of the GPU is bob's for longer, and c1 starts beside it. */
    @Test
    void whoKeepsItsPartOfTheGpuIsNotInTheWayOfAnotherPart() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=1",
                                "active a1 ann gpu=500 limit=70 on n 0",
                                "active b1 bob gpu=500 limit=900 on n 0",
                                "wait c1 cyd gpu=500"));
        List<Holder> holders = forecast(scenario.view()).holders(scenario.id("c1"));
        assertEquals(
                List.of("a1"),
                holders.stream().map(each -> scenario.name(each.job().id())).toList());
    }

    @Test
    void forWorkWithoutGpusThoseOnItsNodeStandInTheWay() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node m gpus=1 cpus=0",
                                "node n gpus=1 cpus=2",
                                "active x1 xu gpus=1 limit=90 on m 0",
                                "active x2 xu cpus=1 limit=70 on n",
                                "active x3 xu cpus=1 limit=90 on n",
                                "wait a1 ann cpus=1"));
        List<Holder> holders = forecast(scenario.view()).holders(scenario.id("a1"));
        assertEquals(
                List.of("x2", "x3"),
                holders.stream().map(each -> scenario.name(each.job().id())).toList(),
                "who gives first comes first");
        assertEquals(List.of(0, 0), holders.stream().map(Holder::gpus).toList());
        assertEquals(List.of(), forecast(scenario.view()).holders(scenario.id("x1")));
    }

    @Test
    void whoeverPausesBesideOthersOfItsNodeWaitsForNoneOfThem() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=0 cpus=2",
                                "active x1 ann cpus=1 on n",
                                "wait a1 bob cpus=1 pauses"));
        assertEquals(List.of(), holders(scenario, forecast(scenario.view()), "a1"));
    }

    @Test
    void whoeverFillsTheProjectIsNamedWhereItsRuleKeepsAJobWaiting() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=4",
                                "project lab quota=2",
                                "project other quota=2 interactive=1",
                                "active l1 ann gpus=1 project=lab on n 0",
                                "active o1 bob gpus=1 project=other interactive on n 1",
                                "active o2 bob gpus=1 project=other on n 2",
                                "wait i1 cyd gpus=1 project=other interactive",
                                "wait i2 cyd gpus=2 project=lab interactive"));
        Forecast forecast = forecast(scenario.view());
        assertEquals(List.of("o1"), holders(scenario, forecast, "i1"), "the cap");
        assertEquals(List.of("l1"), holders(scenario, forecast, "i2"), "the quota");
    }

    private static List<String> holders(Scenario scenario, Forecast forecast, String job) {
        return forecast.holders(scenario.id(job)).stream()
                .map(holder -> scenario.name(holder.job().id()))
                .toList();
    }

    @Test
    void whatCanNeverStartHasNoForecastAndDelaysNobody() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=1",
                                "active x0 xu gpus=1 limit=70 ran=60 on n 0",
                                "wait a1 ann gpus=2",
                                "wait b1 bob gpus=1"));
        Forecast forecast = forecast(scenario.view());
        assertFalse(forecast.starts().containsKey(scenario.id("a1")));
        assertEquals(10, high(forecast, scenario.id("b1")).toMinutes());
    }

    @Test
    void whoWaitsForAQuotaStartsWhenItIsFree() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=4",
                                "project a quota=1",
                                "project b quota=3",
                                "active x0 xu gpus=1 project=a interactive limit=90 on n 0",
                                "wait a1 ann gpus=1 project=a interactive",
                                "wait b1 bob gpus=4 project=b interactive"));
        Forecast forecast = forecast(scenario.view());
        assertEquals(30, high(forecast, scenario.id("a1")).toMinutes());
        assertFalse(forecast.starts().containsKey(scenario.id("b1")), "its quota is 3");
    }

    @Test
    void onlyAPolicyThatResizesHasSizesToFindAndOnlyForTrainingJobs() {
        Policy elastic = Policies.byName("elastic");
        View plain = Scenario.parse(ANN_HOLDS_BOTH).view();
        assertFalse(Playout.isSizing(plain, elastic));
        training.waiting(SharedCluster.Ask.of("ann", "train.py", 8));
        assertTrue(Playout.isSizing(training.view(), elastic));
        assertFalse(Playout.isSizing(training.view(), Policies.byName("fair")));
    }

    @Test
    void aForecastMakesOnlySoManyPlans() {
        var lines = new ArrayList<String>();
        lines.add("node n gpus=8");
        for (int i = 0; i < 8; i++) lines.add("active x%d xu gpus=1 on n %d".formatted(i, i));
        for (int i = 0; i < 2_000; i++) lines.add("wait a%d ann gpus=1".formatted(i));
        View view = Scenario.parse(lines).view();
        var plans = new AtomicInteger();
        Policy fair = Policies.byName("fair");
        Policy counted =
                new Policy() {
                    @Override
                    public Plan plan(View seen) {
                        plans.incrementAndGet();
                        return fair.plan(seen);
                    }

                    @Override
                    public List<Explanation> explain(View seen) {
                        return fair.explain(seen);
                    }
                };
        Forecast forecast = Forecast.of(view, counted, fair.explain(view));
        assertTrue(plans.get() <= 4_000, plans + " plans");
        assertEquals(2_000, forecast.starts().size(), "the rest is played in order");
    }

    private static Forecast forecast(View view) {
        Policy fair = Policies.byName("fair");
        return Forecast.of(view, fair, fair.explain(view));
    }

    private static Duration middle(Forecast forecast, JobId job) {
        return forecast.starts().get(job).middle();
    }

    private static Duration high(Forecast forecast, JobId job) {
        Optional<Forecast.Band> band = forecast.band(job, Calibration.UNSEEN);
        Instant expected = band.orElseThrow().expected();
        assertFalse(expected.isAfter(band.get().latest()));
        return forecast.starts().get(job).high();
    }
}
