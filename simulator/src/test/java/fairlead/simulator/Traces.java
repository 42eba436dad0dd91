package fairlead.simulator;

import java.nio.file.Files;
import java.nio.file.Path;

/** The project's traces, from whichever folder the tests run in. */
final class Traces {
    static final Path PHILLY = file("bench_philly_6c71a0_480.csv");
    static final Path POLLUX = file("pollux_workloads.csv");
    static final Path POLLUX_PROFILES = file("pollux_fixed_batch_profiles.csv");

    private Traces() {}

    private static Path file(String name) {
        Path folder = Path.of("bench", "traces");
        return (Files.exists(folder) ? folder : Path.of("..").resolve(folder)).resolve(name);
    }
}
