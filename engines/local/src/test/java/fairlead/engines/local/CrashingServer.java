package fairlead.engines.local;

import fairlead.job.JobId;

import java.nio.file.Path;
import java.util.List;

/**
 * A process with an engine, for tests that kill it: launches numbered jobs one after the other,
 * each of which adds a line to the file {@code ran}, and says so on its output.
 */
public final class CrashingServer {
    private CrashingServer() {}

    public static JobId job(int number) {
        return new JobId("crash_1_%08x".formatted(number));
    }

    static List<String> command(int number, String pause) {
        return List.of("sh", "-c", "echo " + number + " >>ran; sleep " + pause + "; exit 42");
    }

    /** Arguments: home, working folder, first number, count, seconds that each job sleeps. */
    public static void main(String[] arguments) throws Exception {
        int first = Integer.parseInt(arguments[2]);
        int count = Integer.parseInt(arguments[3]);
        try (var engine = LocalEngine.open(LocalSettings.at(Path.of(arguments[0])))) {
            System.out.println("open");
            for (int i = first; i < first + count; i++) {
                engine.launch(Jobs.single(job(i), arguments[1], command(i, arguments[4])));
                System.out.println("launched " + i);
            }
            System.in.read();
        }
    }
}
