package fairlead.engines.local;

import fairlead.job.Effect;
import fairlead.job.JobId;

import java.io.IOException;
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

    /** USER_HZ is 100 on all Linux that Java runs on. */
    private static final double TICK_MILLIS = 10;

    private SpawnRate() {}

    public static void main(String[] arguments) throws Exception {
        int jobs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
        Path home = Files.createTempDirectory("spawn-rate");
        try (var engine = LocalEngine.open(LocalSettings.at(home))) {
            System.out.println(engine.nodes());
            engine.notes().forEach(System.out::println);
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                long[] cpu = cpuTicks();
                run(engine, jobs, round);
                var took = Duration.ofNanos(System.nanoTime() - start);
                System.out.printf(
                        "%.0f jobs/s, CPU for each: engine %.2f ms, its processes %.2f ms%n",
                        jobs * 1e9 / took.toNanos(),
                        (cpuTicks()[0] - cpu[0]) * TICK_MILLIS / jobs,
                        (cpuTicks()[1] - cpu[1]) * TICK_MILLIS / jobs);
            }
        }
    }

    /** Of this process, and of the children that it has reaped. */
    private static long[] cpuTicks() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new long[] {
            Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
            Long.parseLong(fields[13]) + Long.parseLong(fields[14])
        };
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
