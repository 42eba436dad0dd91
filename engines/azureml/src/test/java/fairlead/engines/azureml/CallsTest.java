package fairlead.engines.azureml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many calls a look at many jobs makes: never more than one for each so much time. {@code
 * -Dfairlead.azureml.jobs=1000} and {@code -Dfairlead.azureml.millis=36000} give the figures of the
 * docs, an hour in hundredths.
 */
class CallsTest {
    private static final int JOBS = Integer.getInteger("fairlead.azureml.jobs", 25);
    private static final int MILLIS = Integer.getInteger("fairlead.azureml.millis", 300);
    private static final AzureMlSettings.Pace USUAL = AzureMlSettings.Pace.USUAL;

    /** Time runs faster here. */
    private static final int TIMES = 100;

    @TempDir Path folder;

    @Test
    void manyJobsAreSeenByFewLists() throws Exception {
        var pace =
                new AzureMlSettings.Pace(
                        USUAL.first().dividedBy(TIMES),
                        USUAL.most().dividedBy(TIMES),
                        USUAL.compute().dividedBy(TIMES),
                        USUAL.read().dividedBy(TIMES),
                        USUAL.call().dividedBy(TIMES));
        try (var service = TestService.start(folder.resolve("service"));
                var attempts = new Attempts(service.settings(folder.resolve("home"), pace))) {
            service.isRunning = false;
            var launched = new ArrayList<Attempts.Launched>();
            for (int i = 0; i < JOBS; i++) launched.add(attempts.launch(attempts.effect("true")));
            launched.forEach(each -> service.job(each.name()).status("Running"));
            Eventually.when(
                    "all run",
                    () ->
                            launched.stream()
                                    .allMatch(each -> attempts.seen(each).orElseThrow().running()));
            service.calls.clear();
            long begin = System.nanoTime();
            Eventually.when(
                    "time has passed", () -> System.nanoTime() - begin > MILLIS * 1_000_000L);
            var calls = List.copyOf(service.calls.entrySet());
            long most =
                    Duration.ofNanos(System.nanoTime() - begin).dividedBy(pace.call()) + 2L * JOBS;
            long made = count(calls, "GET /(jobs|computes).*");
            System.out.println(JOBS + " jobs, " + MILLIS + " ms: " + calls);
            assertTrue(made <= most, calls::toString);
            long virtualMinutes = MILLIS * TIMES / 60_000 + 1;
            assertTrue(count(calls, ".*/details") <= JOBS * (6 + virtualMinutes), calls::toString);
            assertEquals(List.of(), service.mistakes);
        }
    }

    private static long count(List<Map.Entry<String, AtomicInteger>> calls, String kind) {
        return calls.stream()
                .filter(each -> each.getKey().matches(kind))
                .mapToLong(each -> each.getValue().get())
                .sum();
    }
}
