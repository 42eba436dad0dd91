package fairlead.engines.azureml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.engines.azureml.TestService.Fault;
import fairlead.testing.Eventually;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/** A service that often fails: no job is sent twice, none is lost, and all is known of each. */
class FaultTest {
    private static final int JOBS = 3;
    private static final double FAULTS = 0.2;

    @TempDir Path folder;

    @Seeds(10)
    void whateverFailsEachJobRunsOnce(long seed) throws Exception {
        var dice = new Random(seed);
        try (var service = TestService.start(folder.resolve("service"));
                var attempts = new Attempts(service, folder.resolve("home"))) {
            var kinds =
                    EnumSet.complementOf(EnumSet.of(Fault.NONE, Fault.THROTTLED_LONG))
                            .toArray(Fault[]::new);
            service.faults =
                    (_, _) -> {
                        synchronized (dice) {
                            boolean isGood = dice.nextDouble() >= FAULTS;
                            return isGood ? Fault.NONE : kinds[dice.nextInt(kinds.length)];
                        }
                    };
            var launched = new ArrayList<Attempts.Launched>();
            for (int i = 0; i < JOBS; i++) {
                var launch = attempts.effect("echo begun " + i + "; sleep 0.1; exit " + i);
                until("it is launched", () -> attempts.engine().launch(launch.effect()));
                launched.add(launch);
                if (chance(dice)) attempts.reopen();
                if (chance(dice)) service.tokenFirst++;
                if (chance(dice)) service.addressFirst++;
            }
            var stopped = launched.get(dice.nextInt(JOBS));
            boolean isStopped = chance(dice);
            if (isStopped)
                until(
                        "it is stopped",
                        () -> attempts.engine().stop(stopped.attempt(), Duration.ofSeconds(1)));
            for (int i = 0; i < JOBS; i++) {
                var exit = attempts.exit(launched.get(i));
                if (isStopped && launched.get(i) == stopped && exit.stopped()) continue;
                assertEquals(OptionalInt.of(i), exit.code(), exit::toString);
                assertEquals("begun " + i + "\n", attempts.log(launched.get(i)));
            }
            service.made.forEach((name, times) -> assertEquals(1, times.get(), name));
            assertTrue(service.made.size() <= JOBS, service.made::toString);
            assertEquals(List.of(), service.mistakes);
        }
    }

    private static boolean chance(Random dice) {
        synchronized (dice) {
            return dice.nextBoolean();
        }
    }

    private interface Call {
        void make() throws EngineException;
    }

    /** As the server does: an effect that failed is owed still. */
    private static void until(String what, Call call) throws Exception {
        Eventually.when(
                what,
                () -> {
                    try {
                        call.make();
                        return true;
                    } catch (EngineException _) {
                        return false;
                    }
                });
    }
}
