package fairlead.policy.ranked;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.policy.Scenario;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

class OrderTest {
    private static final Scenario SCENE =
            Scenario.parse(
                    List.of(
                            "node n gpus=8",
                            "wait early ann gpus=1",
                            "active light ann gpus=1 ran=54 on n 0",
                            "active heavy ann gpus=2 ran=59 limit=80 on n 1,2",
                            "active done ann gpus=1 ran=120 limit=150 on n 3",
                            "wait late ann gpus=4 limit=25",
                            "active idle ann ran=60 on n"));
    private static final View VIEW = SCENE.view();

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "SUBMIT, 'light heavy done early late'",
        "ATTAINED, 'light early late heavy done'",
        "TIME_LEFT, 'heavy late done early light'",
        "GPU_TIME_LEFT, 'done heavy late early light'",
    })
    void d35JobsAreRanked(Order order, String names) {
        List<String> ranked =
                SCENE.jobs().values().stream()
                        .filter(job -> job.spec().gpus() > 0)
                        .map(job -> order.rank(job, VIEW))
                        .sorted()
                        .map(rank -> SCENE.name(rank.job().id()))
                        .toList();
        assertEquals(names, String.join(" ", ranked));
    }

    @ParameterizedTest(name = "{0} falls after {1} s")
    @CsvSource({"light, 10", "heavy, 60", "done, ''", "early, ''", "idle, ''"})
    void aRunningJobFallsIntoTheNextQueueInTime(String name, String seconds) {
        Optional<Duration> after =
                Order.ATTAINED.change(job(name), VIEW).map(at -> Duration.between(VIEW.now(), at));
        assertEquals(
                seconds.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Duration.ofSeconds(Long.parseLong(seconds))),
                after);
        assertEquals(Optional.empty(), Order.TIME_LEFT.change(job(name), VIEW));
    }

    private static Job job(String name) {
        return SCENE.jobs().get(SCENE.id(name));
    }
}
