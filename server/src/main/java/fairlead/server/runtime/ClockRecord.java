package fairlead.server.runtime;

import fairlead.engine.OwnerOnly;
import fairlead.job.AttemptId;
import fairlead.job.JobId;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a server leaves for the next, so that it knows how much time has really passed between them
 * whatever the wall clock says.
 *
 * @param time of the server's clock at this moment of this boot
 * @param uncounted what a job's time limit does not count of the time since its start, by attempt;
 *     negative where the wall clock went back
 */
record ClockRecord(Boot boot, Instant time, Map<AttemptId, Duration> uncounted) {
    /**
     * Across a restart of the machine only the wall clock knows, and may be wrong: of what it says
     * no more than this counts for time limits. To give a job too much time costs less than its
     * work.
     */
    static final Duration REBOOT_MAX = Duration.ofHours(1);

    /** Both clocks are read one after the other, and one of them in hundredths of a second. */
    private static final Duration JUMP_LEAST = Duration.ofSeconds(1);

    ClockRecord {
        uncounted = Map.copyOf(uncounted);
    }

    /** By how much the wall clock is ahead of the time that passed since this was kept. */
    Duration jump(Boot now, Instant wall) {
        Duration said = Duration.between(time, wall);
        boolean isKnown = !boot.id().isEmpty() && boot.id().equals(now.id());
        Duration passed = isKnown ? now.up().minus(boot.up()) : least(most(said), REBOOT_MAX);
        Duration jump = said.minus(passed);
        return jump.abs().compareTo(JUMP_LEAST) < 0 ? Duration.ZERO : jump;
    }

    private static Duration most(Duration span) {
        return span.isNegative() ? Duration.ZERO : span;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Readers see the old file or the whole new one. */
    void write(Path file) throws IOException {
        var lines = new ArrayList<String>();
        lines.add(boot.id() + " " + boot.up() + " " + time);
        uncounted.forEach(
                (attempt, span) -> lines.add(attempt.job() + " " + attempt.number() + " " + span));
        OwnerOnly.replace(file, String.join("\n", lines) + "\n");
    }

    /**
     * Nothing where no server was before, or its file is damaged: then the wall clock is believed.
     */
    static Optional<ClockRecord> read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            String[] first = lines.getFirst().split(" ", -1);
            var uncounted = new TreeMap<AttemptId, Duration>();
            for (String line : lines.subList(1, lines.size())) {
                String[] words = line.split(" ", -1);
                var attempt = new AttemptId(new JobId(words[0]), Integer.parseInt(words[1]));
                uncounted.put(attempt, Duration.parse(words[2]));
            }
            var boot = new Boot(first[0], Duration.parse(first[1]));
            return Optional.of(new ClockRecord(boot, Instant.parse(first[2]), uncounted));
        } catch (IOException | RuntimeException _) {
            return Optional.empty();
        }
    }
}
