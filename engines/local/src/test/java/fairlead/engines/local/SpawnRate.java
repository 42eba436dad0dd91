package fairlead.engines.local;

import fairlead.job.Effect;
import fairlead.job.JobId;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * How many no-op jobs the engine alone runs in a second, eight at a time: launch, exit seen,
 * forget. Run by hand, with the number of jobs as argument.
 */
final class SpawnRate {
    private static final int AT_ONCE = 8;
    private static final int ROUNDS = 5;

    private SpawnRate() {}

    public static void main(String[] arguments) throws Exception {
        int jobs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
        Path home = Files.createTempDirectory("spawn-rate");
        try (var engine = LocalEngine.open(LocalSettings.at(home).withDeclaredGpus(AT_ONCE))) {
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                run(engine, jobs, round);
                var took = Duration.ofNanos(System.nanoTime() - start);
                System.out.printf("%.0f jobs/s%n", jobs * 1e9 / took.toNanos());
            }
        }
    }

    private static void run(LocalEngine engine, int jobs, int round) throws Exception {
        var changed = new Semaphore(0);
        engine.onChange(changed::release);
        int launched = 0;
        int ended = 0;
        while (ended < jobs) {
            while (launched < jobs && launched - ended < AT_ONCE) {
                engine.launch(noOp(round * jobs + launched++));
            }
            changed.acquire();
            changed.drainPermits();
            for (var seen : engine.observe()) {
                if (seen.exits().isEmpty()) continue;
                engine.forget(seen.attempt());
                ended++;
            }
        }
    }

    private static Effect.Launch noOp(int number) {
        return Jobs.single(JobId.of("noop", Instant.now(), number), "/tmp", List.of("true"));
    }
}
