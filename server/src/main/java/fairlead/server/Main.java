package fairlead.server;

import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engines.local.Accounts;
import fairlead.journal.JournalException;
import fairlead.server.auth.JobAccounts;
import fairlead.server.journal.JournalCare;
import fairlead.server.journal.JournalCopies;
import fairlead.server.journal.SqliteJournal;
import fairlead.server.openpai.SshKeys;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.logging.Level;

/** The server's process. Jobs that run outlive it, however it ends. */
public final class Main {
    /** Short enough that a dead peer gives its stream back soon. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** Six beats of a command's user: they are gone then, or stopped, and the command goes too. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    /** As sysexits.h has it for a bug: whoever starts the server again may tell it from a stop. */
    private static final int BUG_CODE = 70;

    /** Without asking the network, which may not be there. */
    private static final Path MACHINE_NAME = Path.of("/proc/sys/kernel/hostname");

    private static final System.Logger LOG = System.getLogger(Main.class.getName());

    private Main() {}

    public static void main(String[] arguments) {
        try {
            serve(Settings.read(List.of(arguments)));
        } catch (StartException refusal) {
            fail(refusal.exitCode(), refusal.getMessage());
        } catch (IOException | JournalException | EngineException failure) {
            fail(StartException.REFUSED, failure.getMessage());
        } catch (InterruptedException _) {
            fail(StartException.REFUSED, "interrupted while it was starting");
        } catch (RuntimeException bug) {
            bug.printStackTrace();
            fail(BUG_CODE, "a bug: " + bug);
        }
    }

    private static void serve(Settings.Start start)
            throws StartException,
                    IOException,
                    JournalException,
                    EngineException,
                    InterruptedException {
        Settings settings = start.settings();
        Home home = Home.open(start.home());
        var copies = new JournalCopies(home.path().resolve("copies"), settings.copies());
        // Before all else that is made in a home: a start that fails here leaves no trace of use.
        SqliteJournal journal = HomeJournal.open(home, start, copies);
        JsonLog log = JsonLog.begin(home.log());
        home.change().ifPresent(words -> log.say(Level.WARNING, words, null));
        String token = home.token();
        String secret = home.secret();
        Map<String, Engine> engines = Engines.open(settings, home, new SshKeys(secret));
        var around =
                new Server.Surroundings(
                        home.path(),
                        token,
                        secret,
                        Optional.of(home.addressFile()),
                        System.getProperty("user.name"),
                        System.getProperty("user.home"),
                        Files.readString(MACHINE_NAME).strip(),
                        new JobAccounts.Machine(Accounts.isRoot(), Accounts::isRoot),
                        version(),
                        HEARTBEAT,
                        SILENCE,
                        () -> bytes(journal),
                        journal::backup,
                        new JournalCare(journal, copies, Instant::now, onBug(log)),
                        Main::exitSoon,
                        onBug(log));
        Server server;
        try {
            server = new Server(settings, journal, engines, around);
        } catch (JournalException failure) {
            throw HomeJournal.told(failure, copies);
        }
        server.start();
        stopWithTheProcess(server, home, log);
        home.announce(server.url(), token);
        LOG.log(System.Logger.Level.INFO, "serves {0} on {1}", home.path(), server.url());
    }

    private static long bytes(SqliteJournal journal) {
        try {
            return journal.bytes();
        } catch (JournalException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "{0}", unreadable.getMessage());
            return 0;
        }
    }

    /** Whoever asked for the stop gets an answer first, so it happens on another thread. */
    private static void exitSoon() {
        Thread.ofPlatform().name("stop").start(() -> System.exit(0));
    }

    /** A stop by signal is as good as one by request, so both end with code 0. */
    private static void stopWithTheProcess(Server server, Home home, JsonLog log) {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("shutdown")
                                .unstarted(
                                        () -> {
                                            stop(server, home, log);
                                            Runtime.getRuntime().halt(0);
                                        }));
    }

    private static void stop(Server server, Home home, JsonLog log) {
        try {
            home.withdraw();
            server.stop();
            home.close();
            log.say(Level.INFO, "stopped; running tasks go on", null);
        } catch (IOException | InterruptedException failure) {
            log.say(Level.WARNING, "did not stop cleanly; nothing is lost", failure);
        }
    }

    /** Ends at once, without a graceful stop: after a bug nothing in memory is to be trusted. */
    private static Consumer<Throwable> onBug(JsonLog log) {
        var isFirst = new AtomicBoolean(true);
        return bug -> {
            if (!isFirst.getAndSet(false)) return;
            log.say(Level.SEVERE, "a bug stops the server; jobs go on", bug);
            Runtime.getRuntime().halt(BUG_CODE);
        };
    }

    private static void fail(int code, String message) {
        System.err.println("fairlead server: " + message);
        // Threads that were started before the failure must not keep the process.
        Runtime.getRuntime().halt(code);
    }

    static String version() throws IOException {
        try (InputStream in = Main.class.getResourceAsStream("version")) {
            if (in == null) throw new IllegalStateException("the build lacks its version");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
