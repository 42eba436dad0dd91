package fairlead.journals.sqlite;

import fairlead.journal.JournalException;
import fairlead.journals.sql.Upkeep;

import org.sqlite.SQLiteConnection;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks after the file of a journal while its server runs, on a thread and a connection of its own:
 * checks it at the start and before each copy, and makes a copy when one is due. Commits go on
 * meanwhile, though SQLite's log beside the file grows until the check is over.
 *
 * <p>Damage stays known until the server ends: nothing but a restart with another file mends it.
 */
public final class JournalCare implements Upkeep {
    private static final System.Logger LOG = System.getLogger(JournalCare.class.getName());

    /** How often it is seen whether a copy is due: what a copy can be late by. */
    private static final Duration LOOK_EVERY = Duration.ofHours(1);

    /** Between two requests that a check under way ends; the first may come before it begins. */
    private static final Duration INTERRUPT_EVERY = Duration.ofMillis(20);

    private final SqliteJournal journal;
    private final JournalCopies copies;
    private final Supplier<Instant> clock;
    private final Consumer<Throwable> bug;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile SQLiteConnection busy;
    private volatile State state = new State("not checked yet", Optional.empty());

    private record State(String words, Optional<String> damage) {}

    public JournalCare(
            SqliteJournal journal,
            JournalCopies copies,
            Supplier<Instant> clock,
            Consumer<Throwable> bug) {
        this.journal = journal;
        this.copies = copies;
        this.clock = clock;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("journal-care").daemon().unstarted(this::run);
    }

    @Override
    public void start() {
        thread.start();
    }

    /** Ends a check or a copy under way. */
    @Override
    public void stop(Duration patience) throws InterruptedException {
        stopped.countDown();
        long deadline = System.nanoTime() + patience.toNanos();
        while (!thread.join(INTERRUPT_EVERY) && System.nanoTime() < deadline) {
            SQLiteConnection connection = busy;
            try {
                if (connection != null) connection.getDatabase().interrupt();
            } catch (SQLException _) {
                // It was closed just now, which is what we want.
            }
        }
    }

    @Override
    public Optional<String> damage() {
        return state.damage();
    }

    @Override
    public String words() {
        return state.words();
    }

    @Override
    public Optional<Path> newestCopy() {
        return copies.newest();
    }

    private void run() {
        try {
            // A journal that was made just now has nothing to lose, and its copy would look like a
            // good one for a day.
            look(!journal.isNew());
            while (!stopped.await(LOOK_EVERY.toSeconds(), TimeUnit.SECONDS)) {
                if (state.damage().isEmpty() && copies.isDue(clock.get())) look(true);
            }
        } catch (Throwable broken) {
            bug.accept(broken);
        }
    }

    private void look(boolean mayCopy) {
        try (Connection connection = journal.connection()) {
            busy = connection.unwrap(SQLiteConnection.class);
            if (stopped.getCount() == 0) return;
            Optional<String> damage = JournalCheck.damage(connection);
            if (damage.isPresent()) tell(damage.get());
            else {
                state = new State("good, checked " + clock.get(), Optional.empty());
                if (mayCopy && copies.isDue(clock.get()))
                    copies.add(connection, journal.bytes(), clock.get());
            }
        } catch (SQLException failure) {
            warn("the journal was not checked, will try again: " + failure.getMessage());
        } catch (JournalException failure) {
            warn("the journal was not copied, will try again: " + failure.getMessage());
        } finally {
            busy = null;
        }
    }

    private void tell(String damage) {
        String words =
                "the journal %s is damaged (%s); new jobs are refused, what runs goes on; %s"
                        .formatted(journal.path(), damage, copies.advice(clock.get()));
        state = new State("damaged: " + damage, Optional.of(words));
        LOG.log(System.Logger.Level.ERROR, "{0}", words);
    }

    private void warn(String words) {
        if (stopped.getCount() > 0) LOG.log(System.Logger.Level.WARNING, "{0}", words);
    }
}
