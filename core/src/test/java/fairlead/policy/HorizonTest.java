package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.View;
import fairlead.job.Job;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

class HorizonTest {
    private static final Scenario SCENE =
            Scenario.parse(
                    List.of(
                            "node n gpus=8",
                            "active unknown ann gpus=1 ran=60 on n 0",
                            "active fresh ann gpus=1 ran=0 on n 1",
                            "active limited ann gpus=1 ran=60 limit=80 on n 2",
                            "active overdue ann gpus=1 ran=60 limit=30 on n 3",
                            "wait short ann gpus=1 limit=30",
                            "wait open ann gpus=1"));
    private static final View VIEW = SCENE.view();

    @ParameterizedTest(name = "{0} at {1} percent: {2} more minutes")
    @CsvSource({
        "unknown, 100, 60",
        "unknown, 50, 30",
        "fresh, 100, 1",
        "limited, 100, 20",
        "limited, 200, 40",
        "overdue, 100, 1",
    })
    void aRunningJobIsExpectedToEnd(String name, int percent, long minutes) {
        assertEquals(
                VIEW.now().plus(Duration.ofMinutes(minutes)),
                Horizon.end(job(name), VIEW, percent));
    }

    @ParameterizedTest(name = "{0} at {1} percent: {2} minutes")
    @CsvSource({"short, 100, 30", "short, 200, 60", "open, 100, 60"})
    void aWaitingJobIsExpectedToRun(String name, int percent, long minutes) {
        assertEquals(Duration.ofMinutes(minutes), Horizon.runTime(job(name), VIEW, percent));
    }

    private static Job job(String name) {
        return SCENE.jobs().get(SCENE.id(name));
    }
}
