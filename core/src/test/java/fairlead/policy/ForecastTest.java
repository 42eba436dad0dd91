package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import fairlead.job.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class ForecastTest {
    @Test
    void aJobStartsWhenTheOneBeforeItIsExpectedToEnd() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=1",
                                "active x0 xu gpus=1 limit=100 ran=60 on n 0",
                                "wait a1 ann gpus=1 limit=30",
                                "wait b1 bob gpus=1 limit=30"));
        Map<JobId, Forecast.Band> bands = bands(scenario);
        assertEquals("20 40 80", minutes(scenario, bands, "a1"));
        assertEquals("35 70 140", minutes(scenario, bands, "b1"));
    }

    @Test
    void aRunningJobOfWhichNothingIsKnownIsExpectedToRunAsLongAgain() {
        var scenario =
                Scenario.parse(
                        List.of(
                                "node n gpus=1",
                                "active x0 xu gpus=1 ran=60 on n 0",
                                "wait a1 ann gpus=1"));
        assertEquals("30 60 120", minutes(scenario, bands(scenario), "a1"));
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
        var bands = bands(scenario);
        assertFalse(bands.containsKey(scenario.id("a1")));
        assertEquals("5 10 20", minutes(scenario, bands, "b1"));
    }

    private static Map<JobId, Forecast.Band> bands(Scenario scenario) {
        var view = scenario.view();
        return Forecast.starts(view, Policies.byName("fair").explain(view));
    }

    private static String minutes(Scenario scenario, Map<JobId, Forecast.Band> bands, String job) {
        var band = bands.get(scenario.id(job));
        var now = scenario.view().now();
        return Duration.between(now, band.earliest()).toMinutes()
                + " "
                + Duration.between(now, band.expected()).toMinutes()
                + " "
                + Duration.between(now, band.latest()).toMinutes();
    }
}
