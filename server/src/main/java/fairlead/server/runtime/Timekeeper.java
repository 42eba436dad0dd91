package fairlead.server.runtime;

import fairlead.job.AttemptId;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps the server's clock and, in a file, where it stands, for the next server. Says in the log
 * when the wall clock has left it.
 */
public final class Timekeeper {
    private static final System.Logger LOG = System.getLogger(Timekeeper.class.getName());

    /** What is not known of a server's life if the machine fails: as little as one can afford. */
    private static final Duration KEEP_EVERY = Duration.ofMinutes(1);

    /** Worth a line: people would notice. */
    private static final Duration LEFT_LEAST = Duration.ofMinutes(1);

    private final Path file;
    private final SteadyClock clock;
    private final Supplier<Instant> wall;
    private final Duration jump;
    private final Map<AttemptId, Duration> before;
    private final Consumer<Throwable> bug;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private Supplier<Map<AttemptId, Duration>> uncounted = Map::of;
    private Thread thread;
    private boolean isLeft;

    public Timekeeper(Path file, Consumer<Throwable> bug) {
        this(file, Boot.now(), Instant::now, bug);
    }

    Timekeeper(Path file, Boot boot, Supplier<Instant> wall, Consumer<Throwable> bug) {
        this.file = file;
        this.wall = wall;
        this.bug = bug;
        Instant now = wall.get();
        this.clock = new SteadyClock(now, System::nanoTime, Boot::upNanos);
        Optional<ClockRecord> last = ClockRecord.read(file);
        this.jump = last.map(kept -> kept.jump(boot, now)).orElse(Duration.ZERO);
        this.before = last.map(ClockRecord::uncounted).orElse(Map.of());
        if (!jump.isZero())
            LOG.log(
                    System.Logger.Level.WARNING,
                    "since the last server the wall clock has jumped, it is {0} what the time that"
                            + " is known to have passed makes it; time limits of running jobs do"
                            + " not count that",
                    words(jump));
    }

    public SteadyClock clock() {
        return clock;
    }

    /** By how much the wall clock jumped between the last server and this one. */
    public Duration jump() {
        return jump;
    }

    /** What the limits of attempts did not count in earlier servers. */
    public Map<AttemptId, Duration> before() {
        return before;
    }

    /**
     * @param uncounted what the limits of running attempts do not count, asked at each writing
     */
    public void start(Supplier<Map<AttemptId, Duration>> uncounted) {
        this.uncounted = uncounted;
        keep();
        thread = Thread.ofPlatform().name("timekeeper").daemon().unstarted(this::run);
        thread.start();
    }

    public void stop(Duration patience) throws InterruptedException {
        stopped.countDown();
        if (thread == null) return;
        thread.join(patience);
        keep();
    }

    private void run() {
        try {
            while (!stopped.await(KEEP_EVERY.toSeconds(), TimeUnit.SECONDS)) {
                keep();
                compare();
            }
        } catch (Throwable broken) {
            bug.accept(broken);
        }
    }

    private void keep() {
        try {
            new ClockRecord(Boot.now(), clock.get(), uncounted.get()).write(file);
        } catch (IOException problem) {
            // The next one may work; until then a restart trusts an older moment of the same boot.
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "{0} was not written: {1}",
                    file,
                    problem.getMessage());
        }
    }

    private void compare() {
        Duration left = Duration.between(clock.get(), wall.get());
        boolean isLeftNow = left.abs().compareTo(LEFT_LEAST) >= 0;
        if (isLeftNow && !isLeft)
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the wall clock has jumped, it is {0} the server''s; times are given by"
                            + " the server''s until its next start",
                    words(left));
        isLeft = isLeftNow;
    }

    /**
     * Such as {@code 2 days behind}: in whole seconds, of which the two largest units are shown.
     */
    static String words(Duration ahead) {
        var whole = Duration.ofSeconds(Math.round(ahead.abs().toMillis() / 1e3));
        var parts = new ArrayList<String>();
        add(parts, whole.toDays(), "day");
        add(parts, whole.toHoursPart(), "hour");
        add(parts, whole.toMinutesPart(), "minute");
        add(parts, whole.toSecondsPart(), "second");
        String size = String.join(" ", parts.subList(0, Math.min(2, parts.size())));
        return size + (ahead.isNegative() ? " behind" : " ahead of");
    }

    private static void add(List<String> parts, long count, String unit) {
        if (count > 0) parts.add(count + " " + unit + (count == 1 ? "" : "s"));
    }
}
